import { gzipSync } from "node:zlib";
import type { CollectorAnswer } from "../../core/audit/delivery";
import type { OtlpTarget } from "../../core/audit/otlpSettings";
import { retryAfterSeconds } from "../../core/invocation/rateLimit";
import { isJsonObject, type JsonObject } from "../../core/json/jsonValue";
import { parseJson } from "../decode/parseJson";
import type { NetworkSettings } from "../networkSettings";
import { Transport } from "../transport/transport";
import { requestHeaders, type WireResponse } from "../transport/wire";
import { runYielding } from "../wait";

/** A response contains only a count and a sentence. */
const maxAnswerBytes = 65_536;

/**
 * Sends a body of the OpenTelemetry Protocol to a collector, once, over its own connection. Does not follow redirects:
 * the headers may contain a credential. Never rejects.
 */
export async function postToCollector(
  { url: address, headers, timeoutSeconds, isCompressed }: OtlpTarget,
  body: JsonObject,
  network: NetworkSettings,
  signal: AbortSignal,
): Promise<CollectorAnswer> {
  const url = new URL(address);
  const plain = Buffer.from(JSON.stringify(body), "utf8");
  const encoding = isCompressed ? { "content-encoding": "gzip" } : undefined;
  const transport = new Transport(url.origin, network);
  try {
    const exchange = await transport.exchange(
      {
        method: "POST",
        path: `${url.pathname}${url.search}`,
        headers: {
          ...headers,
          ...requestHeaders(),
          "content-type": "application/json",
          ...encoding,
        },
        body: isCompressed ? gzipSync(plain) : plain,
      },
      { seconds: timeoutSeconds, maxBytes: maxAnswerBytes },
      signal,
    );
    // The status counts even if the body is too long or truncated.
    const answer = exchange.kind === "answered" ? exchange.answer : exchange.partial;
    if (answer === undefined) return { kind: "failed" };
    const { status } = answer;
    return {
      kind: "answered",
      status,
      retryAfterSeconds: retryAfterSeconds(answer.headers, Date.now()),
      rejected: await rejectedIn(answer),
    };
  } finally {
    transport.close();
  }
}

/** Reads how many items were rejected. The protocol's JSON has counts as text; some collectors write numbers. */
async function rejectedIn({ body }: WireResponse): Promise<number> {
  const value = await runYielding(parseJson(body));
  const partial = isJsonObject(value) ? value["partialSuccess"] : undefined;
  if (!isJsonObject(partial)) return 0;
  const count = Number(partial["rejectedSpans"] ?? partial["rejectedLogRecords"] ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
