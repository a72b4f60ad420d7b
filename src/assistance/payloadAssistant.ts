import { Worker } from "node:worker_threads";
import type { LanguageTexts } from "../core/text/language";
import type {
  AssistanceAnswer,
  AssistanceQuestion,
  Explanation,
  Proposal,
} from "./assistanceMessages";

/** A place in a text, and the schema the text is meant for. The same key always means the same schema. */
export interface AssistanceRequest {
  readonly text: string;
  readonly offset: number;
  readonly schema: unknown;
  readonly schemaKey: string;
}

/**
 * Where the thread's bundle lies, how long an answer may take (1 second unless given, the first of a
 * schema 3 times that) and what it may need (256 MB unless given).
 */
export interface AssistantOptions {
  readonly workerPath: string;
  readonly deadlineMs?: number;
  readonly memoryLimitMb?: number;
  /** What meanings are told in; English unless given. */
  readonly language?: LanguageTexts;
}

interface Pending {
  readonly settle: (answer: AssistanceAnswer | undefined) => void;
  readonly schemaKey: string;
  /** The thread has to read the schema first. */
  readonly isFirst: boolean;
}

/** Longer texts and schemas get no help: it would come too late to be one. */
const maxText = 2_000_000;
const maxSchemaText = 5_000_000;
const startDeadlineMs = 15_000;
/** Reading a schema of a megabyte takes a busy machine as long as an answer may. */
const readingFactor = 3;
/** A schema whose help was given up as often is not tried again. */
const maxStuck = 2;
const maxKnownSchemas = 8;

/**
 * Completes and explains payloads in a thread of its own, so that no schema can hold the editor.
 * Whatever cannot be answered in time is no help; the thread that was stuck is replaced.
 */
export class PayloadAssistant {
  readonly #options: AssistantOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #stuck = new Map<string, number>();
  /** Keys of the schemas the thread holds, least recently used first. */
  #sent = new Set<string>();
  /** What the thread works on. */
  #currentKey: string | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: AssistantOptions) {
    this.#options = options;
  }

  /** Lists what can be written at the place; empty where nothing is known. */
  async proposals(request: AssistanceRequest, signal: AbortSignal): Promise<readonly Proposal[]> {
    const answer = await this.#ask("proposals", request, signal);
    return answer?.kind === "proposals" ? answer.proposals : [];
  }

  /** Explains what stands at the place; undefined where nothing is known. */
  async explanation(
    request: AssistanceRequest,
    signal: AbortSignal,
  ): Promise<Explanation | undefined> {
    const answer = await this.#ask("explanation", request, signal);
    return answer?.kind === "explanation" ? answer.explanation : undefined;
  }

  dispose(): void {
    this.#end();
  }

  #ask(
    wants: AssistanceQuestion["wants"],
    { text, offset, schema, schemaKey }: AssistanceRequest,
    signal: AbortSignal,
  ): Promise<AssistanceAnswer | undefined> {
    if (signal.aborted || text.length > maxText) return Promise.resolve(undefined);
    if ((this.#stuck.get(schemaKey) ?? 0) >= maxStuck) return Promise.resolve(undefined);
    const isSent = this.#worker !== undefined && this.#sent.has(schemaKey);
    const schemaText = isSent ? undefined : schemaTextOf(schema);
    if (!isSent && schemaText === undefined) return Promise.resolve(undefined);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((settle) => {
      const stop = () => this.#settle(id, undefined);
      signal.addEventListener("abort", stop, { once: true });
      const settled = (answer: AssistanceAnswer | undefined) => {
        signal.removeEventListener("abort", stop);
        settle(answer);
      };
      this.#pending.set(id, { settle: settled, schemaKey, isFirst: schemaText !== undefined });
      const worker = this.#start();
      this.#sent.delete(schemaKey);
      this.#sent.add(schemaKey);
      const forget = [...this.#sent].slice(0, Math.max(0, this.#sent.size - maxKnownSchemas));
      for (const key of forget) this.#sent.delete(key);
      const question = { id, wants, text, offset, schemaKey, forget };
      worker.postMessage(schemaText === undefined ? question : { ...question, schemaText });
      if (this.#timer === undefined) this.#arm(id, startDeadlineMs);
    });
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#options.workerPath, {
      workerData: this.#options.language ?? { locale: "en", words: {} },
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.memoryLimitMb ?? 256,
        stackSizeMb: 4,
      },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.unref();
    worker.on("message", (answer: AssistanceAnswer) => this.#hear(answer));
    worker.on("error", () => this.#fail(worker));
    worker.on("exit", () => this.#end(worker));
    this.#worker = worker;
    return worker;
  }

  #hear(answer: AssistanceAnswer): void {
    if (answer.kind === "started") {
      const factor = this.#pending.get(answer.id)?.isFirst === true ? readingFactor : 1;
      this.#arm(answer.id, (this.#options.deadlineMs ?? 1000) * factor);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#settle(answer.id, answer);
  }

  /** Gives the thread so long for one question; then it is ended and the schema blamed. */
  #arm(id: number, milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#currentKey = this.#pending.get(id)?.schemaKey;
    this.#timer = setTimeout(() => this.#fail(this.#worker), milliseconds);
    this.#timer.unref();
  }

  #fail(worker: Worker | undefined): void {
    if (worker !== this.#worker) return;
    const key = this.#currentKey;
    if (key !== undefined) this.#stuck.set(key, (this.#stuck.get(key) ?? 0) + 1);
    this.#end(worker);
  }

  #settle(id: number, answer: AssistanceAnswer | undefined): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(answer);
  }

  #end(worker = this.#worker): void {
    if (worker === undefined || worker !== this.#worker) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#worker = undefined;
    this.#sent = new Set();
    void worker.terminate();
    for (const id of [...this.#pending.keys()]) this.#settle(id, undefined);
  }
}

function schemaTextOf(schema: unknown): string | undefined {
  try {
    const text = JSON.stringify(schema) ?? "true";
    return text.length > maxSchemaText ? undefined : text;
  } catch {
    // Nested deeper than the printer's stack reaches.
    return undefined;
  }
}
