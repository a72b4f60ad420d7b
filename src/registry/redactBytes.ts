import { JsonTokens } from "../core/json/jsonTokens";
import { Token } from "../core/json/token";
import type { KeyRedactor, SecretSpan } from "../core/registry/redactSecrets";
import type { Chunked } from "../core/text/chunked";

/** Redacts keys in a body before it is parsed. Searches the bytes for every form of a key. */
export function* redactBytes(bytes: Buffer, redactor: KeyRedactor): Chunked<Buffer> {
  const text = bytes.toString("latin1");
  const spans = yield* redactor.find(text);
  if (spans.length === 0) return bytes;
  const parts: Buffer[] = [];
  let end = 0;
  for (const span of yield* wholeNumbers(text, spans)) {
    parts.push(bytes.subarray(end, span.start), Buffer.from(span.placeholder));
    end = span.end;
  }
  return Buffer.concat([...parts, bytes.subarray(end)]);
}

/** The number of tokens read between two pauses; they take a few milliseconds. */
const tokensAtOnce = 50_000;

/** Widens a span inside a number to the whole number, which becomes a string: the body stays valid JSON. */
function* wholeNumbers(text: string, spans: readonly SecretSpan[]): Chunked<readonly SecretSpan[]> {
  if (!spans.some(({ start }) => /\d/.test(text[start] ?? ""))) return spans;
  const found: SecretSpan[] = [];
  const tokens = new JsonTokens(text);
  let count = 0;
  let kind = tokens.next();
  for (const span of spans) {
    while (kind !== Token.end && tokens.end <= span.start) {
      kind = tokens.next();
      count += 1;
      if (count % tokensAtOnce === 0) yield;
    }
    const { start, end } = tokens;
    if (kind !== Token.number || span.start < start) found.push(span);
    else if (found.at(-1)?.end !== end) {
      found.push({ start, end: Math.max(end, span.end), placeholder: `"${span.placeholder}"` });
    }
  }
  return found;
}
