import type { Link } from "../../window/link";
import {
  check,
  invoke,
  type Method,
  open,
  readSkill,
  windowEnvironment,
} from "../../window/protocol";
import {
  type PayloadOfCommand,
  readCheckRequest,
  readInvokeRequest,
  readOpenRequest,
  readSkillRequest,
} from "../../window/requests";
import { type CommandParts, CommandServer } from "./commandServer";
import { serveAgents, type TerminalAgents } from "./serveAgents";

/** The maximum number of requests of one command at once. A run has fewer jobs. */
const maxRequests = 256;
/** The maximum number of payload characters of one command at once. */
const maxCharacters = 50_000_000;

/** Serves a command that proved to run in one of this window's terminals, until it ends. */
export function serveLink(
  link: Link,
  parts: CommandParts & { readonly agents: TerminalAgents },
): void {
  const server = new CommandServer(parts, link);
  const answer = answers(link);
  link.onRequest(windowEnvironment, () => server.windowEnvironment());
  answer(readSkill, readSkillRequest, (request) => server.readSkill(request));
  answer(check, readCheckRequest, (request, cancel) => server.check(request, cancel.signal));
  answer(open, readOpenRequest, (request, cancel) => server.open(request, cancel));
  answer(invoke, readInvokeRequest, (request, cancel) => server.invoke(request, cancel));
  serveAgents(link, parts.agents, parts.gate, answer);
}

/** Registers the answer to a kind of request. */
export type Answer = <Asked, Told>(
  method: Method<Asked, Told>,
  read: (value: unknown) => Asked | undefined,
  work: (asked: Asked, cancel: AbortController) => Promise<Told>,
) => void;

/**
 * Returns a function that registers the answer to a kind of request. An invalid request is an error, and so are too
 * many at once. An answer is canceled when the command cancels its request or is gone.
 */
function answers(link: Link): Answer {
  let [requests, characters] = [0, 0];
  return (method, read, work) => {
    link.onRequest(method, async (given, signal) => {
      const asked = read(given);
      if (asked === undefined) throw new Error("Not understood.");
      const length = lengthOf(asked);
      if (requests >= maxRequests || characters + length > maxCharacters) {
        throw new Error("Too much at once.");
      }
      requests += 1;
      characters += length;
      const cancel = new AbortController();
      const stop = () => cancel.abort();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      try {
        return await work(asked, cancel);
      } finally {
        requests -= 1;
        characters -= length;
        signal.removeEventListener("abort", stop);
      }
    });
  };
}

function lengthOf(asked: unknown): number {
  const { payload } = asked as { readonly payload?: PayloadOfCommand };
  if (payload === undefined) return 0;
  const { text, caseValues = {} } = payload;
  return Object.values(caseValues).reduce((sum, { length }) => sum + length, text.length);
}
