import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/jsonValue";
import { Refusal } from "./answer";

const maxBytes = 1024 * 1024;
/** Deeper bodies could use up the stack of whatever walks them. */
const maxDepth = 1000;

/** A request's body as text and as the JSON value it stands for; `{}` where it is not JSON. */
export interface Body {
  readonly text: string;
  readonly value: JsonValue;
  /** The value's members; none where it is no object. */
  readonly members: JsonObject;
}

/** Reads a body of at most 1 MiB. Throws a Refusal; rejects if the caller goes away meanwhile. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const text = (await readBytes(request)).toString("utf8");
  if (isTooDeep(text)) throw new Refusal(400, "Request body is nested too deeply.");
  const value = parse(text);
  return { text, value, members: isJsonObject(value) ? value : {} };
}

// What is not read here, the server discards once the answer is sent.
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => new Refusal(413, "Request body too large.");
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Counts brackets outside strings, without recursion. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return {};
  }
}
