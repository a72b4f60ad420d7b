import type { Store, StoreOperations } from "./store";

/** The name of the store's file in the folder of this machine. */
export const storeName = "store.db";

/**
 * How often a program checks for changes by others while there are listeners, in milliseconds. One check takes about 10
 * µs.
 */
export const pollMs = 500;
/**
 * The effect of each operation on the disk. After a `lasting` operation, the change survives a power failure, because
 * money depends on it. If a power failure loses an end, its outcome reads as unknown.
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

/** The store of this machine, opened by a program. */
export interface OpenedStore {
  readonly store: Store;
  /** Completes the operations in progress, and closes the store. */
  readonly close: () => Promise<void>;
}

/** Runs an operation by its name, with its arguments. Resolves to its result. */
type RunOperation = (name: keyof StoreOperations, args: readonly unknown[]) => Promise<unknown>;

/** Creates a store that passes all operations to one function. */
export function createStore(ask: RunOperation): Store {
  const names = Object.keys(effects) as (keyof StoreOperations)[];
  return Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => ask(name, args)]),
  ) as unknown as Store;
}
