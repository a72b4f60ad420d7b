import type { StoreReport } from "../openDatabase";
import { StoreProblem } from "../storeProblem";
import type { StoreCall, StoreMessage } from "./storeMessages";

/** A caller that waits for an answer. */
interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (problem: StoreProblem) => void;
}

/** The calls of operations whose answers arrive as messages. */
export class StoreCalls {
  private lastId = 0;
  private readonly pending = new Map<number, PendingCall>();

  constructor(private readonly report: StoreReport) {}

  /** The number of calls without an answer. */
  get count(): number {
    return this.pending.size;
  }

  /** Sends a call. Rejects with a `StoreProblem` if the operation fails, and with the error of `send`. */
  call(
    name: StoreCall["name"],
    args: readonly unknown[],
    send: (asked: StoreCall) => void | Promise<void>,
  ): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      void (async () => send({ id, name, args }))().catch((error) => {
        this.pending.delete(id);
        reject(error);
      });
    });
  }

  /** Ends the call that a message answers, or reports its notice. */
  receive(said: StoreMessage): void {
    if (said.kind === "notice") {
      this.report(said.notice);
      return;
    }
    const waiting = this.pending.get(said.id);
    this.pending.delete(said.id);
    if (said.kind === "answer") waiting?.resolve(said.answer);
    else waiting?.reject(new StoreProblem(said.problem, said.message));
  }

  /** Rejects all calls without an answer. */
  rejectAll(problem: StoreProblem): void {
    for (const { reject } of this.pending.values()) reject(problem);
    this.pending.clear();
  }
}
