import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { uncheckedQuestion } from "../../core/invocation/permission/payloadQuestions";
import { type Question, type Stop, stopText } from "../../core/invocation/permission/question";
import { english } from "../../core/text/language";
import type { DialogQuestion } from "../../core/text/notice";
import { oneLine } from "../../core/text/plainText";
import type { Terminal } from "../terminal";

/** Environment variables of shells that agents start. */
const agentVariables = [
  "AI_AGENT",
  "AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
];

/**
 * Returns the function that reads a person's answers. Undefined if nobody is at the terminal, or if an agent started
 * the command and would answer in a person's place.
 */
export function personAt(terminal: Terminal): Terminal["readLine"] {
  return agentIn(terminal) === undefined ? terminal.readLine : undefined;
}

/** Like `personAt`, but throws a `CommandError` without a person. */
export function requirePerson(terminal: Terminal): NonNullable<Terminal["readLine"]> {
  const readLine = personAt(terminal);
  if (readLine !== undefined) return readLine;
  const byAgent = agentIn(terminal);
  throw new CommandError(
    byAgent === undefined
      ? "A person has to decide this at a terminal."
      : `A person has to decide this in a terminal of their own: ${byAgent} says that an agent runs this one.`,
  );
}

function agentIn({ env }: Terminal): string | undefined {
  return agentVariables.find((name) => (env[name] ?? "") !== "");
}

/** Asks a person the questions of a command, one after the other. */
export interface Questions {
  /** Asks about an invocation of `skill`. Resolves to false if nobody can answer any more. */
  readonly ask: (skill: string, question: Question) => Promise<boolean>;
  /** Asks about something else, even after questions about invocations ended. Resolves to false as `ask` does. */
  readonly confirm: (where: string, question: DialogQuestion) => Promise<boolean>;
  /**
   * Declines all later questions about invocations. Otherwise, every invocation in progress would wait until somebody
   * comes back.
   */
  readonly close: () => void;
  /**
   * Asks whether to send the listed invocations, but only if other questions were asked before, or if the plan `isPartial`
   * and there is a person. Throws a `CommandError` after a no.
   */
  readonly confirmPlan: (isPartial?: boolean) => Promise<void>;
  /** Returns the error that ends the command after a question was declined; undefined if none was. */
  readonly refusal: () => CommandError | undefined;
}

/** Creates the questions to the person at the terminal. Without a person, `ask` and `confirm` resolve to false. */
export function questionsAt(terminal: Terminal): Questions {
  const { err, signal } = terminal;
  const readLine = personAt(terminal);
  let isClosed = false;
  let isAsked = false;
  let isDeclined = false;
  const askYesNo = async (prompt: string) => {
    isAsked = true;
    err(`${prompt} (y/N) `);
    const isYes = /^y(es)?$/i.test(((await readLine?.(signal)) ?? "").trim());
    // After Ctrl+C the cursor is still behind the question.
    if (signal.aborted) err("\n");
    isDeclined = !isYes || signal.aborted;
    return !isDeclined;
  };
  const refusal = () => {
    if (!isDeclined) return undefined;
    return signal.aborted
      ? new CommandError("Canceled.", exitCodes.unknown)
      : new CommandError("Nothing was sent.", exitCodes.findings);
  };
  return {
    ask: async (skill, question) => {
      if (readLine === undefined || isClosed || signal.aborted) return false;
      const { prompt, detail } = questionText(skill, question);
      for (const line of detail) err(`${oneLine(line, 500)}\n`);
      return askYesNo(oneLine(prompt, 500));
    },
    confirm: async (where, { message, detail }) => {
      if (readLine === undefined || signal.aborted) return false;
      for (const line of detail) err(`${oneLine(line, 500)}\n`);
      return askYesNo(oneLine(`${where}: ${message}`, 500));
    },
    close: () => {
      isClosed = true;
    },
    confirmPlan: async (isPartial = false) => {
      const isToAsk = isAsked || (isPartial && readLine !== undefined);
      if (!isToAsk || (await askYesNo("Send them?"))) return;
      throw refusal();
    },
    refusal,
  };
}

const prompts: Readonly<Partial<Record<Question["kind"], string>>> = {
  secrets: "The payload appears to contain a credential. Send it anyway?",
  dailyLimit: "Send it anyway?",
  uncounted: "Send it without counting it?",
  inProgress: "This payload is already being invoked. Send it twice?",
};

function questionText(skill: string, question: Question) {
  if ("text" in question) {
    return { prompt: question.text.message, detail: question.text.detail };
  }
  const declined: Stop = { kind: "declined", question };
  const { message, detail } = stopText(skill, declined, english);
  const prompt =
    question.kind === "unchecked"
      ? uncheckedQuestion(question.check, english).message
      : prompts[question.kind];
  return { prompt: prompt ?? message, detail };
}
