import { parentPort, workerData } from "node:worker_threads";
import { samplePayload } from "../core/sampling/samplePayload";
import { languageOf } from "../core/text/language";
import { checkPayload } from "./checkPayload";
import { type CompiledSchema, compileSchema } from "./compileSchema";
import type {
  TaskMessage,
  WorkerMessage,
  WorkerResult,
  WorkerStart,
  WorkerTask,
} from "./workerMessages";

// Entry of the worker thread: holds the compiled schemas and does one task after the other.
const { nativePattern, language: texts } = workerData as WorkerStart;
const language = languageOf(texts.locale, texts.words);
const known = new Map<string, KnownSchema>();

interface KnownSchema {
  schema: unknown;
  compiled: CompiledSchema;
}

parentPort?.on("message", ({ id, task, schemaKey, schemaText, forget }: TaskMessage) => {
  t({ kind: "started", id });
  for (const key of forget) known.delete(key);
  if (schemaText !== undefined) known.set(schemaKey, learn(schemaText));
  const schema = known.get(schemaKey);
  if (schema === undefined) throw new Error("The schema of this key was never sent.");
  const { compiled } = schema;
  const nativePatterns = compiled.kind === "ready" ? compiled.nativePatterns : [];
  t({ kind: "compiled", id, nativePatterns });
  t({ kind: "done", id, result: doTask(task, schema) });
});

function learn(schemaText: string): KnownSchema {
  const schema: unknown = JSON.parse(schemaText);
  const watch = (index: number) => Atomics.store(nativePattern, 0, index);
  return { schema, compiled: compileSchema(schema, watch) };
}

function doTask(task: WorkerTask, { schema, compiled }: KnownSchema): WorkerResult {
  if (task.kind === "check") {
    return { kind: "checked", check: checkPayload(task.text, compiled, language, task.secrets) };
  }
  return { kind: "sampled", sample: samplePayload(schema, task.options, language) };
}

function t(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
