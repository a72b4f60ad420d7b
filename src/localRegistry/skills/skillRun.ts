import type { JsonValue } from "../../core/json/jsonValue";

/** The context of a run. */
export interface RunContext {
  /** The version being invoked. */
  readonly version: string;
  /** Aborts when the caller disconnects or the registry closes. */
  readonly signal: AbortSignal;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this many milliseconds, or rejects once the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs a skill. The input is valid for the input schema of the invoked version. Throws a SkillFailure to fail with a
 * message for the caller.
 */
export type SkillRun<Input> = (input: Input, context: RunContext) => JsonValue | Promise<JsonValue>;

/** Thrown by a run that fails; the message is for the caller. */
export class SkillFailure extends Error {}
