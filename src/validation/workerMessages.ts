import type { PayloadCheck } from "../core/payloadCheck";

/** Asks the worker to check one text. The schema travels as JSON text, once per key and worker. */
export interface CheckMessage {
  id: number;
  text: string;
  schemaKey: string;
  /** Absent when this worker has been given the schema of this key before. */
  schemaText?: string;
  /** Schemas the worker may drop, so that both sides keep the same bounded set. */
  forget: string[];
}

/** What the worker says about the check it works on: it began, it is past compiling, it is done. */
export type WorkerMessage =
  | { kind: "started"; id: number }
  | { kind: "compiled"; id: number; nativePatterns: string[] }
  | { kind: "checked"; id: number; check: PayloadCheck };

/**
 * Given to the worker at its start. The worker writes there which of the schema's native patterns it
 * tries right now, by index, or -1: readable from outside while the worker is stuck in it.
 */
export interface WorkerStart {
  nativePattern: Int32Array;
}
