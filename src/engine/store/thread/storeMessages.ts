import type { StoreNotice } from "../openDatabase";
import type { StoreQuestions } from "../store";
import type { StoreProblemKind } from "../storeProblem";

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
  | { readonly kind: "notice"; readonly notice: StoreNotice };
