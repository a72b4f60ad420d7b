import { isRejectionExpected, type Question } from "../../core/invocation/permission/question";
import { waitText } from "../../core/invocation/rateLimit";
import { errorCount } from "../../core/payload/payloadCheck";
import { localDay } from "../../core/text/dates";
import { english } from "../../core/text/language";
import type { Asker } from "../../engine/asker";
import type { Terminal } from "../terminal";
import type { Allowances } from "./cliEngine";
import { personAt, type Questions } from "./person";

interface CommandAsker extends Asker {
  /**
   * Returns whether an option or a person allowed sending an invocation that the registry is not expected to execute.
   */
  readonly allowsUnexecuted: () => boolean;
}

/**
 * Creates an asker that answers by the options of a command, and asks the person at the terminal about everything else.
 * Terms that this person agreed to in the editor count too; one message mentions them. `waits` decides whether to wait
 * for the rate limit and for the same payload; `events` receives the progress.
 */
export function askerByOptions(
  allowed: Allowances,
  terminal: Terminal,
  questions: Questions,
  slug: string,
  waits: Pick<Asker["answers"], "rateLimit"> & Partial<Pick<Asker["answers"], "inProgress">>,
  events: Partial<Pick<Asker, "waiting" | "started">> = {},
): CommandAsker {
  const by = (isAllowed: boolean) => async (question: Question) =>
    isAllowed || (await questions.ask(slug, question)) ? "yes" : "no";
  const anyPayload = by(allowed.unchecked);
  let allowsUnexecuted = allowed.unexecuted;
  let isMentioned = false;
  return {
    isPerson: personAt(terminal) !== undefined,
    answers: {
      unchecked: async (question) =>
        errorCount(question.check) === 0 ? anyPayload(question) : "no",
      secrets: by(allowed.secrets),
      notExpectedToRun: async (question) => {
        if (isRejectionExpected(question) || allowsUnexecuted) return "yes";
        // A batch asks only once, so the answer holds for all its invocations.
        allowsUnexecuted = await questions.ask(slug, question);
        return allowsUnexecuted ? "yes" : "no";
      },
      unreviewed: by(allowed.unreviewed),
      // An answer holds for this command only, like --yes: a script may have typed the answer.
      terms: async (question) =>
        allowed.terms || (await questions.ask(slug, question)) ? "once" : "no",
      dailyLimit: by(allowed.dailyLimit),
      uncounted: by(allowed.dailyLimit),
      agentCall: () => "noPerson",
      inProgress: by(allowed.inProgress),
      ...waits,
    },
    agreedBefore: ({ skillSlug, at }) => {
      if (isMentioned || allowed.terms) return;
      isMentioned = true;
      terminal.err(`You agreed to the terms of ${skillSlug} in the editor on ${localDay(at)}.\n`);
    },
    waiting: () => undefined,
    started: () => undefined,
    ended: () => undefined,
    ...events,
    allowsUnexecuted: () => allowsUnexecuted,
  };
}

/**
 * Creates the answers of a command that waits for the rate limit, and for the same payload if it is in progress.
 * Mentions a wait once, even if several invocations wait.
 */
export function waitingAnswers(
  say: (message: string) => void,
): Pick<Asker["answers"], "inProgress" | "rateLimit"> {
  let until = 0;
  let isSaid = false;
  return {
    inProgress: () => {
      if (!isSaid) say("This payload is already being invoked. Waiting until that has ended.");
      isSaid = true;
      return "later";
    },
    rateLimit: ({ seconds }) => {
      const end = performance.now() + seconds * 1000;
      if (end > until + 1000) {
        say(`Rate limit reached. Waiting ${waitText(seconds, english)}.`);
        until = end;
      }
      return "later";
    },
  };
}
