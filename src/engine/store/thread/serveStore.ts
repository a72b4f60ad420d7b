import { openStore, type StoreSurroundings } from "../openStore";
import { problemOf } from "../storeProblem";
import type { StoreCall, StoreMessage } from "./storeMessages";

/** Runs the operations of a store for other threads and other bundles. Returns the function that handles each call. */
export function serveStore(
  folder: string,
  say: (said: StoreMessage) => void,
  surroundings?: StoreSurroundings,
): (asked: StoreCall) => Promise<void> {
  const { store, close } = openStore(
    folder,
    (notice) => say({ kind: "notice", notice }),
    surroundings,
  );
  return async ({ id, name, args }) => {
    try {
      const answer: (...of: readonly unknown[]) => Promise<unknown> =
        name === "close" ? close : (store[name] as (...of: readonly unknown[]) => Promise<unknown>);
      say({ kind: "answer", id, answer: await answer(...args) });
    } catch (error) {
      const { kind: problem, message } = problemOf(error);
      say({ kind: "problem", id, problem, message });
    }
  };
}
