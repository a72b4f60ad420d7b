import { parentPort, workerData } from "node:worker_threads";
import { checkPayload } from "./checkPayload";
import { type CompiledSchema, compileSchema } from "./compileSchema";
import type { CheckMessage, WorkerMessage, WorkerStart } from "./workerMessages";

// Entry of the worker thread: holds the compiled schemas and answers one check after the other.
const { nativePattern } = workerData as WorkerStart;
const compiled = new Map<string, CompiledSchema>();

parentPort?.on("message", (message: CheckMessage) => {
  const { id, text, schemaKey, schemaText, forget } = message;
  say({ kind: "started", id });
  for (const key of forget) compiled.delete(key);
  if (schemaText !== undefined) {
    const watch = (index: number) => Atomics.store(nativePattern, 0, index);
    compiled.set(schemaKey, compileSchema(JSON.parse(schemaText), watch));
  }
  const schema = compiled.get(schemaKey);
  if (schema === undefined) throw new Error("The schema of this key was never sent.");
  const nativePatterns = schema.kind === "ready" ? schema.nativePatterns : [];
  say({ kind: "compiled", id, nativePatterns });
  say({ kind: "checked", id, check: checkPayload(text, schema) });
});

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
