import { endingText } from "../../invocation/record/invocationLabels";
import type { InvocationRecord } from "../../invocation/record/invocationRecord";
import { type OutputReader, outcomeFacts } from "../../invocation/record/outputDocument";
import type { LongText } from "../../json/printJson";
import { prettyJsonChunked } from "../../json/printJson";
import type { Chunked } from "../../text/chunked";
import type { Language } from "../../text/language";
import type { Notice, NoticeAction } from "../../text/notice";
import { oneLine, revealHidden, upperFirst } from "../../text/plainText";
import type { Tone } from "../verification";

/** What became of an example that was invoked on its skill's page, as text with hidden characters escaped. */
export interface ExampleTrial {
  readonly kind: "running" | "ended" | "notSent";
  readonly tone: Tone;
  /** How it stands, in a word or two. */
  readonly word: string;
  /** Duration, cost, time and invocation ID, as far as they are known. */
  readonly facts: readonly string[];
  /** What happened and what to do; empty where the word says it all. */
  readonly message: string;
  /** What may help, at most three, the most helpful first. */
  readonly actions: readonly NoticeAction[];
  /** Undefined where there is none. */
  readonly output: LongText | undefined;
  /** Identifies the payload of a form that was invoked; left out for an example. */
  readonly payload?: string;
}

const nothing = { facts: [], message: "", actions: [], output: undefined } as const;

/** Describes an example that is in progress: sent, or still being checked and asked about. */
export function runningTrial(isSent: boolean, { t }: Language): ExampleTrial {
  return {
    ...nothing,
    kind: "running",
    tone: "neutral",
    word: isSent ? t("Running…") : t("Preparing…"),
  };
}

/**
 * Describes how the invocation of an example ended. `outputText` is its output as the registry returned it, without
 * credentials; what is longer than an example of the page is cut, like that.
 */
export function* endedTrial(
  record: InvocationRecord,
  outputText: string | undefined,
  reader: OutputReader,
): Chunked<ExampleTrial> {
  return {
    ...nothing,
    kind: "ended",
    tone: toneOf(record),
    word: upperFirst(endingText(record, reader.language)),
    facts: outcomeFacts(record, reader),
    output: outputText === undefined ? undefined : yield* shownOutput(outputText),
  };
}

/** Adds what a notice says to what is shown of an example; where nothing is, it was not sent. */
export function trialWithNotice(
  trial: ExampleTrial | undefined,
  notice: Notice,
  { t }: Language,
): ExampleTrial {
  const { severity, message, actions } = notice;
  const shown: ExampleTrial =
    trial?.kind === "ended"
      ? trial
      : {
          ...nothing,
          kind: "notSent",
          tone: severity === "error" ? "bad" : "caution",
          word: t("Not sent"),
        };
  const titled = actions.map(({ action, title }) => ({ action, title: oneLine(title, 100) }));
  return { ...shown, message: oneLine(message, maxMessage), actions: titled.slice(0, 3) };
}

/** As long as a notification's. */
const maxMessage = 500;

/** As long as an example of the page: more of them would make it slow. */
const maxOutput = 20_000;

function* shownOutput(outputText: string): Chunked<LongText> {
  const { text, whole } = yield* prettyJsonChunked(outputText, maxOutput);
  return { text: revealHidden(text), whole };
}

function toneOf({ status }: InvocationRecord): Tone {
  switch (status) {
    case "running":
      return "neutral";
    case "success":
      return "good";
    case "error":
    case "refused":
      return "bad";
    case "not executed":
    case "blocked":
    case "not sent":
    case "cancelled":
    case "outcome unknown":
      return "caution";
  }
}
