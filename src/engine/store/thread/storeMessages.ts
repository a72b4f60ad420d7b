import type { StoreReports } from "../openDatabase";
import type { StoreQuestions } from "../store";
import type { StoreProblemKind } from "../storeProblem";

/** The start data of a store's thread: the folder of this machine. */
export interface StoreThreadStart {
  readonly folder: string;
}

/** A question to the thread. `close` ends the thread after all earlier ones are answered. */
export interface StoreAsked {
  readonly id: number;
  readonly name: keyof StoreQuestions | "close";
  readonly asked: readonly unknown[];
}

/** A message of the thread: an answer, the reason for none, or a notice for a person or the log. */
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
