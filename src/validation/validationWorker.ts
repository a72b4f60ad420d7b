import { parentPort } from "node:worker_threads";
import { checkPayload } from "./checkPayload";
import { type CompiledSchema, compileSchema } from "./compileSchema";
import type { CheckMessage, WorkerMessage } from "./workerMessages";

// Entry of the worker thread: holds the compiled schemas and answers one check after the other.
const compiled = new Map<string, CompiledSchema>();

parentPort?.on("message", (message: CheckMessage) => {
  const { id, schemaKey } = message;
  say({ kind: "started", id });
  for (const key of message.forget) compiled.delete(key);
  if (message.schemaText !== undefined) {
    compiled.set(schemaKey, compileSchema(JSON.parse(message.schemaText)));
  }
  say({ kind: "compiled", id });
  const schema = compiled.get(schemaKey);
  if (schema === undefined) throw new Error("The schema of this key was never sent.");
  say({ kind: "checked", id, check: checkPayload(message.text, schema) });
});

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
