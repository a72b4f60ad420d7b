import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { SamplePayload, SamplePayloadOptions } from "../core/sampling/samplePayload";
import type { LanguageTexts } from "../core/text/language";

/** What the worker is asked to do with a schema. */
export type WorkerTask =
  | {
      kind: "check";
      text: string;
      /** Credentials to mark wherever they stand; absent where none shall be looked for. */
      secrets?: readonly string[];
    }
  | { kind: "sample"; options: SamplePayloadOptions };

/** Asks the worker for one task. The schema travels as JSON text, once per key and worker. */
export interface TaskMessage {
  id: number;
  task: WorkerTask;
  schemaKey: string;
  /** Absent when this worker has been given the schema of this key before. */
  schemaText?: string;
  /** Schemas the worker may drop, so that both sides keep the same bounded set. */
  forget: string[];
}

/** What comes out of a task. */
export type WorkerResult =
  | { kind: "checked"; check: PayloadCheck }
  | { kind: "sampled"; sample: SamplePayload };

/** What the worker says about its task: it began, it is past compiling, it is done. */
export type WorkerMessage =
  | { kind: "started"; id: number }
  | { kind: "compiled"; id: number; nativePatterns: string[] }
  | { kind: "done"; id: number; result: WorkerResult };

/**
 * Given to the worker at its start. Into `nativePattern` the worker writes which of the schema's native patterns it
 * tries right now, by index, or -1: readable from outside while the worker is stuck in it.
 */
export interface WorkerStart {
  /** What the worker answers in. */
  language: LanguageTexts;
  nativePattern: Int32Array;
}
