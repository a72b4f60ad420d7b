import type { StoreReports } from "../openDatabase";
import { openStore, type StoreSurroundings } from "../openStore";
import { problemOf } from "../storeProblem";
import type { StoreAsked, StoreSaid, StoreThreadStart } from "./storeMessages";

/** Answers questions about the store of a folder. Returns the function that receives each question. */
export function serveStore(
  { folder }: StoreThreadStart,
  say: (said: StoreSaid) => void,
  surroundings?: StoreSurroundings,
): (asked: StoreAsked) => Promise<void> {
  const report =
    (name: keyof StoreReports) =>
    (...said: string[]) =>
      say({ kind: "report", name, said });
  const { store, close } = openStore(
    folder,
    {
      setAside: report("setAside"),
      isReplaced: report("isReplaced"),
      isSlow: report("isSlow"),
    },
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
