import type { Store, StoreQuestions } from "./store";

/** The name of the store's file in the folder of this machine. */
export const storeName = "store.db";

/** How often a program looks for changes of others, in milliseconds, while somebody listens: it takes some 10 µs. */
export const lookMs = 500;
/**
 * What each question does to the disk. `lasting` survives a loss of power once it is answered: money depends on it. An
 * end that is lost with the machine's power reads as an unknown outcome.
 */
export const effects: Readonly<Record<keyof StoreQuestions, "reads" | "writes" | "lasting">> = {
  start: "lasting",
  end: "writes",
  undo: "writes",
  list: "reads",
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

/** The store of this machine, as long as a program has it open. */
export interface OpenedStore {
  readonly store: Store;
  /** Answers what was asked, and closes it. */
  readonly close: () => Promise<void>;
}

/** A question by its name, and what it is asked with. Resolves to its answer. */
type Ask = (name: keyof StoreQuestions, asked: readonly unknown[]) => Promise<unknown>;

/** Makes a store whose questions all go one way. */
export function storeAsking(ask: Ask): Store {
  const names = Object.keys(effects) as (keyof StoreQuestions)[];
  return Object.fromEntries(
    names.map((name) => [name, (...asked: unknown[]) => ask(name, asked)]),
  ) as unknown as Store;
}
