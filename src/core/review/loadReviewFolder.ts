import type { Chunked } from "../text/chunked";
import type { Language } from "../text/language";
import { contractsFolder, policyFileName, reviewsFileName } from "./reviewFiles";
import {
  type BrokenFile,
  contractFiles,
  type ReviewFolder,
  readReviewFolder,
} from "./reviewFolder";

/** What was found where a file of the team should be. */
export type TeamText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "tooLarge" }
  /** It is not UTF-8. */
  | { readonly kind: "notText" }
  /** It is there and cannot be read; `reason` is the system's. */
  | { readonly kind: "refused"; readonly reason: string };

/** Reads the folder of reviews from wherever it is, by the paths in it. Neither rejects. */
export interface TeamFileReader {
  /** Names what is in a folder; empty where there is none. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Reads a file of at most so many bytes. */
  readonly read: (name: string, maxBytes: number) => Promise<TeamText>;
  /** Does work that takes a while, with the pauses that others need here. */
  readonly work: <Value>(work: Chunked<Value>) => Promise<Value>;
}

/** No file of a team is larger, in bytes. */
export const maxTeamFileBytes = 40_000_000;

/** Reads files of the team; one that is there and cannot be read is broken, and not the same as none. */
export async function readTeamTexts(
  reader: Pick<TeamFileReader, "read">,
  names: readonly string[],
  language: Language,
): Promise<{
  readonly texts: ReadonlyMap<string, string>;
  readonly unreadable: readonly BrokenFile[];
}> {
  const texts = new Map<string, string>();
  const unreadable: BrokenFile[] = [];
  for (const name of names) {
    const found = await reader.read(name, maxTeamFileBytes);
    if (found.kind === "none") continue;
    if (found.kind === "text") {
      texts.set(name, found.text);
      continue;
    }
    const range = { start: 0, end: 0, pointer: "" };
    const message = unreadableText(found, language);
    const problem = { code: "file", message, severity: "error" as const, ...range };
    unreadable.push({ name, text: "", problems: [problem] });
  }
  return { texts, unreadable };
}

function unreadableText(
  found: Exclude<TeamText, { kind: "text" | "none" }>,
  { t }: Language,
): string {
  switch (found.kind) {
    case "tooLarge":
      return t("This file is too large.");
    case "notText":
      return t("This file is not UTF-8 text.");
    case "refused":
      return t("This file could not be read: {reason}.", { reason: found.reason });
  }
}

/** What a folder of reviews says, with the text of its reviews, which is empty where there are none. */
export interface LoadedReviewFolder {
  readonly reviews: ReviewFolder;
  readonly reviewsText: string;
}

/** Reads the whole folder of reviews. `digest` is as for `readContract`. */
export async function loadReviewFolder(
  reader: TeamFileReader,
  digest: (text: string) => string,
  language: Language,
): Promise<LoadedReviewFolder> {
  const contracts = contractFiles(await reader.list(contractsFolder));
  const names = [policyFileName, reviewsFileName, ...contracts];
  const { texts, unreadable } = await readTeamTexts(reader, names, language);
  const reviews: ReviewFolder =
    unreadable.length > 0
      ? { kind: "broken", broken: unreadable }
      : await reader.work(readReviewFolder(texts, digest, language));
  return { reviews, reviewsText: texts.get(reviewsFileName) ?? "" };
}
