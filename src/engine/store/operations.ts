import type { Store, StoreOperations } from "./store";

/** The name of the store's file in the folder of this machine. */
export const storeName = "store.db";

/**
 * How often a program checks for changes by others while somebody listens, in milliseconds. One check takes about 10
 * µs.
 */
export const pollMs = 500;
/**
 * The effect of each question on the disk. `lasting`: after the answer it survives a loss of power, because money
 * depends on it. An end that is lost with the power reads as an unknown outcome.
 */
export const effects: Readonly<Record<keyof StoreOperations, "reads" | "writes" | "lasting">> = {
  start: "lasting",
  end: "writes",
  undo: "writes",
  list: "reads",
  names: "reads",
  sums: "reads",
  texts: "reads",
  addTexts: "writes",
  pin: "lasting",
  remove: "lasting",
  retain: "writes",
  extent: "reads",
  earlier: "reads",
  spent: "reads",
  billedSoFar: "reads",
  agreed: "reads",
  agree: "lasting",
  addRefusal: "writes",
  refusals: "reads",
  noteEvent: "lasting",
  takeEvents: "writes",
  endTurn: "writes",
  value: "reads",
  keepValue: "lasting",
  changes: "reads",
};

/** The store of this machine while a program has it open. */
export interface OpenedStore {
  readonly store: Store;
  /** Answers the open questions, and closes the store. */
  readonly close: () => Promise<void>;
}

/** Asks a question by its name and its arguments. Resolves to its answer. */
type RunOperation = (name: keyof StoreOperations, asked: readonly unknown[]) => Promise<unknown>;

/** Creates a store that passes all questions to one function. */
export function createStore(ask: RunOperation): Store {
  const names = Object.keys(effects) as (keyof StoreOperations)[];
  return Object.fromEntries(
    names.map((name) => [name, (...asked: unknown[]) => ask(name, asked)]),
  ) as unknown as Store;
}
