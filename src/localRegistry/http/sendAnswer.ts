import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answer";

/** Writes an answer as JSON. A GET or HEAD that has the body already (If-None-Match) gets a 304. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers = {} }: Answer,
): void {
  const text = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const cacheable = status === 200 && (request.method === "GET" || request.method === "HEAD");
  response.setHeader("Cache-Control", cacheable ? "no-cache" : "no-store");
  if (cacheable) {
    const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    response.setHeader("ETag", etag);
    if (matches(request.headers["if-none-match"], etag)) {
      response.writeHead(304).end();
      return;
    }
  }
  if (body !== undefined) response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.writeHead(status, { "Content-Length": text.byteLength });
  response.end(text);
}

// If-None-Match compares weakly: a W/ before the tag makes no difference (RFC 9110, 13.1.2).
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
