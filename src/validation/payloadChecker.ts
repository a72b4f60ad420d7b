import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { SamplePayload, SamplePayloadOptions } from "../core/sampling/samplePayload";
import { english, type Language, type LanguageTexts, languageOf } from "../core/text/language";
import { type LocalizableText, l10nText, localize } from "../core/text/localizableText";
import { CheckThread, type ThreadOptions } from "./checkThread";
import { uncheckedPayload } from "./uncheckedPayload";
import { whyNoAnswer } from "./whyNoAnswer";
import { whySchemaIsTooLarge } from "./whySchemaIsTooLarge";
import type { WorkerResult, WorkerTask } from "./workerMessages";

/** A schema and its name. The same `schemaKey` always means the same schema. */
export interface KeyedSchema {
  schema: unknown;
  schemaKey: string;
}

/**
 * One text to check against one schema. With `secrets` what looks like a credential is marked as well,
 * and these are wherever they stand.
 */
export interface PayloadCheckRequest extends KeyedSchema {
  text: string;
  secrets?: readonly string[];
}

/**
 * Where the worker's bundle lies, and its bounds: 800 ms (so that an answer comes within a second),
 * 15 seconds to start and 512 MB unless given.
 */
export interface PayloadCheckerOptions {
  workerPath: string;
  deadlineMs?: number;
  startDeadlineMs?: number;
  memoryLimitMb?: number;
  /** What problems are told in; English unless given. */
  language?: LanguageTexts;
}

type Outcome = WorkerResult | { kind: "none"; reason: LocalizableText };

interface Job {
  task: WorkerTask;
  schema: KeyedSchema;
  settle: (outcome: Outcome) => void;
  fail: (error: unknown) => void;
}

const maxTextLength = 32_000_000;
const maxKnownSchemas = 16;

/**
 * Checks payload texts against JSON Schemas in a thread of its own, one at a time, so that neither a
 * large text nor a hostile schema holds the editor. The thread starts with the first task; one that
 * is stuck, crashed or out of memory is replaced for the next.
 */
export class PayloadChecker {
  readonly #options: ThreadOptions;
  readonly #language: Language;
  #thread: CheckThread | undefined;
  /** Keys of the schemas the thread holds, least recently used first. */
  #known = new Set<string>();
  #waiting: Job[] = [];
  #isBusy = false;
  #isDisposed = false;
  #lastId = 0;

  constructor(options: PayloadCheckerOptions) {
    this.#options = {
      workerPath: options.workerPath,
      deadlineMs: options.deadlineMs ?? 800,
      startDeadlineMs: options.startDeadlineMs ?? 15_000,
      memoryLimitMb: options.memoryLimitMb ?? 512,
      language: options.language ?? { locale: english.locale, words: {} },
    };
    this.#language = languageOf(this.#options.language.locale, this.#options.language.words);
  }

  /**
   * Checks one text of at most 32 million characters. Resolves to `unchecked` when there can be no
   * answer; rejects only with the signal's reason, at once when it is aborted.
   */
  async check(request: PayloadCheckRequest, signal: AbortSignal): Promise<PayloadCheck> {
    signal.throwIfAborted();
    const { text, secrets } = request;
    if (text.length > maxTextLength) return this.#unchecked(textTooLong(text.length), text);
    const task: WorkerTask = { kind: "check", text, ...(secrets && { secrets }) };
    const outcome = await this.#queue(task, request, signal);
    if (outcome.kind === "checked") return outcome.check;
    return this.#unchecked(outcome.kind === "none" ? outcome.reason : noReason, text);
  }

  /**
   * Makes a first payload from a schema, as `samplePayload` does, but where it cannot hold anybody
   * up. What stands in its way is a note. Rejects as `check` does.
   */
  async sample(
    schema: KeyedSchema,
    options: SamplePayloadOptions,
    signal: AbortSignal,
  ): Promise<SamplePayload> {
    signal.throwIfAborted();
    const outcome = await this.#queue({ kind: "sample", options }, schema, signal);
    if (outcome.kind === "sampled") return outcome.sample;
    return {
      value: {},
      notes: outcome.kind === "none" ? [localize(outcome.reason, this.#language)] : [],
    };
  }

  /** Ends the thread. What still waits, and every later task, has no answer. */
  dispose(): void {
    this.#isDisposed = true;
    this.#thread?.dispose();
    for (const job of this.#waiting.splice(0)) job.settle(closing);
  }

  #unchecked(reason: LocalizableText, text: string): PayloadCheck {
    return uncheckedPayload(localize(reason, this.#language), text);
  }

  #queue(task: WorkerTask, schema: KeyedSchema, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        task,
        schema,
        settle: (outcome) => {
          signal.removeEventListener("abort", abort);
          resolve(outcome);
        },
        fail: reject,
      };
      const abort = () => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(job);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      await this.#run(job).then(job.settle, job.fail);
    }
    this.#isBusy = false;
  }

  async #run({ task, schema: { schema, schemaKey } }: Job): Promise<Outcome> {
    if (this.#isDisposed) return closing;
    if (this.#thread === undefined || this.#thread.ended) {
      this.#thread = new CheckThread(this.#options);
      this.#known = new Set();
    }
    const isKnown = this.#known.delete(schemaKey);
    const reason = isKnown ? undefined : whySchemaIsTooLarge(schema);
    if (reason !== undefined) return { kind: "none", reason };
    this.#lastId += 1;
    const message = { id: this.#lastId, task, schemaKey, forget: this.#remember(schemaKey) };
    const answer = await this.#thread.run(
      isKnown ? message : { ...message, schemaText: JSON.stringify(schema) ?? "null" },
    );
    return answer.kind === "done" ? answer.result : { kind: "none", reason: whyNoAnswer(answer) };
  }

  /** Makes a key the most recent one, and gives those that are one too many for it. */
  #remember(schemaKey: string): string[] {
    this.#known.add(schemaKey);
    const tooMany = [...this.#known].slice(0, Math.max(0, this.#known.size - maxKnownSchemas));
    for (const key of tooMany) this.#known.delete(key);
    return tooMany;
  }
}

const noReason = l10nText("This JSON could not be checked.");
const closing = { kind: "none", reason: l10nText("The editor is closing.") } as const;

function textTooLong(length: number): LocalizableText {
  const millions = Math.round(length / 1_000_000);
  return l10nText(
    "This text is {millions} million characters long. At most {most} million can be checked.",
    { millions, most: maxTextLength / 1_000_000 },
  );
}
