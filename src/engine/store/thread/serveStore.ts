import { openStore, type StoreSurroundings } from "../openStore";
import { problemOf } from "../storeProblem";
import type { StoreAsked, StoreSaid } from "./storeMessages";

/** Answers questions about the store of a folder. Returns the function that receives each question. */
export function serveStore(
  folder: string,
  say: (said: StoreSaid) => void,
  surroundings?: StoreSurroundings,
): (asked: StoreAsked) => Promise<void> {
  const { store, close } = openStore(
    folder,
    (notice) => say({ kind: "notice", notice }),
    surroundings,
  );
  return async ({ id, name, asked }) => {
    try {
      const answer: (...of: readonly unknown[]) => Promise<unknown> =
        name === "close" ? close : (store[name] as (...of: readonly unknown[]) => Promise<unknown>);
      say({ kind: "answer", id, answer: await answer(...asked) });
    } catch (error) {
      const { kind: problem, message } = problemOf(error);
      say({ kind: "problem", id, problem, message });
    }
  };
}
