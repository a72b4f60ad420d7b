import { parentPort, workerData } from "node:worker_threads";
import { readShapes } from "../core/clients/readShapes";
import { declaredProperties } from "../core/form/declaredProperties";
import { editForm } from "../core/form/editForm";
import { readForm } from "../core/form/readForm";
import type { JsonValue } from "../core/json/jsonValue";
import { findFixes } from "../core/payload/fixes/payloadFixes";
import { type AddRuleRanges, type PayloadCheck, ruleRanges } from "../core/payload/payloadCheck";
import { explanationAt } from "../core/schema/complete/explanation";
import { proposalsAt } from "../core/schema/complete/proposals";
import { type SchemaMistake, schemaMistakes } from "../core/schema/explain/schemaMistakes";
import { type TestableSchema, testableSchema } from "../core/schema/read/testableSchema";
import { samplePayload } from "../core/schema/sample/samplePayload";
import { schemaOutline } from "../core/schema/schemaOutline";
import { languageOf } from "../core/text/language";
import { revealHiddenIn } from "../core/text/plainText";
import { checkManifest } from "./checkManifest";
import { checkPayload } from "./checkPayload";
import { type CompiledSchema, compileSchema } from "./compileSchema";
import type {
  CheckTask,
  FormTask,
  LanguageTask,
  MadeForm,
  SentSchema,
  TaskMessage,
  TextPiece,
  ThreadMessage,
  ThreadStart,
} from "./languageMessages";

// The entry of the thread. It caches the schemas that it received, and runs one task after the other.
const { nativePattern, language: texts } = workerData as ThreadStart;
const language = languageOf(texts.locale, texts.words);
const schemas = new Map<string, CachedSchema>();

/** A schema, and data derived from it once for all tasks. */
interface CachedSchema {
  readonly text: string;
  read?: TestableSchema;
  compiled?: CompiledSchema;
  addRuleRanges?: AddRuleRanges;
  mistakes?: readonly SchemaMistake[];
}

/** The received pieces of the next task's text. */
let pieces: string[] = [];

parentPort?.on("message", (message: TaskMessage | TextPiece) => {
  if (message.kind === "piece") return void pieces.push(message.piece);
  const { task } = message;
  const whole = pieces.length === 0 ? task : { ...task, text: pieces.join("") };
  pieces = [];
  run({ ...message, task: whole });
});

function run({ id, task, schema: sent, forget }: TaskMessage): void {
  post({ kind: "started", id });
  for (const key of forget) schemas.delete(key);
  const cached = cachedSchema(sent);
  const schema = cached.read ?? testableSchema(JSON.parse(cached.text), noteNativePattern);
  cached.read = schema;
  if (task.kind === "check" || task.kind === "checks") cached.compiled ??= compileSchema(schema);
  post({ kind: "compiled", id, nativePatterns: schema.patterns.native });
  post({ kind: "done", id, result: resultOf(task, schema, cached) });
}

function resultOf(task: LanguageTask, schema: TestableSchema, cached: CachedSchema): unknown {
  switch (task.kind) {
    case "check":
      return checkOf(task, schema, cached);
    case "checks":
      return task.all.map((checkTask) => checkOf(checkTask, schema, cached));
    case "manifest":
      cached.compiled ??= compileSchema(schema);
      return checkManifest(task.text, cached.compiled, language);
    case "complete":
      return proposalsAt(schema, task.text, task.offset, language);
    case "explain":
      return explanationAt(schema, task.text, task.offset, language);
    case "fixes":
      return findFixes(task, schema);
    case "sample":
      return samplePayload(schema, task.options, language);
    case "form":
      return formOf(task, schema);
    case "shapes":
      return readShapes(schema, task.lossyNumbers);
    case "declared":
      return declaredProperties(schema, task.text);
    case "outline":
      return revealHiddenIn(schemaOutline(schema, language));
    case "mistakes":
      cached.mistakes ??= schema.refusal === undefined ? schemaMistakes(schema) : [];
      return cached.mistakes;
  }
}

function checkOf(task: CheckTask, schema: TestableSchema, cached: CachedSchema): PayloadCheck {
  cached.compiled ??= compileSchema(schema);
  cached.addRuleRanges ??= ruleRanges(schema.schema as JsonValue);
  const check = checkPayload(task.text, cached.compiled, language, task);
  return { ...check, problems: cached.addRuleRanges(check.problems) };
}

function formOf({ text, unread, edit, shown }: FormTask, schema: TestableSchema): MadeForm {
  const before = { text, unread };
  const draft = edit === undefined ? before : editForm(schema, before, edit);
  return { draft, form: readForm(schema, draft, shown, language) };
}

function cachedSchema({ key, text }: SentSchema): CachedSchema {
  if (text !== undefined) schemas.set(key, { text });
  const found = schemas.get(key);
  if (found === undefined) throw new Error("The schema of this key was never sent.");
  return found;
}

function noteNativePattern(native: number): void {
  Atomics.store(nativePattern, 0, native);
}

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
