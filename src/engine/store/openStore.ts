import { dirname, join } from "node:path";
import { pause, yieldToEventLoop } from "../../registry/wait";
import {
  type FoundFault,
  fileAt,
  type OpenDatabase,
  openDatabase,
  replacedNotice,
  type StoreReport,
  unreadableNotice,
} from "./openDatabase";
import { createStore, effects, type OpenedStore, storeName } from "./operations";
import { type Program, thisProgram } from "./program";
import { rollBack } from "./sqlite";
import type { StoreOperations } from "./store";
import { noteAge } from "./storeAge";
import { createOperations } from "./storeDatabase";
import { isBusy, isDamage, problemOf } from "./storeProblem";

/** How long SQLite itself waits for another program, in milliseconds. This blocks the thread. */
const busyMs = 10;
/** How long an operation is retried while other programs lock the file, in milliseconds. */
const maxWaitMs = 10_000;
/** The maximum duration of one transaction with several operations, in milliseconds. */
const maxTransactionMs = 20;

/** An operation whose caller waits for the result. */
interface PendingOperation {
  readonly name: keyof StoreOperations;
  readonly args: readonly unknown[];
  readonly deadline: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The surroundings that tests replace. */
export interface StoreSurroundings {
  readonly now?: () => number;
  /** A clock for time limits, in milliseconds, which never goes back. */
  readonly monotonicNow?: () => number;
  readonly self?: Program;
}

/**
 * Opens the store in a folder when its first operation runs. Operations that arrive meanwhile share one transaction, so
 * that many simultaneous invocations wait for the disk once.
 */
export function openStore(
  folder: string,
  report: StoreReport,
  surroundings: StoreSurroundings = {},
): OpenedStore {
  const file = new StoreFile(join(folder, storeName), report, surroundings);
  return { store: createStore((name, args) => file.run(name, args)), close: () => file.close() };
}

class StoreFile {
  private readonly waiting: PendingOperation[] = [];
  private opened: (OpenDatabase & { readonly operations: StoreOperations }) | undefined;
  private working: Promise<void> | undefined;
  private readonly self: Program;
  private readonly now: () => number;
  private readonly monotonicNow: () => number;

  constructor(
    private readonly path: string,
    private readonly report: StoreReport,
    {
      now = () => Date.now(),
      monotonicNow = () => performance.now(),
      self = thisProgram(),
    }: StoreSurroundings,
  ) {
    this.now = now;
    this.monotonicNow = monotonicNow;
    this.self = self;
  }

  run(name: keyof StoreOperations, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const deadline = this.monotonicNow() + maxWaitMs;
      this.waiting.push({ name, args, deadline, resolve, reject });
      this.working ??= this.runAll();
    });
  }

  async close(): Promise<void> {
    await this.working;
    this.opened?.database.close();
    this.opened = undefined;
  }

  private async runAll(): Promise<void> {
    while (this.waiting.length > 0) {
      // Operations that arrive in this turn of the event loop join the same transaction.
      await yieldToEventLoop();
      const pending = this.waiting.splice(0);
      const blocked = this.runTogether(pending);
      if (blocked.length === 0) continue;
      this.waiting.unshift(...blocked);
      await pause(1 + Math.random() * busyMs);
    }
    this.working = undefined;
  }

  /**
   * Runs operations in one transaction, or each by itself if that fails. Returns the operations that other programs
   * blocked, and those that did not fit into the transaction.
   */
  private runTogether(pending: readonly PendingOperation[]): readonly PendingOperation[] {
    try {
      const answers = this.inTransaction(pending);
      for (const [index, { resolve }] of pending.slice(0, answers.length).entries()) {
        resolve(answers[index]);
      }
      return pending.slice(answers.length);
    } catch (error) {
      if (isBusy(error)) return this.stillWaiting(pending, error);
      const [only] = pending;
      if (pending.length === 1 && only !== undefined) return this.runAlone(only, error);
      return pending.flatMap((item) => this.runTogether([item]));
    }
  }

  /** Runs one operation by itself. If the file is damaged, renames it and uses a new one. */
  private runAlone(operation: PendingOperation, error: unknown): readonly PendingOperation[] {
    if (isDamage(error) && this.opened !== undefined) {
      try {
        this.open({ damaged: this.opened.file });
        const [answer] = this.inTransaction([operation]);
        operation.resolve(answer);
        return [];
      } catch (again) {
        if (isBusy(again)) return this.stillWaiting([operation], again);
        operation.reject(problemOf(again, this.path));
        return [];
      }
    }
    operation.reject(problemOf(error, this.path));
    return [];
  }

  private stillWaiting(
    pending: readonly PendingOperation[],
    error: unknown,
  ): readonly PendingOperation[] {
    const now = this.monotonicNow();
    for (const { deadline, reject } of pending)
      if (deadline <= now) reject(problemOf(error, this.path));
    return pending.filter(({ deadline }) => deadline > now);
  }

  /** Runs the first operations, as many as one transaction has time for. If it throws, nothing happened. */
  private inTransaction(pending: readonly PendingOperation[]): readonly unknown[] {
    const effect = pending.map(({ name }) => effects[name]);
    const isWriting = effect.some((item) => item !== "reads");
    const { database, operations } = this.current(!isWriting);
    database.exec(`PRAGMA synchronous = ${effect.includes("lasting") ? "FULL" : "NORMAL"}`);
    database.exec(isWriting ? "BEGIN IMMEDIATE" : "BEGIN");
    try {
      const until = this.monotonicNow() + maxTransactionMs;
      const answers: unknown[] = [];
      for (const { name, args } of pending) {
        const answer = operations[name] as (...of: readonly unknown[]) => unknown;
        answers.push(answer.apply(operations, args as unknown[]));
        if (this.monotonicNow() > until) break;
      }
      database.exec("COMMIT");
      if (pending.some(({ name }) => name === "start")) noteAge(database, this.path);
      return answers;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  /** Returns the open file. If another file took its place, opens that one. */
  private current(isReading: boolean) {
    const { opened } = this;
    if (opened === undefined || opened.isForOneReading) return this.open({}, isReading);
    if (fileAt(this.path) === opened.file) return opened;
    this.report(replacedNotice(dirname(this.path)));
    return this.open({ isReplaced: true });
  }

  private open(found: FoundFault, isReading = false) {
    this.opened?.database.close();
    this.opened = undefined;
    const open = openDatabase(this.path, this.report, busyMs, found, isReading);
    const operations = createOperations(open.database, this.self, this.now, (count) =>
      this.report(unreadableNotice(count)),
    );
    this.opened = { ...open, operations };
    return this.opened;
  }
}
