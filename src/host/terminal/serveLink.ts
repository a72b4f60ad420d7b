import { type GenericRequestHandler, type RequestType, ResponseError } from "vscode-jsonrpc/node";
import type { Link } from "../../window/link";
import { check, invoke, open, place, readSkill } from "../../window/protocol";
import {
  readCheckRequest,
  readInvokeRequest,
  readOpenRequest,
  readSkillRequest,
} from "../../window/requests";
import { type CommandParts, CommandServer } from "./commandServer";
import { serveAgents, type TerminalAgents } from "./serveAgents";

/** As many requests of one command at once; a person chose fewer jobs. */
const maxRequests = 256;
/** Characters of payloads of one command at once. */
const maxCharacters = 50_000_000;

/** Serves a command that proved to be one of this window's terminals, until it ends. */
export function serveLink(
  link: Link,
  parts: CommandParts & { readonly agents: TerminalAgents },
): void {
  const { connection } = link;
  const server = new CommandServer(parts, link);
  const answer = answers(link);
  connection.onRequest(place, () => server.place());
  answer(readSkill, readSkillRequest, (one) => server.readSkill(one));
  answer(check, readCheckRequest, (one, cancel) => server.check(one, cancel.signal));
  answer(open, readOpenRequest, (one, cancel) => server.open(one, cancel));
  answer(invoke, readInvokeRequest, (one, cancel) => server.invoke(one, cancel));
  serveAgents(link, parts.agents, parts.gate, answer);
}

/** Registers the answer to a kind of request. */
export type Answer = <Asked, Told>(
  type: RequestType<Asked, Told, void>,
  read: (value: unknown) => Asked | undefined,
  work: (asked: Asked, cancel: AbortController) => Promise<Told>,
) => void;

/**
 * Returns what registers the answer to a kind of request: what it is not is an error, and so is more at once than a
 * command has. The answer is canceled where the command cancels its request, or is gone.
 */
function answers({ connection, closed }: Link): Answer {
  let [requests, characters] = [0, 0];
  return (type, read, work) => {
    const handle: GenericRequestHandler<unknown, void> = async (given: unknown, token) => {
      const asked = read(given);
      if (asked === undefined) throw new ResponseError(invalidParams, "Not understood.");
      const length = lengthOf(asked);
      if (requests >= maxRequests || characters + length > maxCharacters) {
        throw new ResponseError(busy, "Too much at once.");
      }
      const cancel = new AbortController();
      const stop = () => cancel.abort();
      const canceled = token.onCancellationRequested(stop);
      closed.addEventListener("abort", stop, { once: true });
      if (closed.aborted || token.isCancellationRequested) stop();
      requests += 1;
      characters += length;
      try {
        return await work(asked, cancel);
      } finally {
        requests -= 1;
        characters -= length;
        canceled.dispose();
        closed.removeEventListener("abort", stop);
      }
    };
    connection.onRequest(type.method, handle);
  };
}

const invalidParams = -32602;
const busy = -32000;

function lengthOf(asked: unknown): number {
  const { payload } = asked as { readonly payload?: { readonly text?: string } };
  return payload?.text?.length ?? 0;
}
