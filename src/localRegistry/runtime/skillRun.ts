import type { JsonValue } from "../../core/text/json";

/** Runs a skill on any JSON value at all: nothing was checked before, undefined where none was sent. */
export type SkillRun = (
  input: JsonValue | undefined,
  context: RunContext,
) => RunResult | Promise<RunResult>;

/** What a run may use of the world. */
export interface RunContext {
  /** Aborts when the caller has gone or the registry closes. */
  readonly signal: AbortSignal;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects once the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** What a run gave: an output, or the reason there is none in words for the caller. */
export type RunResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: string };

/** Says that a run succeeded. */
export function succeeded(output: JsonValue): RunResult {
  return { ok: true, output };
}

/** Says why a run failed. */
export function failed(error: string): RunResult {
  return { ok: false, error };
}
