import type { StoreReports } from "../openDatabase";
import type { StoreQuestions } from "../store";
import type { StoreProblemKind } from "../storeProblem";

/** What a thread with a store is started with: the folder of this machine. */
export interface StoreThreadStart {
  readonly folder: string;
}

/** A question to the thread; `close` ends it once all before is answered. */
export interface StoreAsked {
  readonly id: number;
  readonly name: keyof StoreQuestions | "close";
  readonly asked: readonly unknown[];
}

/** What the thread says: the answer to a question, why there is none, or what a person or the log should know. */
export type StoreSaid =
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | {
      readonly kind: "problem";
      readonly id: number;
      readonly problem: StoreProblemKind;
      readonly message: string;
    }
  | {
      readonly kind: "report";
      readonly name: keyof StoreReports;
      readonly said: readonly string[];
    };
