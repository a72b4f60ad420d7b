import { invocationEvent } from "../core/audit/auditEvent";
import type { InvocationOutcome } from "../core/invocation/invocation";
import { outcomeOf } from "../core/invocation/outcome";
import {
  type EndedInvocation,
  finishedRecord,
  type InvocationRecord,
  type InvocationTexts,
} from "../core/invocation/record/invocationRecord";
import {
  longestShownOutput,
  openOutputLabel,
  outputBlock,
} from "../core/invocation/record/outputBlock";
import { prettyJson } from "../core/json/printJson";
import { oneLine } from "../core/text/plainText";
import type { TestRunTarget } from "../registry/registryClient";
import { settled } from "../registry/wait";
import type { Asker } from "./asker";
import type { AuditTrail } from "./audit/auditExport";
import type { Started } from "./gates/start";
import type { InvocationHistory } from "./record/invocationHistory";
import { sha256, sha256Async } from "./sha256";

/** The log that people read. */
interface InvocationLog {
  /** Writes the block of an ended invocation. */
  readonly write: (block: string) => void;
  readonly noteFailure: (text: string, severity?: "warning" | "error") => void;
}

/** Decides whether payloads and outputs are stored with the record. */
interface TextKeeping {
  /** Returns whether payloads and outputs of a registry may be stored; undefined if nobody was asked yet. */
  readonly mayKeep: (registry: string) => boolean | undefined;
  /** Asks whether to store texts. Nothing waits for the answer. */
  readonly ask: (registry: string) => Promise<boolean>;
}

/** The outputs for an invocation: the record, the log and the audit export. */
export interface InvocationTraces {
  readonly history: InvocationHistory;
  readonly channels: InvocationLog;
  readonly keeping: TextKeeping;
  readonly audit: AuditTrail;
}

/** The sender of an invocation: a project with its key, or a signed-in user with a test run. */
export type Sender =
  | { readonly kind: "projectKey"; readonly key: string }
  | { readonly kind: "testRun"; readonly target: TestRunTarget };

/** A started invocation, with everything needed to send it. */
export interface ReadyInvocation extends Omit<Started, "kind"> {
  /** Whether duplicates stay blocked for a moment after the end, because a double click would send one. */
  readonly awaitsSecondClick: boolean;
  /** Called right before sending. Returns false if the agreement expired while the invocation was recorded. */
  readonly maySend: () => boolean;
  readonly started: Asker["started"];
  readonly ended: Asker["ended"];
}

/**
 * The maximum number of characters of an output in the output channel, which highlights them as they arrive. The
 * document of the invocation has all.
 */
const maxShownOutput = 100_000;
/** How long a canceled invocation still waits for its record, in milliseconds. A healthy disk needs less. */
const graceMs = 20;
const tooLate: InvocationOutcome = { kind: "notSent", failure: { kind: "outdated" } };

/**
 * Sends one invocation once, writes its block to the output channel, and records its end. Rejects only if `started` or
 * `ended` does. Canceling takes effect immediately, even with a slow disk: the rest completes in the background.
 */
export async function sendInvocation(
  ready: ReadyInvocation,
  traces: InvocationTraces,
  signal: AbortSignal,
): Promise<EndedInvocation> {
  const { record: running } = ready;
  const { history, audit } = traces;
  await ready.started(running);
  // The start is recorded first. If this program dies, another one exports the invocation with an unknown outcome.
  await settled(audit.note(invocationEvent(running)), signal);
  const outcome = ready.maySend() ? await sendOnce(ready, traces, signal) : tooLate;
  const record = finishedRecord(running, outcome);
  history.ending(record);
  let waitSeconds = 0;
  // The end is recorded before the handler runs, so that a failing handler loses nothing.
  const finished = finish(ready, traces, { outcome, record });
  ready.ended(record, outcome);
  await settled(
    finished.then((seconds) => {
      waitSeconds = seconds;
    }),
    signal,
    graceMs,
  );
  return { outcome, record, waitSeconds };
}

/**
 * Sends the invocation. An exception is a bug of ours, but the request may have been sent. The outcome is then unknown,
 * so that the record does not wait for an end that never comes.
 */
async function sendOnce(
  { registry, invocation, sending: { sender } }: ReadyInvocation,
  { channels }: InvocationTraces,
  signal: AbortSignal,
): Promise<InvocationOutcome> {
  const started = performance.now();
  try {
    return sender.kind === "projectKey"
      ? await registry.client.invoke(invocation, sender.key, signal)
      : await registry.client.testRun(invocation, sender.target, signal);
  } catch (error) {
    const durationMs = Math.ceil(performance.now() - started);
    noteUnexpected(channels, sender, error);
    return {
      kind: "outcomeUnknown",
      failure: { kind: "unreadable", route: routeOf(sender), field: "" },
      durationMs,
    };
  }
}

function routeOf(sender: Sender): string {
  return sender.kind === "projectKey"
    ? "/v1/runtime/invoke"
    : `/v1/projects/${sender.target.project}/runtime/test`;
}

async function finish(
  ready: ReadyInvocation,
  traces: InvocationTraces,
  { outcome, record }: Omit<EndedInvocation, "waitSeconds">,
): Promise<number> {
  const { registry, sending, inputText } = ready;
  const { history, channels, keeping, audit } = traces;
  const { sender, scope } = sending;
  const outputText = outputOf(outcome);
  const texts = outputText === undefined ? { inputText } : { inputText, outputText };
  const whole = await withDigest(record, texts);
  const keepTexts = keeping.mayKeep(record.registry);
  const ended = {
    ...{ record: whole, texts, scope, outcome: withoutOutput(outcome) },
    awaitsSecondClick: ready.awaitsSecondClick && endOf(outcome) === "done",
  };
  const recorded = history.end(ended, keepTexts === true);
  const noted = audit.note(invocationEvent(whole));
  try {
    channels.write(outputBlock(whole, shownOutput(outputText)));
    noteFailure(channels, `${registry.baseUrl}${routeOf(sender)}`, whole);
  } catch (error) {
    // The editor closes channels before a window has ended. The record is written anyway.
    noteUnexpected(channels, sender, error);
  }
  // Without an output, nobody is asked whether to store texts.
  if (keepTexts === undefined && outputText !== undefined) void askToKeep(traces, whole, recorded);
  const [waitMs] = await Promise.all([recorded, noted]);
  return Math.ceil(waitMs / 1000);
}

/** How an invocation ended: it was not sent, the user canceled it after sending, or it completed. */
export type InvocationResult = "notSent" | "cancelled" | "done";

/** Returns how an invocation ended, from its outcome. */
export function endOf(outcome: InvocationOutcome): InvocationResult {
  if (outcome.kind === "notSent") return "notSent";
  const isCancelled = outcome.kind === "outcomeUnknown" && outcome.failure.kind === "cancelled";
  return isCancelled ? "cancelled" : "done";
}

/** Removes the output, which may be long, because the rate limit does not need it. */
function withoutOutput(outcome: InvocationOutcome): InvocationOutcome {
  return "outputText" in outcome ? { ...outcome, outputText: "" } : outcome;
}

/** Logs an exception, if the log still exists. */
function noteUnexpected(channels: InvocationLog, sender: Sender, error: unknown): void {
  try {
    channels.noteFailure(
      `POST ${routeOf(sender)}: ${error instanceof Error ? error.stack : error}`,
    );
  } catch {
    // The window is closing.
  }
}

/** Logs a failure. If the project blocked the invocation, logs a warning, because the invocation itself was valid. */
function noteFailure(channels: InvocationLog, address: string, record: InvocationRecord): void {
  const { status, code, message, invocationId } = record;
  if (outcomeOf(record).isSuccess || status === "cancelled") return;
  const facts = [status, code, message, invocationId].filter((fact) => fact !== undefined);
  const text = `POST ${address}: ${facts.map((fact) => oneLine(fact, 500)).join(", ")}`;
  channels.noteFailure(text, status === "blocked" ? "warning" : "error");
}

async function askToKeep(
  { keeping, history }: InvocationTraces,
  record: InvocationRecord,
  recorded: Promise<unknown>,
): Promise<void> {
  const keep = await keeping.ask(record.registry);
  await recorded;
  // Whatever the person answered, the setting may say no by now.
  if (keep && keeping.mayKeep(record.registry) !== false) await history.keepTexts(record);
}

/** Returns the ID of a payload's document in records. It derives from the URI, but does not reveal it. */
export function payloadIdOf(uri: string): string {
  return sha256(uri).slice(0, 16);
}

/** Returns the JSON text of an outcome's output; undefined without one. */
export function outputOf(outcome: InvocationOutcome): string | undefined {
  return "outputText" in outcome ? outcome.outputText : undefined;
}

async function withDigest(
  record: InvocationRecord,
  { outputText }: InvocationTexts,
): Promise<InvocationRecord> {
  if (outputText === undefined) return record;
  return { ...record, responseSha256: await sha256Async(outputText) };
}

function shownOutput(outputText: string | undefined): string | undefined {
  if (outputText === undefined) return undefined;
  const { text, whole } = prettyJson(outputText, maxShownOutput);
  if (whole) return text;
  const cut = `${text}\n… cut here, after ${text.length} characters. ${openOutputLabel}`;
  return outputText.length > longestShownOutput
    ? `${cut} saves all of it to a file.`
    : `${cut} shows all of it.`;
}
