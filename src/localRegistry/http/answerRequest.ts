import type { IncomingMessage, ServerResponse } from "node:http";
import { findRoute, type Route } from "../routes/route";
import { type Answer, refused } from "./answer";
import { refuseForeigner } from "./refuseForeigner";
import { sendAnswer } from "./sendAnswer";

/** Answers a request by its route. Every request ends in an answer or with its caller gone. */
export async function answerRequest(
  routes: readonly Route[],
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    sendAnswer(message, response, await route(routes, message, gone.signal));
  } catch {
    if (gone.signal.aborted || response.headersSent) return void response.destroy();
    sendAnswer(message, response, refused(500, "The registry could not answer.", "internal_error"));
  }
}

function route(
  routes: readonly Route[],
  message: IncomingMessage,
  signal: AbortSignal,
): Answer | Promise<Answer> {
  const foreigner = refuseForeigner(message, message.socket.localPort ?? 0);
  if (foreigner !== undefined) return foreigner;
  const [path = "", ...query] = (message.url ?? "").split("?");
  const found = findRoute(routes, message.method ?? "", path);
  switch (found.kind) {
    case "none":
      return refused(404, "Not found.");
    case "wrongMethod":
      return refused(405, `This route answers ${found.allow}.`, undefined, { Allow: found.allow });
    case "found": {
      const { places } = found;
      const request = { places, query: new URLSearchParams(query.join("?")), message, signal };
      return found.route.answer(request);
    }
  }
}
