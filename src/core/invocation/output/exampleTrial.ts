import { pointerSteps } from "../../json/jsonPointer";
import type { JsonValue } from "../../json/jsonValue";
import { type LongText, prettyJsonChunked } from "../../json/printJson";
import type { Tone } from "../../skill/verification";
import type { Chunked } from "../../text/chunked";
import { type Language, sizeText } from "../../text/language";
import type { Notice, NoticeAction } from "../../text/notice";
import { oneLine, revealHidden, shortened, upperFirst } from "../../text/plainText";
import { endingText } from "../record/invocationLabels";
import type { InvocationRecord } from "../record/invocationRecord";
import { type OutputReader, outcomeFacts } from "../record/outputDocument";
import { type OutputPart, outputParts } from "./outputParts";

/** The result of an example that was invoked on its skill's page, as text with hidden characters escaped. */
export interface ExampleTrial {
  readonly kind: "running" | "ended" | "notSent";
  readonly tone: Tone;
  /** The status in a word or two. */
  readonly word: string;
  /** Duration, cost, time and invocation ID, as far as known. */
  readonly facts: readonly string[];
  /** What happened and what to do; empty if `word` is enough. */
  readonly message: string;
  /** At most three actions that may help, the most helpful first. */
  readonly actions: readonly NoticeAction[];
  /** Undefined without an output. */
  readonly output: LongText | undefined;
  /** At most eight strings of the output, each shown separately. */
  readonly parts: readonly TrialPart[];
  /** The number of further strings in the output. */
  readonly moreParts: number;
  /** Identifies the payload of a form that was invoked; left out for an example. */
  readonly payload?: string;
  /** Set if no record has the invocation, so that nothing can refer to it. */
  readonly isUnrecorded?: true;
}

/** An image, a text or a file in an output. */
export interface TrialPart {
  /** The path of the string in the output; empty for the output itself. */
  readonly name: string;
  /** The string's type and size. */
  readonly facts: readonly string[];
  /** Left out for an image, and for a file that no page shows. */
  readonly text?: LongText;
  readonly image?: TrialImage;
}

/** An image that the page contains itself. Sizes are in points. */
interface TrialImage {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

const emptyTrial = {
  facts: [],
  message: "",
  actions: [],
  output: undefined,
  parts: [],
  moreParts: 0,
} as const;

/** Describes an example that is in progress: being checked, waiting for an answer, or sent. */
export function runningTrial(isSent: boolean, { t }: Language): ExampleTrial {
  return {
    ...emptyTrial,
    kind: "running",
    tone: "neutral",
    word: isSent ? t("Running…") : t("Preparing…"),
  };
}

/**
 * Describes how the invocation of an example ended. `outputText` is the output as the registry returned it, without
 * credentials; it is cut at the length of an example on the page. `schema` may declare its parts.
 */
export function* endedTrial(
  record: InvocationRecord,
  outputText: string | undefined,
  reader: OutputReader,
  schema?: JsonValue,
): Chunked<ExampleTrial> {
  const parts = outputText === undefined ? [] : outputParts(outputText, schema);
  return {
    ...emptyTrial,
    kind: "ended",
    tone: toneOf(record),
    word: upperFirst(endingText(record, reader.language)),
    facts: outcomeFacts(record, reader),
    output: outputText === undefined ? undefined : yield* shownOutput(outputText),
    parts: shownParts(parts.slice(0, maxParts), reader.language),
    moreParts: Math.max(0, parts.length - maxParts),
  };
}

/** Adds a notice to the result of an example. An example without a result is shown as not sent. */
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
          ...emptyTrial,
          kind: "notSent",
          tone: severity === "error" ? "bad" : "caution",
          word: t("Not sent"),
        };
  const titled = actions.map(({ action, title }) => ({ action, title: oneLine(title, 100) }));
  return { ...shown, message: oneLine(message, maxMessage), actions: titled.slice(0, 3) };
}

/** The limit is that of a notification. */
const maxMessage = 500;

/** The limit of an example on the page. Longer texts would make the page slow. */
const maxOutput = 20_000;

/** The maximum number of separately shown strings. The output contains the others. */
const maxParts = 8;
/** The maximum number of characters of all images, since each message about the invocation contains them. */
const maxImages = 4_000_000;
/** The maximum number of characters of all texts together. */
const maxTexts = 60_000;

function shownParts(parts: readonly OutputPart[], language: Language): TrialPart[] {
  let [imagesLeft, textsLeft] = [maxImages, maxTexts];
  return parts.map(({ pointer, content }): TrialPart => {
    const name = revealHidden(oneLine(pointerSteps(pointer).join(" › "), 100));
    if (content.kind === "text") {
      const count = content.text.length;
      const facts = [language.t("{count} characters", { count })];
      const start = shortened(content.text, Math.min(maxOutput, textsLeft));
      textsLeft -= start.length;
      return { name, facts, text: { text: revealHidden(start), whole: start === content.text } };
    }
    const { mediaType, base64, bytes } = content;
    const size = sizeText(bytes, language);
    if (content.kind === "file" || base64.length > imagesLeft) {
      return { name, facts: [oneLine(mediaType, 100), size] };
    }
    imagesLeft -= base64.length;
    const { width, height } = content;
    const image = { src: `data:${mediaType};base64,${base64}`, width, height };
    return { name, facts: [mediaType, `${width} × ${height}`, size], image };
  });
}

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
