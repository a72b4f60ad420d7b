import { errorCodeText } from "../invocation/errorCodes";
import { isOver, isWaiting, outcomeOf } from "../invocation/outcome";
import { notExecutedText, otherVersionText, replacedText } from "../invocation/outcomeNotice";
import { type Stop, stopText } from "../invocation/permission/question";
import { type InvocationRecord, isBilledKind } from "../invocation/record/invocationRecord";
import type { JsonObject, JsonValue } from "../json/jsonValue";
import { errorCount, type PayloadCheck, type PayloadProblem } from "../payload/payloadCheck";
import { projectKeyVariable } from "../registry/credential";
import { english, localize } from "../text/language";
import type { AgentRefusal, AgentRefusalCode } from "./gates/agentRefusal";
import { modelText } from "./modelText";

/** The result of a tool: one JSON object as text. An output in it keeps the spelling of the registry's response. */
export interface AgentResult {
  readonly text: string;
  /** Whether the tool failed. */
  readonly isError: boolean;
}

/** Creates a result from an object. */
export function resultOf(value: JsonObject, isError = false): AgentResult {
  return { text: JSON.stringify(value), isError };
}

/** Creates the result of an invocation that was not sent. */
export function refusalResult({ code, message, ...more }: AgentRefusal): AgentResult {
  return resultOf({ status: "notSent", code, message, ...(more as JsonObject) }, true);
}

/** The maximum number of output characters in a result. */
export const maxOutputLength = 20_000;
/** The maximum number of problems. A model fixes few at a time, and the next check finds the rest. */
const maxProblems = 20;

/**
 * Adds an output to a result: its own JSON text, or the start of that text as a string if it is longer than
 * `maxLength`.
 */
function withOutput(result: JsonObject, outputText: string, maxLength: number): string {
  if (outputText.length <= maxLength) {
    return `${JSON.stringify(result).slice(0, -1)},"output":${outputText}}`;
  }
  const cut = { shown: maxLength, total: outputText.length, more: "read_output" };
  return JSON.stringify({ ...result, outputText: truncated(outputText, maxLength), cut });
}

/** Truncates a text without splitting a surrogate pair. */
function truncated(text: string, length: number): string {
  const start = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start;
}

/** Describes a recorded invocation, with its output if it is known. */
export function recordResult(
  record: InvocationRecord,
  {
    outputText,
    remaining,
    retryAfterSeconds,
    isReplayed = false,
    isChanged = false,
    maxLength = maxOutputLength,
  }: ShownRecord,
): AgentResult {
  const { status, amountCents, currency, code, message, contractHash } = record;
  const isKept = outputText !== undefined || !outcomeOf(record).isSuccess;
  const replayed = isKept ? replayedText : `${replayedText} ${notKeptText}`;
  const facts: JsonObject = {
    status: isReplayed && outcomeOf(record).isSuccess ? "replayed" : status,
    recordId: record.id,
    ...given("invocationId", record.invocationId),
    skill: record.skillSlug,
    version: record.version,
    ...given("askedVersion", record.askedVersion),
    ...given("contractHash", contractHash),
    ...(isOver(record) && { durationMs: record.durationMs }),
    ...(amountCents !== undefined && {
      cost: { cents: amountCents, ...given("currency", currency) },
    }),
    ran: record.ran,
    ...given("reason", record.reason),
    ...(code !== undefined && { registryCode: modelText(code, 100) }),
    ...(message !== undefined && { registryMessage: modelText(message, 300) }),
    ...given("retryAfterSeconds", retryAfterSeconds),
    ...(remaining !== undefined && { left: remaining }),
    ...messageOf(
      isChanged ? changedText : undefined,
      endText(record),
      replacedText(record, english),
      isReplayed ? replayed : undefined,
    ),
  };
  const text =
    outputText === undefined ? JSON.stringify(facts) : withOutput(facts, outputText, maxLength);
  return { text, isError: isFailed(record) };
}

/** Describes a recorded invocation with a part of its output. `recordResult` includes the output from its start. */
export function partResult(
  record: InvocationRecord,
  { pointer, offset, text, maxLength }: ShownPart,
): AgentResult {
  const facts: JsonObject = {
    status: record.status,
    recordId: record.id,
    pointer,
    offset,
    ran: record.ran,
    ...messageOf(endText(record), replacedText(record, english)),
  };
  const isError = isFailed(record);
  if (offset === 0) return { text: withOutput(facts, text, maxLength), isError };
  const outputText = truncated(text.slice(offset), maxLength);
  const cut = { shown: offset + outputText.length, total: text.length };
  return resultOf({ ...facts, outputText, cut }, isError);
}

/** Joins the sentences that apply to the member `message`. */
function messageOf(...sentences: readonly (string | undefined)[]): JsonObject {
  const text = sentences.filter((sentence) => sentence !== undefined).join(" ");
  return given("message", text === "" ? undefined : text);
}

function isFailed(record: InvocationRecord): boolean {
  return isOver(record) && !outcomeOf(record).isSuccess;
}

/** Additional facts about a record in a result. */
export interface ShownRecord {
  readonly outputText?: string | undefined;
  /** The remaining limits; undefined if unknown. */
  readonly remaining?: JsonObject | undefined;
  /** How long the rate limit delays the next invocation. */
  readonly retryAfterSeconds?: number | undefined;
  /** Whether nothing was sent because an equal invocation exists. */
  readonly isReplayed?: boolean;
  /** Whether a person changed the payload before it was sent. */
  readonly isChanged?: boolean;
  readonly maxLength?: number;
}

/** A part of an output: the JSON text of the value at `pointer`, from the character `offset` on. */
interface ShownPart {
  readonly pointer: string;
  readonly offset: number;
  readonly text: string;
  readonly maxLength: number;
}

const changedText = "The user changed the payload before it was sent.";
const replayedText = "The same invocation was made before. Nothing was sent; this is its result.";
const notKeptText =
  "Its output was not kept: the user's settings keep no outputs, or not that long.";

/**
 * Describes in our own words how an invocation ended. The registry's message is only data, since it could instruct a
 * model.
 */
function endText(record: InvocationRecord): string | undefined {
  const { status, skillSlug, code } = record;
  const mayCost = isBilledKind(record);
  if (isWaiting(record)) {
    return "The registry accepted it and has no result yet. Do not invoke it again; tell the user its invocation ID.";
  }
  if (status === "not executed")
    return notExecutedText(skillSlug, mayCost && record.amountCents !== 0, english);
  const otherVersion = otherVersionText(record, english);
  if (otherVersion !== undefined) return `${otherVersion} Tell the user.`;
  switch (status) {
    case "running":
      return "Still running. Call read_output with this recordId; do not invoke again.";
    case "outcome unknown": {
      const mayHave = mayCost ? "may have run and may be billed" : "may have run";
      return `It was sent, and its outcome is unknown: it ${mayHave}. Do not repeat it; tell the user.`;
    }
    case "blocked":
    case "refused": {
      const reason = errorCodeText(code);
      return reason && `${skillSlug} was not run: ${localize(reason, english)}`;
    }
    default:
      return undefined;
  }
}

/** Converts the reason for not sending an invocation, which can concern any caller, to an agent's refusal. */
export function refusalOf(skill: string, stop: Stop): AgentRefusal & { problems?: JsonValue } {
  const { message, detail } = stopText(skill, stop, english);
  const refused = (code: AgentRefusalCode, next?: string) => ({
    code,
    message: modelText([message, ...detail].join(" "), 1000),
    ...(next !== undefined && { next }),
  });
  switch (stop.kind) {
    case "agent":
      return stop.refusal;
    case "invalid":
      return { ...refused("payloadInvalid", checkFirst), problems: problemsOf(stop.check) };
    case "noLongerValid":
      return refused("payloadInvalid", "Call inspect_skill again.");
    case "termsUnknown":
      return refused(
        stop.failure.kind === "notFound" ? "contractMissing" : "registryUnreachable",
        "Try again later.",
      );
    case "otherVersion":
    case "changed":
      return refused("contractChanged", "Call inspect_skill again.");
    case "notCallable":
      return refused("notCallable");
    case "price":
      return refused("spendingLimit");
    case "noSender":
      return refused("missingProjectKey", setKey);
    case "notRecorded":
      return refused(
        "recordFailed",
        "Tell the user that the record of invocations cannot be kept.",
      );
    case "canceled":
    case "registryChanged":
    case "earlier":
    case "atWindow":
      return refused("canceled");
    case "declined":
      return declined(stop, refused);
  }
}

const setKey = `Ask the user to run “Skill Registry: Project Key…” in the editor, or to start this server with ${projectKeyVariable}, as skill-registry agents setup shows.`;
const checkFirst = "Correct the payload and call check_payload.";

function declined(
  { question }: Extract<Stop, { readonly kind: "declined" }>,
  refused: (code: AgentRefusalCode, next?: string) => AgentRefusal,
): AgentRefusal & { problems?: JsonValue } {
  switch (question.kind) {
    case "unchecked":
      return errorCount(question.check) > 0
        ? { ...refused("payloadInvalid", checkFirst), problems: problemsOf(question.check) }
        : refused("payloadUnchecked", "Ask the user to invoke it.");
    case "secrets":
      return {
        ...refused("payloadHasSecret", "Take the credential out of the payload."),
        problems: problemsOf(question.check),
      };
    case "notExpectedToRun":
      return refused("notCallable", "Ask the user to invoke it, to see whether it runs by now.");
    case "unreviewed":
      return refused("reviewObjects", "Ask the user to have the skill reviewed.");
    case "dailyLimit":
    case "uncounted":
      return refused("spendingLimit");
    case "rateLimit":
      return {
        ...refused("rateLimited", "Wait before you try again."),
        retryAfterSeconds: question.seconds,
      };
    case "terms":
    case "agentCall":
    case "inProgress":
      return refused("declined");
  }
}

/** Lists the problems of a payload, each with the data for a fix. */
export function problemsOf({ problems }: PayloadCheck): JsonValue {
  return problems
    .filter(({ severity, code }) => severity === "error" || code === "secret")
    .slice(0, maxProblems)
    .map(({ pointer, code, message, data, isOptionalNull }) => {
      const fixes = [
        ...(isOptionalNull === true ? ["Leave the property out."] : []),
        ...fixOf(data),
      ];
      return {
        pointer,
        keyword: code,
        message: modelText(message, 400),
        ...(fixes.length > 0 && { fix: fixes.join(" Or: ") }),
      };
    });
}

function fixOf(data: PayloadProblem["data"]): readonly string[] {
  switch (data?.kind) {
    case "missingProperty":
      return [`Add the property ${JSON.stringify(data.name)}.`];
    case "unknownProperty":
      return [
        data.didYouMean === undefined
          ? "Remove it."
          : `Rename it to ${JSON.stringify(data.didYouMean)}.`,
      ];
    case "wrongType":
      return [`Use ${data.expected.join(" or ")}.`];
    case "allowedValues":
      return [`Use one of ${data.values.slice(0, maxProblems).join(", ")}.`];
    case "repeatedItem":
    case "credential":
      return ["Remove it."];
    default:
      return [];
  }
}

function given(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
