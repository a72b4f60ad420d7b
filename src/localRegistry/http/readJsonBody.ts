import type { IncomingMessage } from "node:http";
import type { JsonValue } from "../../core/text/json";
import { type Answer, refused } from "./answer";

/** The largest request body in bytes. */
const maxBodyBytes = 1024 * 1024;

/** A body as text and as the value it stands for, or the answer that refuses it. */
export type ReadBody =
  | { readonly ok: true; readonly text: string; readonly value: JsonValue }
  | { readonly ok: false; readonly text: string; readonly answer: Answer };

/** Reads a request's body as JSON, at most 1 MiB of it. Rejects if the caller goes away meanwhile. */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    const error = `Content-Encoding ${encoding} is not supported. Send the body as it is.`;
    return refuse("", refused(415, error, "unsupported_encoding"));
  }
  const bytes = await readBytes(request);
  if (bytes === undefined) {
    return refuse("", refused(413, "The request body is larger than 1 MiB.", "body_too_large"));
  }
  const text = bytes.toString("utf8");
  try {
    // Fails on invalid UTF-8 and keeps a byte order mark, which JSON.parse then refuses.
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ok: true, text, value: JSON.parse(strict) as JsonValue };
  } catch {
    return refuse(text, refused(400, "The request body is not valid JSON.", "invalid_json"));
  }
}

// What is not read here, the server discards once the answer is sent.
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).byteLength;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function refuse(text: string, answer: Answer): ReadBody {
  return { ok: false, text, answer };
}
