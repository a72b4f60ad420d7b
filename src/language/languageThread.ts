import { Worker } from "node:worker_threads";
import { sliceLength, textSlices } from "../core/text/chunked";
import { type LanguageTexts, type LocalizableText, l10nText } from "../core/text/language";
import { shortened } from "../core/text/plainText";
import type { TaskMessage, TextPiece, ThreadMessage, ThreadStart } from "./languageMessages";

/** The end of a task: a result, or the reason why the thread was ended. */
export type ThreadAnswer =
  | { kind: "done"; result: unknown }
  | { kind: "tooSlow"; phase: Phase; pattern?: string }
  | { kind: "tooMuchMemory" }
  | { kind: "crashed" };

type Phase = "starting" | "compiling" | "working";

/** The thread's bundle and limits. */
export interface ThreadOptions {
  workerPath: string;
  deadlineMs: number;
  /** The time to start, in milliseconds. It is long, since a slow start is not the fault of a schema. */
  startDeadlineMs: number;
  memoryLimitMb: number;
  language: LanguageTexts;
}

/**
 * The deadline for reading a schema is this many times that of a task. A schema is read once, and its size is limited.
 */
const compilingFactor = 2;
/**
 * The memory for new objects, in MB. With this much, the objects of a large text are copied less often.
 */
const youngGenerationMb = 128;
/** The extra deadline for reading large texts: several times what a slow machine needs. */
const extraMsPerMillionCharacters = 100;
/** The maximum factor by which a deadline is extended on a busy machine, until the thread has had its CPU time. */
const maxExtension = 4;

/**
 * Owns one worker thread and its deadlines. Reading the schema has one deadline and the task another, each counted from
 * the thread's message that the phase begins. A thread that misses a deadline is ended for good.
 */
export class LanguageThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #nativePattern = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  #nativePatterns: readonly string[] = [];
  #current: { message: TaskMessage; finish: (answer: ThreadAnswer) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const start: ThreadStart = {
      nativePattern: this.#nativePattern,
      language: options.language,
    };
    this.#worker = new Worker(options.workerPath, {
      workerData: start,
      resourceLimits: {
        maxOldGenerationSizeMb: options.memoryLimitMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
        stackSizeMb: 4,
      },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    this.#worker.unref();
    this.#worker.on("message", (message: ThreadMessage) => this.#receive(message));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      const kind = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "tooMuchMemory" : "crashed";
      this.#end({ kind });
    });
    this.#worker.on("exit", () => this.#end({ kind: "crashed" }));
  }

  /** Whether the thread has ended and a new one is needed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Runs one task. Wait for the result before running the next. */
  run(message: TaskMessage): Promise<ThreadAnswer> {
    return new Promise((finish) => {
      this.#current = { message, finish };
      this.#nativePatterns = [];
      this.#startTimer("starting", this.#options.startDeadlineMs);
      this.#worker.ref();
      void this.#send(message);
    });
  }

  /** Sends a long text in pieces, since copying all of it at once would block the host. */
  async #send(message: TaskMessage): Promise<void> {
    const { task } = message;
    if (!("text" in task) || task.text.length <= sliceLength) {
      return this.#worker.postMessage(message);
    }
    for (const piece of textSlices(task.text)) {
      this.#worker.postMessage({ kind: "piece", piece } satisfies TextPiece);
      await new Promise(setImmediate);
      if (this.#current?.message !== message) return;
    }
    this.#worker.postMessage({ ...message, task: { ...task, text: "" } } satisfies TaskMessage);
  }

  dispose(): void {
    this.#end({ kind: "crashed" });
  }

  #receive(message: ThreadMessage): void {
    const current = this.#current;
    if (current === undefined || message.id !== current.message.id) return;
    switch (message.kind) {
      case "started":
        this.#startTimer("compiling", this.#options.deadlineMs * compilingFactor);
        return;
      case "compiled": {
        this.#nativePatterns = message.nativePatterns;
        const { task } = current.message;
        const millions = "text" in task ? task.text.length / 1_000_000 : 0;
        const extra = millions * extraMsPerMillionCharacters;
        this.#startTimer("working", this.#options.deadlineMs + extra);
        return;
      }
      case "done":
        this.#finish({ kind: "done", result: message.result });
    }
  }

  /**
   * Ends the thread at its deadline. The deadline counts CPU time, so that a busy machine does not look like a slow
   * schema.
   */
  #startTimer(phase: Phase, milliseconds: number): void {
    clearTimeout(this.#timer);
    const start = performance.now();
    const before = process.cpuUsage();
    const wait = (time: number) => {
      const timer = setTimeout(() => {
        // On a busy host, a message of the thread may be waiting. `setImmediate` lets the host handle it before it ends
        // the thread.
        setImmediate(() => {
          if (this.#timer === timer) expire();
        });
      }, time);
      this.#timer = timer;
    };
    const expire = () => {
      const { user, system } = process.cpuUsage(before);
      const missing = milliseconds - (user + system) / 1000;
      const isWorthWaiting = performance.now() - start < maxExtension * milliseconds;
      if (phase !== "starting" && missing > 1 && isWorthWaiting) {
        wait(missing);
        return;
      }
      const pattern = this.#nativePatterns[Atomics.load(this.#nativePattern, 0)];
      this.#end({ kind: "tooSlow", phase, ...(pattern !== undefined && { pattern }) });
    };
    wait(milliseconds);
  }

  #finish(answer: ThreadAnswer): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const finish = this.#current?.finish;
    this.#current = undefined;
    this.#worker.unref();
    finish?.(answer);
  }

  #end(answer: ThreadAnswer): void {
    if (!this.#ended) {
      this.#ended = true;
      void this.#worker.terminate();
    }
    this.#finish(answer);
  }
}

/** Explains in one sentence why a thread returned no result. */
export function whyNoAnswer(answer: Exclude<ThreadAnswer, { kind: "done" }>): LocalizableText {
  switch (answer.kind) {
    case "tooSlow":
      if (answer.phase === "starting") {
        return l10nText(
          "Could not validate: the validation did not start in time. Edit the payload to try again.",
        );
      }
      return answer.pattern === undefined
        ? l10nText("Could not validate: the schema takes too long to apply.")
        : l10nText("Could not validate: the schema's pattern {pattern} takes too long.", {
            pattern: shortened(answer.pattern, 100),
          });
    case "tooMuchMemory":
      return l10nText("Could not validate: the schema takes too much memory to apply.");
    case "crashed":
      return l10nText(
        "Could not validate: the validation stopped unexpectedly. Edit the payload to try again.",
      );
  }
}
