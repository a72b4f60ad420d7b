import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type JsonObject, type JsonValue, parsedJson } from "../core/json/jsonValue";

/** Responds to a request by its route. Every request gets a response, unless its caller is gone. */
export async function handleRequest(
  routes: readonly Route[],
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  try {
    send(message, response, await answerOf(routes, message, disconnected.signal));
  } catch (error) {
    if (disconnected.signal.aborted || response.headersSent) return void response.destroy();
    const failed = refused(500, "The registry could not answer.");
    send(message, response, error instanceof Refusal ? error.answer : failed);
  }
}

async function answerOf(
  routes: readonly Route[],
  message: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  const rejection = rejectCrossOrigin(message);
  if (rejection !== undefined) return rejection;
  const [path = "", ...query] = (message.url ?? "").split("?");
  const match = findRoute(routes, message.method ?? "", path);
  if (match === undefined) return { status: 404, body: "404 Not Found" };
  const hasBody = match.route.method !== "GET";
  return match.route.answer({
    params: match.params,
    query: new URLSearchParams(query.join("?")),
    authorization: message.headers.authorization,
    body: hasBody ? await readBody(message) : { text: "", value: {}, members: {} },
    signal,
  });
}

/**
 * Rejects requests that a web page could send: any with an Origin, or with a Host other than this machine's loopback,
 * since a foreign domain can be rebound to 127.0.0.1.
 */
function rejectCrossOrigin({ headers, socket }: IncomingMessage): Answer | undefined {
  const port = socket.localPort ?? 0;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (port === 80) own.push("127.0.0.1", "localhost");
  if (!own.includes(headers.host?.toLowerCase() ?? "")) {
    return refused(421, "This registry answers on 127.0.0.1 and localhost only.", "wrong_host");
  }
  if (headers.origin !== undefined) {
    return refused(403, "This registry does not answer web pages.", "web_page_refused");
  }
  return undefined;
}

/** Sends a response. A public GET whose body the client already has (If-None-Match) gets a 304. */
function send(message: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
  const isText = typeof body === "string";
  const text = Buffer.from(body === undefined ? "" : isText ? body : JSON.stringify(body));
  const isRead = message.method === "GET" || message.method === "HEAD";
  const cacheable = status === 200 && isRead && message.headers.authorization === undefined;
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Cache-Control", cacheable ? "no-cache" : "no-store");
  if (cacheable) {
    const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    response.setHeader("ETag", etag);
    if (matches(message.headers["if-none-match"], etag)) return void response.writeHead(304).end();
  }
  if (body !== undefined) {
    const type = isText ? "text/plain" : "application/json";
    response.setHeader("Content-Type", `${type}; charset=utf-8`);
  }
  response.writeHead(status, { "Content-Length": text.byteLength });
  response.end(text);
}

// If-None-Match uses weak comparison: ignore a W/ before the tag (RFC 9110, 13.1.2).
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

/** The public gateway's limit: 1 MiB. */
const maxBytes = 1024 * 1024;
/** Deeper bodies could overflow the stack of recursive code. */
const maxDepth = 1000;

/** A request's body as text and as parsed JSON; `{}` if it is not JSON. */
export interface Body {
  readonly text: string;
  readonly value: JsonValue;
  /** The value's members; empty if it is not an object. */
  readonly members: JsonObject;
}

/** Reads a body of at most 1 MiB. Throws a Refusal; rejects if the caller disconnects. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const text = (await readBytes(request)).toString("utf8");
  if (isTooDeep(text)) throw new Refusal(400, "Request body is nested too deeply.");
  const parsed = parsedJson(text);
  const value = parsed === undefined ? {} : parsed;
  return { text, value, members: isJsonObject(value) ? value : {} };
}

// The server discards the unread rest after sending the response.
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

/** Returns whether a text is nested too deeply. Counts brackets outside strings, without recursion. */
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

/** A request with its route matched. */
export interface RouteRequest {
  /** The values of the path's parameters, such as the slug. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  /** `{}` for a GET. */
  readonly body: Body;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** A method, a path with {parameters}, and a handler. GET also responds to HEAD. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly answer: (request: RouteRequest) => Answer | Promise<Answer>;
}

/** Finds the first matching route and the values of its parameters. */
function findRoute(routes: readonly Route[], method: string, path: string) {
  const wanted = method === "HEAD" ? "GET" : method;
  for (const route of routes) {
    const params = route.method === wanted ? matchPath(route.path, path) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== text) return undefined;
    if (name !== undefined) params[name] = decode(text);
  }
  return params;
}

// Keep a malformed %-sequence as it is: it matches nothing.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the token of `Authorization: Bearer …`, spelled exactly like this; undefined for none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/.exec(authorization?.trim() ?? "")?.[1];
}

/** The response of a route: a status and a JSON body. A string is sent as text; undefined sends no body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Responds 200 with a body. */
export function okAnswer(body: unknown): Answer {
  return { status: 200, body };
}

/** Responds with an error text of the gateway, and its code if it sends one. */
export function refused(status: number, error: string, code?: string): Answer {
  return { status, body: code === undefined ? { error } : { error, code } };
}

/** Thrown to end a request with this response. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: string, code?: string) {
    super(error);
    this.answer = refused(status, error, code);
  }
}
