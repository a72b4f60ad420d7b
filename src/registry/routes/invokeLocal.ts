import { entrypointBody } from "../../core/invocation/invocation";
import type { LocalOutcome } from "../../core/invocation/output/localTrial";
import { optional } from "../../core/json/jsonValue";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { isLoopbackName } from "../../core/registry/registryOrigin";
import type { Chunked } from "../../core/text/chunked";
import { parseJson, utf8Text } from "../decode/parseJson";
import { startOf } from "../decode/readInvokeResponse";
import type { NetworkSettings } from "../networkSettings";
import { redactBytes } from "../redactBytes";
import { Transport } from "../transport/transport";
import {
  type ExchangeLimits,
  redirectTarget,
  requestHeaders,
  type WireResponse,
} from "../transport/wire";
import { runYielding } from "../wait";

/** The limits of a trial. `redactor` knows every key and secret that must not leave; `log` gets a line at its end. */
interface LocalRoute {
  readonly network: NetworkSettings;
  readonly limits: ExchangeLimits;
  readonly redactor: KeyRedactor;
  readonly log?: (line: string) => void;
}

/**
 * Sends a payload once to a publisher's own code on this machine: `POST` with the body that the public gateway sends,
 * over its own connection, without a credential. Follows no redirect. Sends nothing that contains a known key or
 * secret. Throws for an address outside of this machine, which callers check first.
 */
export async function invokeLocal(
  address: string,
  inputText: string,
  { network, limits, redactor, log }: LocalRoute,
  signal: AbortSignal,
): Promise<LocalOutcome> {
  const url = new URL(address);
  if (!isLoopbackName(url.hostname)) throw new TypeError("The address is not on this machine.");
  if ((await runYielding(redactor.find(inputText))).length > 0) {
    return { kind: "failed", failure: { kind: "containsKey" }, isSent: false };
  }
  const transport = new Transport(url.origin, network, undefined, log);
  try {
    const exchange = await transport.exchange(
      {
        method: "POST",
        path: `${url.pathname}${url.search}`,
        headers: {
          ...requestHeaders(),
          accept: "application/json",
          "content-type": "application/json",
        },
        body: Buffer.from(entrypointBody(inputText), "utf8"),
      },
      limits,
      signal,
    );
    return exchange.kind === "answered"
      ? await runYielding(readAnswer(exchange.answer, url, redactor))
      : { kind: "failed", failure: exchange.failure, isSent: exchange.mayBeSent };
  } finally {
    transport.close();
  }
}

/** The maximum number of bytes of a body that is no JSON, before it is shortened for a message. */
const startBytes = 2000;

function* readAnswer(answer: WireResponse, url: URL, redactor: KeyRedactor): Chunked<LocalOutcome> {
  const { status } = answer;
  const contentType = answer.headers["content-type"] ?? "";
  const redirect = redirectTarget(answer, url)?.shown;
  const body = yield* redactBytes(answer.body, redactor);
  const isJson = (yield* parseJson(body)) !== undefined;
  const outputText = isJson ? yield* utf8Text(body, startOf(body), body.length) : undefined;
  const start = isJson ? "" : body.toString("utf8", 0, startBytes);
  return {
    kind: "answered",
    status,
    start,
    ...optional("outputText", outputText),
    ...(isJson && !/\bapplication\/json\b/.test(contentType) && { isTypedAsText: true }),
    ...optional("redirectTarget", redirect && redactor.redact(redirect)),
  };
}
