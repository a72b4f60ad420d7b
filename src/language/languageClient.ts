import { type Shapes, unknownShapes } from "../core/clients/shape";
import { skillManifestSchema } from "../core/manifest/manifestFile";
import type { FixesRequest, FixesResult } from "../core/payload/fixes/payloadFix";
import { type PayloadCheck, uncheckedPayload } from "../core/payload/payloadCheck";
import type { Explanation, Proposal } from "../core/schema/complete/proposal";
import type { SchemaMistake } from "../core/schema/explain/schemaMistakes";
import type { SamplePayload, SamplePayloadOptions } from "../core/schema/sample/samplePayload";
import type { OutlineNode } from "../core/schema/schemaOutline";
import { whySchemaIsTooLarge } from "../core/schema/schemaSize";
import type { LossyNumbers } from "../core/skill/skill";
import {
  english,
  type Language,
  type LanguageTexts,
  type LocalizableText,
  l10nText,
  languageOf,
  localize,
} from "../core/text/language";
import type {
  CheckRequest,
  FormTask,
  LanguageResults,
  LanguageTask,
  MadeForm,
  PositionRequest,
  SentSchema,
  TaskMessage,
} from "./languageMessages";
import { LanguageThread, type ThreadOptions, whyNoAnswer } from "./languageThread";

/**
 * The path of the thread's bundle, and its limits. By default, a task has 800 ms, so that its result arrives within a
 * second; the start has 15 seconds; the memory is 512 MB.
 */
export interface LanguageClientOptions {
  workerPath: string;
  deadlineMs?: number;
  startDeadlineMs?: number;
  memoryLimitMb?: number;
  /** The language of the results; English by default. */
  language?: LanguageTexts;
}

type Outcome = { readonly kind: "done"; readonly result: unknown } | NoAnswer;

interface NoAnswer {
  readonly kind: "none";
  readonly reason: LocalizableText;
}

interface Job {
  readonly task: LanguageTask;
  readonly schema: unknown;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** The maximum length of a text. The thread's memory is limited; a longer text would end it. */
const maxTextLength = 32_000_000;
/**
 * The maximum number of texts in one task, and their maximum length together. Sending a message takes as long as
 * checking a small text, so several texts share one message.
 */
const [maxGroupSize, maxGroupLength] = [64, 100_000];
/** The maximum length of a text for completion and hover. For a longer text, they would be too slow to help. */
const maxAssistedLength = 2_000_000;
/** The number of compiled schemas that the thread caches, one for each skill in use at the same time. */
const maxKnownSchemas = 16;
/**
 * After this many missed deadlines, a schema gets no more completion or hover. A crash or a slow start does not count.
 * Checks are always tried.
 */
const maxMissedDeadlines = 2;

/**
 * Runs everything that reads a skill's schema in one thread, one task at a time, so that neither a large text nor a
 * hostile schema blocks the editor. Checks go first. The thread starts with the first task. A thread that is stuck,
 * crashed or out of memory is replaced for the next task. A schema is identified by its object and must not change.
 */
export class LanguageClient {
  readonly #options: ThreadOptions;
  readonly #language: Language;
  readonly #keys = new WeakMap<object, string>();
  /** The reason why a schema is too large, by the schema's key. Undefined for a schema that is not. */
  readonly #tooLarge = new Map<string, LocalizableText | undefined>();
  readonly #missedDeadlines = new Map<string, number>();
  #thread: LanguageThread | undefined;
  /** Keys of the schemas that the thread has cached, least recently used first. */
  #cachedKeys = new Set<string>();
  #waiting: Job[] = [];
  #isBusy = false;
  #isDisposed = false;
  #lastId = 0;
  #lastKey = 0;

  constructor(options: LanguageClientOptions) {
    this.#options = {
      workerPath: options.workerPath,
      deadlineMs: options.deadlineMs ?? 800,
      startDeadlineMs: options.startDeadlineMs ?? 15_000,
      memoryLimitMb: options.memoryLimitMb ?? 512,
      language: options.language ?? { locale: english.locale, words: {} },
    };
    this.#language = languageOf(this.#options.language.locale, this.#options.language.words);
  }

  /** Starts the thread before its first task, so that the task does not wait for it. */
  start(): void {
    if (this.#isDisposed || this.#thread !== undefined) return;
    this.#thread = new LanguageThread(this.#options);
  }

  /**
   * Checks one text of at most 32 million characters. Resolves to `unchecked` if the thread returns no result. Like all
   * methods, rejects only with the signal's reason, as soon as the signal is aborted.
   */
  async check(request: CheckRequest, signal: AbortSignal): Promise<PayloadCheck> {
    const { schema, text, secrets, allowedSecrets, lossyNumbers } = request;
    const unchecked = this.#uncheckedIn(text);
    signal.throwIfAborted();
    if (text.length > maxTextLength) return unchecked(textTooLong(text.length));
    // The schema is sent as JSON, which cannot represent infinity.
    if (lossyNumbers === "many" || lossyNumbers?.some((number) => !Number.isFinite(number))) {
      return unchecked(tooLossy);
    }
    const task = {
      kind: "check",
      text,
      ...(secrets && { secrets }),
      ...(allowedSecrets && { allowedSecrets }),
      ...(lossyNumbers && { lossyNumbers }),
    } as const;
    return this.#request(task, schema, signal, unchecked);
  }

  /** Checks the text of a manifest, as `checkManifest` does. Resolves and rejects as `check` does. */
  async manifest(text: string, signal: AbortSignal): Promise<PayloadCheck> {
    const unchecked = this.#uncheckedIn(text);
    if (text.length > maxTextLength) return unchecked(textTooLong(text.length));
    return this.#request({ kind: "manifest", text }, skillManifestSchema, signal, unchecked);
  }

  /**
   * Finds quick fixes for problems that a check of the same text found. Resolves to no fixes if the thread returns no
   * result.
   */
  fixes(schema: unknown, request: FixesRequest, signal: AbortSignal): Promise<FixesResult> {
    const none = { fixes: [], all: { edits: [], count: 0 } };
    return this.#request({ kind: "fixes", ...request }, schema, signal, () => none);
  }

  /** Lists completions at a position; empty for none. */
  async complete(request: PositionRequest, signal: AbortSignal): Promise<readonly Proposal[]> {
    const { schema, text, offset } = request;
    if (text.length > maxAssistedLength) return [];
    return this.#request({ kind: "complete", text, offset }, schema, signal, () => []);
  }

  /** Explains the value at a position; undefined if nothing is known. */
  async explain(request: PositionRequest, signal: AbortSignal): Promise<Explanation | undefined> {
    const { schema, text, offset } = request;
    if (text.length > maxAssistedLength) return undefined;
    return this.#request({ kind: "explain", text, offset }, schema, signal, () => undefined);
  }

  /**
   * Creates a sample of a schema, as `samplePayload` does. If the thread returns no result, the value is empty and a
   * note gives the reason.
   */
  sample(
    schema: unknown,
    options: SamplePayloadOptions,
    signal: AbortSignal,
  ): Promise<SamplePayload> {
    return this.#request({ kind: "sample", options }, schema, signal, (reason) => ({
      value: {},
      notes: [localize(reason, this.#language)],
    }));
  }

  /**
   * Creates the form of a payload, after an edit if there is one. Resolves to undefined if the thread returns no
   * result.
   */
  form(
    schema: unknown,
    request: Omit<FormTask, "kind">,
    signal: AbortSignal,
  ): Promise<MadeForm | undefined> {
    return this.#request({ kind: "form", ...request }, schema, signal, () => undefined);
  }

  /**
   * Reads the shape of a schema, as `readShapes` does. If the thread returns no result, the shape is unknown, with the
   * reason.
   */
  shapes(
    schema: unknown,
    lossyNumbers: LossyNumbers | undefined,
    signal: AbortSignal,
  ): Promise<Shapes> {
    return this.#request({ kind: "shapes", lossyNumbers }, schema, signal, (reason) =>
      unknownShapes(localize(reason, english)),
    );
  }

  /**
   * Lists the properties that a schema declares for the object in a text, as `declaredProperties` does. Empty if the
   * thread returns no result.
   */
  declared(
    schema: unknown,
    text: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    return this.#request({ kind: "declared", text }, schema, signal, () => new Map());
  }

  /**
   * Outlines a schema for people, with hidden characters escaped. Resolves to undefined if the thread returns no
   * result.
   */
  outline(schema: unknown, signal: AbortSignal): Promise<OutlineNode | undefined> {
    return this.#request({ kind: "outline" }, schema, signal, () => undefined);
  }

  /**
   * Lists likely mistakes in a schema, as `schemaMistakes` does. Empty for no schema, and if the thread returns no
   * result; then no payload can be checked either, which its check reports.
   */
  mistakes(schema: unknown, signal: AbortSignal): Promise<readonly SchemaMistake[]> {
    if (schema === undefined) return Promise.resolve([]);
    return this.#request({ kind: "mistakes" }, schema, signal, () => []);
  }

  /** Ends the thread. Waiting and later tasks get no result. */
  dispose(): void {
    this.#isDisposed = true;
    this.#thread?.dispose();
    for (const job of this.#waiting.splice(0)) job.settle(closing);
  }

  #uncheckedIn(text: string): (reason: LocalizableText) => PayloadCheck {
    return (reason) => uncheckedPayload(localize(reason, this.#language), text);
  }

  /**
   * Runs a task and resolves to its result. If the thread returns none, resolves to what `otherwise` makes of the
   * reason.
   */
  #request<Kind extends LanguageTask["kind"], Otherwise>(
    task: LanguageTask & { readonly kind: Kind },
    schema: unknown,
    signal: AbortSignal,
    otherwise: (reason: LocalizableText) => Otherwise,
  ): Promise<LanguageResults[Kind] | Otherwise> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const job: Job = {
        task,
        schema,
        settle: (outcome) => {
          signal.removeEventListener("abort", abort);
          if (outcome.kind === "none") resolve(otherwise(outcome.reason));
          else resolve(outcome.result as LanguageResults[Kind]);
        },
        fail: reject,
      };
      const abort = () => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(job);
      void this.#runWaiting();
    });
  }

  async #runWaiting(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let jobs = this.#nextJobs(); jobs.length > 0; jobs = this.#nextJobs()) {
      if (jobs.length > 1 && (await this.#runTogether(jobs))) continue;
      for (const job of jobs) await this.#run(job).then(job.settle, job.fail);
    }
    this.#isBusy = false;
  }

  /**
   * Takes the oldest waiting check, together with other small checks for the same schema. Without checks, takes the
   * oldest task.
   */
  #nextJobs(): readonly Job[] {
    const first = this.#waiting.find(({ task }) => task.kind === "check") ?? this.#waiting[0];
    if (first === undefined) return [];
    const group = new Set([first]);
    let room = maxGroupLength - lengthOf(first);
    for (const job of this.#waiting) {
      if (group.size >= maxGroupSize || room < 0 || first.task.kind !== "check") break;
      const canJoin = job.task.kind === "check" && job.schema === first.schema;
      if (group.has(job) || !canJoin || lengthOf(job) > room) continue;
      group.add(job);
      room -= lengthOf(job);
    }
    this.#waiting = this.#waiting.filter((job) => !group.has(job));
    return [...group];
  }

  /**
   * Checks several texts in one task. Resolves to false if the thread returns no result; then the caller checks each
   * text alone.
   */
  async #runTogether(jobs: readonly Job[]): Promise<boolean> {
    const all = jobs.flatMap(({ task }) => (task.kind === "check" ? [task] : []));
    const outcome = await this.#run({ task: { kind: "checks", all }, schema: jobs[0]?.schema });
    if (outcome.kind === "none") return false;
    const results = outcome.result as LanguageResults["checks"];
    for (const [index, job] of jobs.entries()) job.settle({ kind: "done", result: results[index] });
    return true;
  }

  async #run({ task, schema }: Pick<Job, "task" | "schema">): Promise<Outcome> {
    if (this.#isDisposed) return closing;
    const key = this.#keyOf(schema);
    const question = `${task.kind} ${key}`;
    const missedDeadlines = this.#missedDeadlines.get(question) ?? 0;
    if (missedDeadlines >= maxMissedDeadlines) return { kind: "none", reason: tooSlow };
    if (this.#thread === undefined || this.#thread.ended) {
      this.#thread = new LanguageThread(this.#options);
      this.#cachedKeys = new Set();
    }
    if (!this.#tooLarge.has(key)) this.#tooLarge.set(key, whySchemaIsTooLarge(schema));
    const reason = this.#tooLarge.get(key);
    if (reason !== undefined) return { kind: "none", reason };
    this.#lastId += 1;
    const sent = this.#schemaToSend(key, schema);
    const message: TaskMessage = {
      kind: "task",
      id: this.#lastId,
      task,
      schema: sent,
      forget: this.#dropOldKeys(),
    };
    const answer = await this.#thread.run(message);
    if (answer.kind === "done") return answer;
    const isStuck = answer.kind === "tooSlow" && answer.phase !== "starting";
    const isCheck = ["check", "checks", "manifest"].includes(task.kind);
    if (isStuck && !isCheck) this.#missedDeadlines.set(question, missedDeadlines + 1);
    return { kind: "none", reason: whyNoAnswer(answer) };
  }

  #keyOf(schema: unknown): string {
    if (typeof schema !== "object" || schema === null) return JSON.stringify(schema) ?? "null";
    const existing = this.#keys.get(schema);
    if (existing !== undefined) return existing;
    this.#lastKey += 1;
    const key = `#${this.#lastKey}`;
    this.#keys.set(schema, key);
    return key;
  }

  /**
   * Returns a key, and the text of its schema if the thread does not have it yet. Makes the key the most recently used.
   */
  #schemaToSend(key: string, schema: unknown): SentSchema {
    const isCached = this.#cachedKeys.delete(key);
    this.#cachedKeys.add(key);
    return isCached ? { key } : { key, text: JSON.stringify(schema) ?? "null" };
  }

  /** Selects the keys that the thread should drop. */
  #dropOldKeys(): string[] {
    const tooMany = [...this.#cachedKeys].slice(
      0,
      Math.max(0, this.#cachedKeys.size - maxKnownSchemas),
    );
    for (const key of tooMany) this.#cachedKeys.delete(key);
    return tooMany;
  }
}

function lengthOf({ task }: Job): number {
  return "text" in task ? task.text.length : 0;
}

const closing = { kind: "none", reason: l10nText("The editor is closing.") } as const;
const tooLossy = l10nText(
  "Could not validate: numbers in the skill's schema have more digits or are larger than can be compared.",
);
const tooSlow = whyNoAnswer({ kind: "tooSlow", phase: "working" });

function textTooLong(length: number): LocalizableText {
  const millions = Math.round(length / 1_000_000);
  return l10nText(
    "This text is {millions} million characters long. At most {most} million can be checked.",
    { millions, most: maxTextLength / 1_000_000 },
  );
}
