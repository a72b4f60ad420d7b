import { invocationEvent } from "../core/audit/auditEvent";
import type { Amount } from "../core/invocation/cost";
import { type Invocation, type InvocationOutcome, invokeBody } from "../core/invocation/invocation";
import { outcomeOf, runningFacts } from "../core/invocation/outcome";
import type { RateScope } from "../core/invocation/rateLimit";
import {
  type AgentCall,
  type Caller,
  type EndedInvocation,
  finishedRecord,
  type InvocationRecord,
  type InvocationTexts,
  recordFormat,
} from "../core/invocation/record/invocationRecord";
import {
  longestShownOutput,
  openOutputLabel,
  outputBlock,
} from "../core/invocation/record/outputBlock";
import { prettyJson } from "../core/json/printJson";
import { KeyRedactor } from "../core/registry/redactSecrets";
import { oneLine } from "../core/text/plainText";
import type { RegistryClient, TestRunTarget } from "../registry/registryClient";
import { runYielding, settled } from "../registry/wait";
import type { AuditTrail } from "./audit/auditExport";
import type { RateClocks } from "./gates/rateClock";
import type { SpendingLedger } from "./gates/spendingLedger";
import type { InvocationHistory } from "./record/invocationHistory";
import { sha256, sha256Async } from "./sha256";

/** Where what happens is written for people to read. */
interface InvocationLog {
  /** Writes the block of an invocation that ended. */
  readonly write: (block: string) => void;
  readonly noteFailure: (text: string, severity?: "warning" | "error") => void;
}

/** Decides whether payloads and outputs are stored with the record. */
interface TextKeeping {
  /** Undefined where nobody was asked yet. */
  readonly decided: (registry: string) => boolean | undefined;
  /** Asks, while nothing waits for the answer. */
  readonly ask: (registry: string) => Promise<boolean>;
}

/** Where an invocation is recorded. */
export interface InvocationTraces {
  readonly history: InvocationHistory;
  readonly channels: InvocationLog;
  readonly keeping: TextKeeping;
  readonly clocks: RateClocks;
  readonly ledger: SpendingLedger;
  readonly audit: AuditTrail;
}

/** The sender of an invocation: a project by its key, or a signed-in user with a test run. */
export type Sender =
  | { readonly kind: "projectKey"; readonly key: string }
  | { readonly kind: "testRun"; readonly target: TestRunTarget };

/** An invocation with everything needed to send and record it. */
export interface ReadyInvocation {
  /** The name of its record. Its price is reserved under it. */
  readonly id: string;
  readonly registry: {
    readonly baseUrl: string;
    readonly client: Pick<RegistryClient, "invoke" | "testRun">;
  };
  readonly invocation: Invocation;
  readonly sender: Sender;
  /** The scope the registry counts it by. */
  readonly scope: RateScope;
  /** Its maximum duration, in milliseconds. */
  readonly longestMs: number;
  /** The hash of the skill's contract; left out where a part of it is unknown. */
  readonly contractHash?: string;
  /** The URI of the payload's document. */
  readonly payload: string;
  readonly caller: Caller;
  /** The editor and its profile, or the command line. */
  readonly profile: string;
  /** Names the series it is one of; undefined for one of its own. */
  readonly batch: string | undefined;
  /** What it is expected to cost; undefined where that is not known, and for test runs. */
  readonly expected: Amount | undefined;
  /** Set for an agent's invocation, which is only sent where its record is on the disk. */
  readonly agentCall?: AgentCall;
  /** When it counts as sent in the rate clock, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Called right before it is sent; false where what was agreed to got too old while it was recorded. */
  readonly mayLeave: () => boolean;
  /** Called with the record of the running invocation, and awaited before it is sent. */
  readonly started: (record: InvocationRecord) => void | Promise<void>;
  /** Called with the outcome, before it is on disk. */
  readonly ended: (record: InvocationRecord, outcome: InvocationOutcome) => void;
}

/** Characters in the output channel, which the editor highlights as it is written; the document has all. */
const maxShownOutput = 100_000;
/** A healthy disk writes the record within this time, so that a canceled invocation is recorded as well. */
const graceMs = 20;
const tooLate: InvocationOutcome = { kind: "notSent", failure: { kind: "outdated" } };

/**
 * Sends one invocation: records it as running, sends it once, writes its block to the output channel, and
 * records how it ended. An agent's is not sent where it cannot be recorded (`notRecorded`). Rejects only where `started`
 * does. Canceling takes effect immediately: showing and writing then complete in the background, however slow the disk is.
 */
export async function sendInvocation(
  ready: ReadyInvocation,
  traces: InvocationTraces,
  signal: AbortSignal,
): Promise<EndedInvocation | "notRecorded"> {
  const { invocation, sender, agentCall } = ready;
  const { history, keeping, audit } = traces;
  // A payload may contain the key by mistake; it is sent as the user wrote it, and written to no file.
  const secret = sender.kind === "projectKey" ? sender.key : sender.target.token.text;
  const inputText = await runYielding(new KeyRedactor(secret).redactChunked(invocation.inputText));
  const running = runningRecord(ready);
  await ready.started(running);
  const keepTexts = keeping.decided(running.registry) === true;
  // Its end is only certain to be exported where its start stands on the disk: this program may die before.
  const started = Promise.all([
    history.keep(running, { inputText }, keepTexts),
    audit.note(invocationEvent(running)),
  ]).then(([isWritten]) => isWritten);
  if (agentCall !== undefined && !(await started)) {
    await Promise.all([history.remove(running.id), audit.forget(running.id)]);
    return "notRecorded";
  }
  await settled(started, signal);
  const outcome = ready.mayLeave() ? await sendOnce(ready, traces, signal) : tooLate;
  const record = finishedRecord(running, outcome);
  history.end(record);
  ready.ended(record, outcome);
  let waitSeconds = 0;
  const finished = finish(ready, traces, { outcome, record }, { inputText, started });
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
 * Sends the invocation. An exception is a bug of ours after a request that may have been sent: its outcome is
 * unknown, and its record must not wait for an end that never comes.
 */
async function sendOnce(
  { registry, invocation, sender }: ReadyInvocation,
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

/** The state for finishing an invocation: the record of its start may not be on disk yet. */
interface Unfinished {
  readonly inputText: string;
  readonly started: Promise<unknown>;
}

async function finish(
  { registry, scope, sentAt, sender }: ReadyInvocation,
  traces: InvocationTraces,
  { outcome, record }: Omit<EndedInvocation, "waitSeconds">,
  { inputText, started }: Unfinished,
): Promise<number> {
  const { history, channels, keeping, clocks, ledger, audit } = traces;
  const clock = clocks.noteOutcome(scope, outcome, sentAt);
  const cost = ledger.settle(record);
  const outputText = outputOf(outcome);
  const texts = outputText === undefined ? { inputText } : { inputText, outputText };
  const whole = await withDigest(record, texts);
  const keepTexts = keeping.decided(record.registry);
  const kept = started.then(() =>
    Promise.all([
      history.keep(whole, texts, keepTexts === true),
      audit.note(invocationEvent(whole)),
    ]),
  );
  try {
    channels.write(outputBlock(whole, shownOutput(outputText)));
    noteFailure(channels, `${registry.baseUrl}${routeOf(sender)}`, whole);
  } catch (error) {
    // The editor closes channels before a window has ended; the record is written anyway.
    noteUnexpected(channels, sender, error);
  }
  // What returned nothing is no occasion to ask what is kept.
  if (keepTexts === undefined && outputText !== undefined) void askToKeep(traces, whole, kept);
  await Promise.all([kept, cost]);
  return clock;
}

/** Logs an exception, where the log still exists. */
function noteUnexpected(channels: InvocationLog, sender: Sender, error: unknown): void {
  try {
    channels.noteFailure(
      `POST ${routeOf(sender)}: ${error instanceof Error ? error.stack : error}`,
    );
  } catch {
    // The window is closing.
  }
}

/** A decision of the project is a warning: the invocation itself was in order. */
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
  kept: Promise<unknown>,
): Promise<void> {
  const keep = await keeping.ask(record.registry);
  await kept;
  if (keep) await history.keepTexts(record);
}

function runningRecord(ready: ReadyInvocation): InvocationRecord {
  const { id, scope, invocation, sender, contractHash, longestMs, payload, caller } = ready;
  const { profile, expected, batch } = ready;
  const startedAt = Date.now();
  return {
    format: recordFormat,
    id,
    startedAt,
    endsBefore: startedAt + longestMs,
    registry: scope.registry,
    skillSlug: invocation.skillSlug,
    version: invocation.version,
    ...(sender.kind === "testRun" && {
      kind: "testRun" as const,
      projectSlug: sender.target.project,
    }),
    ...runningFacts,
    durationMs: 0,
    caller,
    profile,
    ...(batch !== undefined && { batch }),
    ...(expected !== undefined && {
      expectedCents: expected.cents,
      expectedCurrency: expected.currency,
    }),
    ...ready.agentCall,
    pid: process.pid,
    ...(contractHash !== undefined && { contractHash }),
    payloadId: payloadIdOf(payload),
    requestSha256: sha256(invokeBody(invocation)),
  };
}

/** Names the document of a payload in a record, by its URI, without revealing where it is. */
export function payloadIdOf(uri: string): string {
  return sha256(uri).slice(0, 16);
}

/** Returns the JSON text of an outcome's output; undefined where it has none. */
export function outputOf(outcome: InvocationOutcome): string | undefined {
  const hasOutput = outcome.kind === "success" || outcome.kind === "skillError";
  return hasOutput ? outcome.outputText : undefined;
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
