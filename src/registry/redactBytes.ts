import type { KeyRedactor } from "../core/registry/redactSecrets";
import type { Chunked } from "../core/text/chunked";

/** Redacts the keys in a body before it is parsed. Keys and their forms are ASCII, one byte a character. */
export function* redactBytes(bytes: Buffer, redactor: KeyRedactor): Chunked<Buffer> {
  const spans = yield* redactor.find(bytes.toString("latin1"));
  if (spans.length === 0) return bytes;
  const parts: Buffer[] = [];
  let end = 0;
  for (const span of spans) {
    parts.push(bytes.subarray(end, span.start), Buffer.from(span.placeholder));
    end = span.end;
  }
  return Buffer.concat([...parts, bytes.subarray(end)]);
}
