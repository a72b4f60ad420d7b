import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { finishedRecord } from "../../core/invocation/finishedRecord";
import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import {
  type InvocationRecord,
  type InvocationTexts,
  newRecordId,
} from "../../core/invocation/invocationRecord";
import { invokeBody } from "../../core/invocation/invokeBody";
import { outputBlock } from "../../core/invocation/outputBlock";
import { openOutputWords } from "../../core/invocation/outputLinks";
import { redactorFor } from "../../core/registry/redactSecrets";
import { prettyJson } from "../../core/text/prettyJson";
import type { InvocationHistory } from "../audit/invocationHistory";
import type { TextKeeping } from "../audit/textKeeping";
import { type ConnectedRegistry, registryName } from "../connect/registryConnection";
import { readSettings } from "../settings";
import type { OutputChannels } from "../words/outputChannels";
import { withCallProgress } from "./callProgress";
import { sha256 } from "./sha256";

/** Where a call leaves its traces. */
export interface CallTraces {
  readonly history: InvocationHistory;
  readonly channels: OutputChannels;
  readonly keeping: TextKeeping;
}

/** A call with what it needs to be sent and recorded. */
export interface ReadyCall {
  readonly registry: ConnectedRegistry;
  readonly call: Invocation;
  readonly key: string;
  /** Names what the user agreed to. */
  readonly contractHash: string;
}

const maxShownOutput = 100_000;
/** The registry answers or is given up within the time allowed; this much longer, and a record without an end means that the window died. */
const slackMs = 10_000;

/** The time by which a call started now has ended, in milliseconds since 1970. */
export function latestEnd(now: number): number {
  return now + readSettings().invokeTimeoutSeconds * 1000 + slackMs;
}

/**
 * Sends one call with progress: records it as running, sends it once, records how it ended, and
 * writes its block to the output channel. Resolves to the outcome and its record; never rejects.
 */
export async function sendInvocation(
  ready: ReadyCall,
  { history, channels, keeping }: CallTraces,
): Promise<{ readonly outcome: InvocationOutcome; readonly record: InvocationRecord }> {
  const { registry, call, key } = ready;
  // An input may hold the key by mistake; it goes where the user sent it, and into no file.
  const redact = redactorFor(key);
  const inputText = redact(call.inputText);
  const running = runningRecord(ready);
  const keepTexts = keeping.decided(running.registry);
  await history.keep(running, { inputText }, keepTexts === true);
  const skill = call.version === "" ? call.skillSlug : `${call.skillSlug}@${call.version}`;
  const title = vscode.l10n.t("Invoking {0}", skill);
  const outcome = await withCallProgress(title, (signal) =>
    registry.client.invoke(call, key, signal),
  );
  const outputText = outputOf(outcome);
  const texts = outputText === undefined ? { inputText } : { inputText, outputText };
  const record = withDigest(finishedRecord(running, outcome), texts);
  channels.write(outputBlock(record, shownOutput(outputText)));
  await history.keep(record, texts, keepTexts === true);
  if (keepTexts === undefined) {
    void keeping.ask(record.registry).then(async (keep) => {
      if (keep) await history.keep(record, texts, true);
    });
  }
  return { outcome, record };
}

function runningRecord({ registry, call, contractHash }: ReadyCall): InvocationRecord {
  const startedAt = Date.now();
  return {
    schema: 1,
    id: newRecordId(startedAt, randomUUID().slice(0, 13)),
    startedAt,
    endsBefore: latestEnd(startedAt),
    registry: registryName(registry),
    skillSlug: call.skillSlug,
    version: call.version,
    status: "running",
    durationMs: 0,
    pid: process.pid,
    contractHash,
    requestSha256: sha256(invokeBody(call)),
  };
}

function outputOf(outcome: InvocationOutcome): string | undefined {
  const hasOutput = outcome.kind === "success" || outcome.kind === "skillError";
  return hasOutput ? outcome.outputText : undefined;
}

function withDigest(record: InvocationRecord, { outputText }: InvocationTexts): InvocationRecord {
  return outputText === undefined ? record : { ...record, responseSha256: sha256(outputText) };
}

function shownOutput(outputText: string | undefined): string | undefined {
  if (outputText === undefined) return undefined;
  const { text, whole } = prettyJson(outputText, maxShownOutput);
  return whole
    ? text
    : `${text}\n… cut here, after ${text.length} characters. ${openOutputWords} shows all of it.`;
}
