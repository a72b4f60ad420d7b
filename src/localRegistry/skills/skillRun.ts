import type { JsonValue } from "../../core/json/jsonValue";

/** The context of a run. */
export interface RunContext {
  /** The invoked version. */
  readonly version: string;
  /** Aborts when the caller has gone or the registry closes. */
  readonly signal: AbortSignal;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects once the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs a skill on an input that fits the input schema of the invoked version. Fails by throwing a
 * SkillFailure, whose message is for the caller.
 */
export type SkillRun<Input> = (input: Input, context: RunContext) => JsonValue | Promise<JsonValue>;

/** Why a run gave no output, in words for the caller. */
export class SkillFailure extends Error {}
