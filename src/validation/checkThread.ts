import { Worker } from "node:worker_threads";
import type { PayloadCheck } from "../core/payloadCheck";
import type { CheckMessage, WorkerMessage } from "./workerMessages";

/** How a thread ended one check: with an answer, or by being ended because it would not answer. */
export type ThreadAnswer =
  | { kind: "checked"; check: PayloadCheck }
  | { kind: "tooSlow"; phase: "starting" | "compiling" | "checking" }
  | { kind: "tooMuchMemory" }
  | { kind: "crashed" };

export interface ThreadOptions {
  workerPath: string;
  deadlineMs: number;
  memoryLimitMb: number;
}

const startDeadlineMs = 15_000;

/**
 * Owns one worker thread and the clock of what it is doing. The deadline counts once for compiling
 * and once for checking, from the moment the thread says that it began, so that a slow start of the
 * thread is not held against a schema. A thread that misses it is ended for good.
 */
export class CheckThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  #current: { id: number; finish: (answer: ThreadAnswer) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.workerPath, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryLimitMb, stackSizeMb: 4 },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    this.#worker.unref();
    this.#worker.on("message", (message: WorkerMessage) => this.#hear(message));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      const kind = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "tooMuchMemory" : "crashed";
      this.#end({ kind });
    });
    this.#worker.on("exit", () => this.#end({ kind: "crashed" }));
  }

  /** True once the thread is gone and a new one is needed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Runs one check. The caller waits for the answer before it asks again. */
  run(message: CheckMessage): Promise<ThreadAnswer> {
    return new Promise((finish) => {
      this.#current = { id: message.id, finish };
      this.#arm("starting", startDeadlineMs);
      this.#worker.ref();
      this.#worker.postMessage(message);
    });
  }

  dispose(): void {
    this.#end({ kind: "crashed" });
  }

  #hear(message: WorkerMessage): void {
    if (message.id !== this.#current?.id) return;
    if (message.kind === "started") this.#arm("compiling", this.#options.deadlineMs);
    if (message.kind === "compiled") this.#arm("checking", this.#options.deadlineMs);
    if (message.kind === "checked") this.#finish({ kind: "checked", check: message.check });
  }

  #arm(phase: "starting" | "compiling" | "checking", milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end({ kind: "tooSlow", phase }), milliseconds);
  }

  #finish(answer: ThreadAnswer): void {
    clearTimeout(this.#timer);
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
