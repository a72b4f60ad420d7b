import { randomUUID } from "node:crypto";
import { finishedRecord } from "../../core/finishedRecord";
import type { Invocation, InvocationOutcome } from "../../core/invocation";
import {
  builtInRegistryName,
  type InvocationRecord,
  type InvocationTexts,
  newRecordId,
} from "../../core/invocationRecord";
import { outputBlock } from "../../core/outputBlock";
import { prettyJson } from "../../core/prettyJson";
import type { InvocationHistory } from "../audit/invocationHistory";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { readSettings } from "../settings";
import type { OutputChannels } from "../words/outputChannels";
import { withCallProgress } from "./callProgress";

/** Where a call leaves its traces. */
export interface CallTraces {
  readonly history: InvocationHistory;
  readonly channels: OutputChannels;
}

const maxShownOutput = 100_000;
/** The registry answers or is given up within the time allowed; this much longer, and a record without an end means that the window died. */
const slackMs = 10_000;

/**
 * Sends one call with progress: records it as running, sends it once, records how it ended, and
 * writes its block to the output channel. Resolves to the outcome and its record; never rejects.
 */
export async function sendInvocation(
  registry: ConnectedRegistry,
  call: Invocation,
  key: string,
  { history, channels }: CallTraces,
): Promise<{ readonly outcome: InvocationOutcome; readonly record: InvocationRecord }> {
  const running = runningRecord(registry, call);
  await history.keep(running, { inputText: call.inputText });
  const title = `Invoking ${call.version === "" ? call.skillSlug : `${call.skillSlug}@${call.version}`}`;
  const outcome = await withCallProgress(title, (signal) =>
    registry.client.invoke(call, key, signal),
  );
  const record = finishedRecord(running, outcome);
  const texts = textsOf(call, outcome);
  channels.write(outputBlock(record, shownOutput(texts.outputText)));
  await history.keep(record, texts);
  return { outcome, record };
}

function runningRecord(registry: ConnectedRegistry, call: Invocation): InvocationRecord {
  const startedAt = Date.now();
  return {
    schema: 1,
    id: newRecordId(startedAt, randomUUID().slice(0, 13)),
    startedAt,
    endsBefore: startedAt + readSettings().invokeTimeoutSeconds * 1000 + slackMs,
    registry: registry.isBuiltIn ? builtInRegistryName : registry.baseUrl,
    skillSlug: call.skillSlug,
    version: call.version,
    status: "running",
    durationMs: 0,
  };
}

function textsOf(call: Invocation, outcome: InvocationOutcome): InvocationTexts {
  const { inputText } = call;
  const hasOutput = outcome.kind === "success" || outcome.kind === "skillError";
  const outputText = hasOutput ? outcome.outputText : undefined;
  return outputText === undefined ? { inputText } : { inputText, outputText };
}

function shownOutput(outputText: string | undefined): string | undefined {
  if (outputText === undefined) return undefined;
  const { text, whole } = prettyJson(outputText, maxShownOutput);
  return whole
    ? text
    : `${text}\n… cut here, after ${text.length} characters. “Skills: Open Invocation” shows all of it.`;
}
