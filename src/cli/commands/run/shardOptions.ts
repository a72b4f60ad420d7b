import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { CommandError } from "../../../core/findings/commandError";
import { lowestLimit } from "../../../core/invocation/rateLimit";
import {
  readShard,
  type Shard,
  shardOfMachine,
  shardPart,
} from "../../../core/invocation/run/shard";
import type { Questions } from "../../engine/person";
import { type Terminal, UsageError } from "../../terminal";

/** The part of a run that this command sends. */
export interface ChosenShard {
  readonly shard: Shard;
  /** The environment variable that named it; undefined if the user did. */
  readonly source: string | undefined;
  /** Whether the engine starts this shard again. False if it does not say. */
  readonly isRestart: boolean;
}

/** Reads `--shard`; undefined without it. Throws a `UsageError`. */
export function chooseShard(
  text: string | undefined,
  env: Terminal["env"],
): ChosenShard | undefined {
  if (text === undefined) return undefined;
  const named = readShard(text);
  if (named !== undefined) return { shard: named, source: undefined, isRestart: false };
  const [, count] = /^auto(?:\/([1-9]\d{0,4}))?$/.exec(text) ?? [];
  if (!text.startsWith("auto") || (text !== "auto" && count === undefined)) {
    throw new UsageError("--shard expects I/N, such as 3/10, or auto, or auto/N.");
  }
  const found = shardOfMachine(env, count === undefined ? undefined : Number(count));
  if (found.kind === "problem") throw new UsageError(found.message);
  return found;
}

/** The limits of a whole run; undefined for none. */
interface RunLimits {
  readonly perMinute: number | undefined;
  readonly maxCents: number | undefined;
}

/** Returns the shard's part of the limits. Throws a `UsageError` if a shard may send nothing. */
export function limitsOf(chosen: ChosenShard | undefined, whole: RunLimits): RunLimits {
  if (chosen === undefined) return whole;
  const { shard } = chosen;
  const part = (total: number | undefined) => total && shardPart(total, shard);
  if (whole.perMinute !== undefined && whole.perMinute < shard.count) {
    throw new UsageError(
      `--rate ${whole.perMinute} is less than one invocation a minute for each of ${shard.count} shards. Raise it, or use fewer shards.`,
    );
  }
  return { perMinute: part(whole.perMinute), maxCents: part(whole.maxCents) };
}

/** Describes the shard and its part of the limits, as a line. */
export function shardText({ shard, source }: ChosenShard, whole: RunLimits): string {
  const { perMinute, maxCents } = whole;
  const of = (total: number) => `${shardPart(total, shard)} of ${total}`;
  const parts = [
    ...(perMinute === undefined ? [] : [`${of(perMinute)} invocations a minute`]),
    ...(maxCents === undefined ? [] : [`${of(maxCents)} cents`]),
  ];
  const from = source === undefined ? "" : ` (${source})`;
  const limits = parts.length === 0 ? "" : `: at most ${parts.join(", and ")}`;
  return `Shard ${shard.index} of ${shard.count}${from}${limits}.\n`;
}

/**
 * Returns the lowest of this run's limit per minute and its part of the project's; undefined for none. A part is at
 * least 1; if the sum exceeds the project's limit, the registry makes the shards wait.
 */
export function limitPerMinute(
  own: number | undefined,
  ofProject: number | undefined,
  chosen: ChosenShard | undefined,
): number | undefined {
  if (chosen === undefined || ofProject === undefined) return lowestLimit(own, ofProject);
  return lowestLimit(own, Math.max(1, shardPart(ofProject, chosen.shard)));
}

/**
 * Asks whether to send all lines although an earlier start may have sent some, because its journal is missing. Throws a
 * `CommandError` after a no, or without a person.
 */
export async function confirmStart(
  journal: string,
  isResumed: boolean,
  chosen: ChosenShard | undefined,
  questions: Questions,
): Promise<void> {
  if (!isResumed && chosen?.isRestart !== true) return;
  if (lstatSync(journal, { throwIfNoEntry: false }) !== undefined) return;
  const name = basename(journal);
  const message = "Lines may have been sent already. Send all of them again?";
  if (await questions.confirm(`${name} does not exist`, { message, detail: [], agree: "Send" }))
    return;
  const { index, count } = chosen?.shard ?? {};
  const again = isResumed
    ? "leave out --resume to send all lines"
    : `send all lines with --shard ${index}/${count}`;
  throw (
    questions.refusal() ??
    new CommandError(
      `${name} does not exist, so lines may have been sent already. Restore it, or ${again}.`,
    )
  );
}
