import { Worker } from "node:worker_threads";
import type { StoreReport } from "../openDatabase";
import { createStore, type OpenedStore } from "../operations";
import { StoreProblem } from "../storeProblem";
import { StoreCalls } from "./storeCalls";
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

class StoreThread {
  private worker: Worker | undefined;
  private readonly calls: StoreCalls;

  constructor(
    private readonly folder: string,
    report: StoreReport,
    private readonly workerPath: string,
  ) {
    this.calls = new StoreCalls(report);
  }

  call(name: StoreCall["name"], args: readonly unknown[]): Promise<unknown> {
    return this.calls.call(name, args, (asked) => {
      this.worker ??= this.startWorker();
      this.worker.ref();
      this.worker.postMessage(asked);
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
    this.calls.receive(said);
    if (this.calls.count === 0) this.worker?.unref();
  }

  /** Rejects all calls in progress. It is unknown whether the thread still ran the last ones. */
  private end(worker: Worker, cause?: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.calls.rejectAll(new StoreProblem("unusable", "The thread of the record ended.", cause));
  }
}
