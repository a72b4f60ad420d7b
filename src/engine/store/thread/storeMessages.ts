import type { StoreNotice } from "../openDatabase";
import type { StoreOperations } from "../store";
import type { StoreProblemKind } from "../storeProblem";

/** A question to the thread. `close` ends the thread after all earlier ones are answered. */
export interface StoreCall {
  readonly id: number;
  readonly name: keyof StoreOperations | "close";
  readonly args: readonly unknown[];
}

/** A message of the thread: an answer, the reason for none, or a notice for a person or the log. */
export type StoreMessage =
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | {
      readonly kind: "problem";
      readonly id: number;
      readonly problem: StoreProblemKind;
      readonly message: string;
    }
  | { readonly kind: "notice"; readonly notice: StoreNotice };
