import { EventEmitter } from "node:events";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { serveStore } from "../../../src/engine/store/thread/serveStore";
import type { StoreCall, StoreMessage } from "../../../src/engine/store/thread/storeMessages";
import type { TaskMessage, TextPiece } from "../../../src/language/languageMessages";
import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import type { Clock } from "./clock";

/**
 * Returns a replacement of `Worker` for one editor's extension. Idle language threads are reused by the next editor;
 * the built-in registry, and the store with the editor's clock, run in this process. New threads for each editor took a
 * fifth of the time of these tests; editor tests show that a real window starts its own.
 */
export function workersOf(clock: Clock, held: HeldQuestions) {
  return function sharedWorker(path: string, options: WorkerOptions): EventEmitter {
    if (path.endsWith("languageWorker.js")) return new LanguageThread(path, options, held);
    if (path.endsWith("storeWorker.js")) return new StoreHere(options, clock, held);
    return new RegistryHere(options);
  };
}

/** The delayed questions to the store and the language thread, by their names, with what each waits for. */
export type HeldQuestions = Map<string, Promise<unknown>>;

/** Idle threads by their language. */
const idle = new Map<string, Worker[]>();

class LanguageThread extends EventEmitter {
  private readonly worker: Worker;
  private readonly alike: Worker[];
  private isBusy = false;
  private task = "";

  constructor(
    path: string,
    options: WorkerOptions,
    private readonly held: HeldQuestions,
  ) {
    super();
    const { locale } = options.workerData.language;
    this.alike = idle.get(locale) ?? [];
    idle.set(locale, this.alike);
    this.worker = this.alike.pop() ?? new Worker(path, options);
    this.worker.on("message", (message) => {
      if (message.kind === "done") this.isBusy = false;
      const held = message.kind === "done" ? this.held.get(this.task) : undefined;
      if (held === undefined) this.emit("message", message);
      else void held.then(() => this.emit("message", message));
    });
    for (const event of ["error", "exit"]) {
      this.worker.on(event, (said) => {
        this.isBusy = true;
        this.emit(event, said);
      });
    }
  }

  postMessage(message: TaskMessage | TextPiece): void {
    this.isBusy = true;
    if (message.kind === "task") this.task = message.task.kind;
    this.worker.postMessage(message);
  }

  ref(): void {
    this.worker.ref();
  }

  unref(): void {
    this.worker.unref();
  }

  /** Passes the thread on, unless it still works or has ended. */
  terminate(): void {
    // Removes only our own listeners, since the worker needs its internal ones.
    for (const event of ["message", "error", "exit"]) this.worker.removeAllListeners(event);
    if (this.isBusy) void this.worker.terminate();
    else this.alike.push(this.worker);
  }
}

class StoreHere extends EventEmitter {
  private readonly answer: (asked: StoreCall) => Promise<void>;

  constructor(
    { workerData }: WorkerOptions,
    clock: Clock,
    private readonly held: HeldQuestions,
  ) {
    super();
    const say = (said: StoreMessage) =>
      setImmediate(() => this.emit("message", structuredClone(said)));
    this.answer = serveStore(workerData, say, { now: () => clock.now() });
  }

  postMessage(asked: StoreCall): void {
    const question = structuredClone(asked);
    const held = this.held.get(asked.name);
    void (held === undefined ? this.answer(question) : held.then(() => this.answer(question)));
  }

  ref(): void {}

  unref(): void {}

  terminate(): void {}
}

class RegistryHere extends EventEmitter {
  private readonly registry: ReturnType<typeof startLocalRegistry>;

  constructor({ workerData }: WorkerOptions) {
    super();
    this.registry = startLocalRegistry(workerData);
    void this.registry.then(({ baseUrl, projectKey, userTokens }) =>
      this.emit("message", { baseUrl, projectKey, userTokens }),
    );
  }

  async terminate(): Promise<void> {
    await (await this.registry).close();
  }
}
