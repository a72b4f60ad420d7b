import type { StoreNotice } from "../openDatabase";
import type { StoreOperations } from "../store";
import type { StoreProblemKind } from "../storeProblem";

/** A call of an operation. `close` ends the thread after all earlier calls. */
export interface StoreCall {
  readonly id: number;
  readonly name: keyof StoreOperations | "close";
  readonly args: readonly unknown[];
}

/** A message from the thread: a result, an error, or a notice for a person or the log. */
export type StoreMessage =
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | {
      readonly kind: "problem";
      readonly id: number;
      readonly problem: StoreProblemKind;
      readonly message: string;
    }
  | { readonly kind: "notice"; readonly notice: StoreNotice };
