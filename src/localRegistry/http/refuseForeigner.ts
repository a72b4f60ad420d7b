import type { IncomingMessage } from "node:http";
import { type Answer, refused } from "./answer";

/**
 * Refuses what a web page could send: a Host that is not this machine's loopback (a name rebound to
 * 127.0.0.1 by its owner) and anything with an Origin. Undefined for everybody else.
 */
export function refuseForeigner(request: IncomingMessage, port: number): Answer | undefined {
  const host = request.headers.host?.toLowerCase() ?? "";
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (port === 80) own.push("127.0.0.1", "localhost");
  if (!own.includes(host)) {
    return refused(421, "This registry answers on 127.0.0.1 and localhost only.", "wrong_host");
  }
  if (request.headers.origin !== undefined) {
    return refused(403, "This registry does not answer web pages.", "web_page_refused");
  }
  return undefined;
}
