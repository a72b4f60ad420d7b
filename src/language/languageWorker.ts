import { parentPort, workerData } from "node:worker_threads";
import { readShapes } from "../core/clients/readShapes";
import type { JsonValue } from "../core/json/jsonValue";
import { findFixes } from "../core/payload/fixes/payloadFixes";
import { type AddRuleRanges, ruleRanges } from "../core/payload/payloadCheck";
import { assistanceSchema } from "../core/schema/assistanceSchema";
import { declaredProperties } from "../core/schema/declaredProperties";
import { type TestableSchema, testableSchema } from "../core/schema/read/testableSchema";
import { samplePayload } from "../core/schema/sample/samplePayload";
import { schemaOutline } from "../core/schema/schemaOutline";
import { languageOf } from "../core/text/language";
import { revealHiddenIn } from "../core/text/plainText";
import { checkPayload } from "./checkPayload";
import { type CompiledSchema, compileSchema } from "./compileSchema";
import type {
  CheckTask,
  Explanation,
  LanguageTask,
  Proposal,
  SentSchema,
  TaskMessage,
  TextPiece,
  ThreadMessage,
  ThreadStart,
} from "./languageMessages";
import type { SchemaAssistance } from "./schemaAssistance";

// Entry of the thread: holds the schemas it was sent and does one task after the other.
const { nativePattern, language: texts } = workerData as ThreadStart;
const language = languageOf(texts.locale, texts.words);
const known = new Map<string, KnownSchema>();

/** A schema, and what was made of it once for all tasks that need that. */
interface KnownSchema {
  readonly text: string;
  read?: TestableSchema;
  compiled?: CompiledSchema;
  assistance?: SchemaAssistance;
  addRuleRanges?: AddRuleRanges;
}

/** The text of the next task, as far as it was sent ahead. */
let pieces: string[] = [];

parentPort?.on("message", (message: TaskMessage | TextPiece) => {
  if (message.kind === "piece") return void pieces.push(message.piece);
  const { task } = message;
  const whole = pieces.length === 0 ? task : { ...task, text: pieces.join("") };
  pieces = [];
  void run({ ...message, task: whole });
});

async function run({ id, task, schema: sent, forget }: TaskMessage): Promise<void> {
  const assists = task.kind === "complete" || task.kind === "explain";
  // The JSON language service takes longer to load than a check takes, and no schema is to blame.
  const service = assists ? await import("./schemaAssistance") : undefined;
  post({ kind: "started", id });
  for (const key of forget) known.delete(key);
  const own = learn(sent);
  const done = (result: unknown) => post({ kind: "done", id, result });
  const schema = own.read ?? testableSchema(JSON.parse(own.text), watch);
  own.read = schema;
  const isRead = () => post({ kind: "compiled", id, nativePatterns: schema.patterns.native });
  switch (task.kind) {
    case "check":
    case "checks": {
      const compiled = own.compiled ?? compileSchema(schema);
      own.compiled = compiled;
      isRead();
      const addRanges = own.addRuleRanges ?? ruleRanges(schema.schema as JsonValue);
      own.addRuleRanges = addRanges;
      const checked = (one: CheckTask) => {
        const check = checkPayload(one.text, compiled, language, one);
        return { ...check, problems: addRanges(check.problems) };
      };
      return done(task.kind === "check" ? checked(task) : task.all.map(checked));
    }
    case "complete":
    case "explain": {
      if (service === undefined) return;
      own.assistance ??= new service.SchemaAssistance(assistanceSchema(schema, language));
      isRead();
      return done(await assist(own.assistance, task));
    }
    case "fixes":
      isRead();
      return done(findFixes(task, schema));
    case "sample":
      isRead();
      return done(samplePayload(schema, task.options, language));
    case "shapes":
      isRead();
      return done(readShapes(schema, task.lossyNumbers));
    case "declared":
      isRead();
      return done(declaredProperties(schema, task.names));
    case "outline":
      isRead();
      return done(revealHiddenIn(schemaOutline(schema, language)));
  }
}

/** Nothing is known of a text that is nested deeper than the language service can follow. */
async function assist(
  assistance: SchemaAssistance,
  { kind, text, offset }: Extract<LanguageTask, { kind: "complete" | "explain" }>,
): Promise<readonly Proposal[] | Explanation | undefined> {
  try {
    if (kind === "complete") return await assistance.proposals(text, offset);
    return await assistance.explanation(text, offset);
  } catch (error) {
    if (error instanceof RangeError) return kind === "complete" ? [] : undefined;
    throw error;
  }
}

function learn({ key, text }: SentSchema): KnownSchema {
  if (text !== undefined) known.set(key, { text });
  const found = known.get(key);
  if (found === undefined) throw new Error("The schema of this key was never sent.");
  return found;
}

function watch(native: number): void {
  Atomics.store(nativePattern, 0, native);
}

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
