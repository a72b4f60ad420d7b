import { Worker } from "node:worker_threads";
import type { StoreReport } from "../openDatabase";
import { createStore, type OpenedStore } from "../operations";
import { StoreProblem } from "../storeProblem";
import type { StoreCall, StoreMessage } from "./storeMessages";

/**
 * Opens the store in a folder, in its own thread, so that a slow disk does not block this program. The thread starts
 * with the first operation. If it crashes, the next operation starts a new one.
 */
export function openStoreThread(
  folder: string,
  report: StoreReport,
  workerPath: string,
): OpenedStore {
  const thread = new StoreThread(folder, report, workerPath);
  return {
    store: createStore((name, args) => thread.call(name, args)),
    close: () => thread.close(),
  };
}

/** A caller that waits for an answer. */
interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (problem: StoreProblem) => void;
}

class StoreThread {
  private worker: Worker | undefined;
  private lastId = 0;
  private readonly pending = new Map<number, PendingCall>();

  constructor(
    private readonly folder: string,
    private readonly report: StoreReport,
    private readonly workerPath: string,
  ) {}

  call(name: StoreCall["name"], args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.worker ??= this.startWorker();
      this.lastId += 1;
      this.pending.set(this.lastId, { resolve, reject });
      this.worker.ref();
      this.worker.postMessage({ id: this.lastId, name, args } satisfies StoreCall);
    });
  }

  /** Closes the store after the operations in progress. */
  async close(): Promise<void> {
    const { worker } = this;
    if (worker === undefined) return;
    await this.call("close", []).catch(() => undefined);
    await worker.terminate();
  }

  private startWorker(): Worker {
    const worker = new Worker(this.workerPath, { workerData: this.folder, env: {}, execArgv: [] });
    worker.unref();
    worker.on("message", (said: StoreMessage) => this.receive(said));
    worker.on("error", (error) => this.end(worker, error));
    worker.on("exit", () => this.end(worker));
    return worker;
  }

  private receive(said: StoreMessage): void {
    if (said.kind === "notice") {
      this.report(said.notice);
      return;
    }
    const waiting = this.pending.get(said.id);
    this.pending.delete(said.id);
    if (this.pending.size === 0) this.worker?.unref();
    if (said.kind === "answer") waiting?.resolve(said.answer);
    else waiting?.reject(new StoreProblem(said.problem, said.message));
  }

  /** Rejects all calls in progress. It is unknown whether the thread still ran the last ones. */
  private end(worker: Worker, cause?: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const problem = new StoreProblem("unusable", "The thread of the record ended.", cause);
    for (const { reject } of this.pending.values()) reject(problem);
    this.pending.clear();
  }
}
