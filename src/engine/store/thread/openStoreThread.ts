import { Worker } from "node:worker_threads";
import type { StoreReport } from "../openDatabase";
import { type OpenedStore, storeAsking } from "../questions";
import { StoreProblem } from "../storeProblem";
import type { StoreAsked, StoreSaid } from "./storeMessages";

/**
 * Opens the store in a folder with its first question, in its own thread, so that a slow disk blocks nothing else in
 * this program. The next question replaces a crashed thread.
 */
export function openStoreThread(
  folder: string,
  report: StoreReport,
  workerPath: string,
): OpenedStore {
  const thread = new StoreThread(folder, report, workerPath);
  return {
    store: storeAsking((name, asked) => thread.ask(name, asked)),
    close: () => thread.close(),
  };
}

/** A caller that waits for an answer. */
interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (problem: StoreProblem) => void;
}

class StoreThread {
  private worker: Worker | undefined;
  private asked = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    private readonly folder: string,
    private readonly report: StoreReport,
    private readonly workerPath: string,
  ) {}

  ask(name: StoreAsked["name"], asked: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.worker ??= this.started();
      this.asked += 1;
      this.waiting.set(this.asked, { resolve, reject });
      this.worker.ref();
      this.worker.postMessage({ id: this.asked, name, asked } satisfies StoreAsked);
    });
  }

  /** Closes the store after the open questions are answered. */
  async close(): Promise<void> {
    const { worker } = this;
    if (worker === undefined) return;
    await this.ask("close", []).catch(() => undefined);
    await worker.terminate();
  }

  private started(): Worker {
    const worker = new Worker(this.workerPath, { workerData: this.folder, env: {}, execArgv: [] });
    worker.unref();
    worker.on("message", (said: StoreSaid) => this.receive(said));
    worker.on("error", (error) => this.end(worker, error));
    worker.on("exit", () => this.end(worker));
    return worker;
  }

  private receive(said: StoreSaid): void {
    if (said.kind === "notice") {
      this.report(said.notice);
      return;
    }
    const waiting = this.waiting.get(said.id);
    this.waiting.delete(said.id);
    if (this.waiting.size === 0) this.worker?.unref();
    if (said.kind === "answer") waiting?.resolve(said.answer);
    else waiting?.reject(new StoreProblem(said.problem, said.message));
  }

  /** Ends all waiting questions. Nobody knows whether the thread executed the last ones. */
  private end(worker: Worker, cause?: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const problem = new StoreProblem("unusable", "The thread of the record ended.", cause);
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
  }
}
