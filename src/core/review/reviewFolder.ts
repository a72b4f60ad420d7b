import type { PayloadProblem } from "../payload/payloadCheck";
import type { Chunked } from "../text/chunked";
import type { Language } from "../text/language";
import type { ReviewFiles } from "./coverage";
import type { TeamFileReading } from "./readTeamFile";
import {
  type ContractFile,
  contractFileName,
  contractKey,
  contractNamer,
  contractOf,
  contractsFolder,
  isContractFile,
  isVersionReview,
  lastReviews,
  policyFileName,
  type Review,
  readContractFile,
  readPolicy,
  readReviewsChunked,
  reviewsFileName,
} from "./reviewFiles";

/**
 * The contents of a repository's review files, or which of them are broken. Without a policy there are no
 * reviews.
 */
export type ReviewFolder =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly files: ReviewFiles }
  | { readonly kind: "broken"; readonly broken: readonly BrokenFile[] };

/** A file that cannot be used, by its path in the folder of reviews, with its text. */
export interface BrokenFile {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly PayloadProblem[];
}

/** Upper limit of contracts that are read. */
const maxContracts = 5000;

/** Filters the names in the folder of contracts to those of contracts. */
export function contractFiles(names: readonly string[]): readonly string[] {
  return names
    .filter(isContractFile)
    .toSorted()
    .slice(0, maxContracts)
    .map((name) => `${contractsFolder}/${name}`);
}

/** Policy and reviews alone, or which file is broken; contracts are read when they are needed. */
export type ReviewRecords =
  | Exclude<ReviewFolder, { kind: "read" }>
  | { readonly kind: "read"; readonly records: Omit<ReviewFiles, "contracts"> };

/**
 * Reads the files together. `texts` has the existing ones, by their path in the folder; `digest` is as for
 * `readContract`.
 */
export function* readReviewFolder(
  texts: ReadonlyMap<string, string>,
  digest: (text: string) => string,
  language: Language,
): Chunked<ReviewFolder> {
  const read = yield* readReviewRecords(texts, language);
  const { contracts, broken } = yield* readContracts(texts, digest, language);
  const all = [...(read.kind === "broken" ? read.broken : []), ...broken];
  if (all.length > 0) return { kind: "broken", broken: all };
  if (read.kind !== "read") return { kind: "none" };
  return withContracts({ ...read.records, contracts }, texts, language);
}

/** Reads policy and reviews. */
export function* readReviewRecords(
  texts: ReadonlyMap<string, string>,
  language: Language,
): Chunked<ReviewRecords> {
  const broken: BrokenFile[] = [];
  const [policyText, reviewsText] = [policyFileName, reviewsFileName].map((one) => texts.get(one));
  const policy =
    policyText === undefined
      ? undefined
      : usableValue(policyFileName, policyText, readPolicy(policyText, language), broken);
  const reviews =
    reviewsText === undefined
      ? undefined
      : usableValue(
          reviewsFileName,
          reviewsText,
          yield* readReviewsChunked(reviewsText, language),
          broken,
        );
  if (broken.length > 0) return { kind: "broken", broken };
  return policy === undefined
    ? { kind: "none" }
    : { kind: "read", records: { policy, reviews: reviews ?? [] } };
}

/** Names the files of the contracts that reviews are of, by their path in the folder. */
export function contractsOfReviews(reviews: readonly Review[]): readonly string[] {
  const names = reviews
    .filter(isVersionReview)
    .flatMap(({ skill: slug, version, registry }) => [
      contractFileName({ slug, version }),
      contractFileName({ slug, version, registry }),
    ]);
  return contractFiles([...new Set(names)]);
}

/** Adds the reviewed contracts to policy and reviews, as `readReviewFolder` does for all. */
export function* readReviewedContracts(
  records: Omit<ReviewFiles, "contracts">,
  texts: ReadonlyMap<string, string>,
  digest: (text: string) => string,
  language: Language,
): Chunked<ReviewFolder> {
  const { contracts, broken } = yield* readContracts(texts, digest, language);
  if (broken.length > 0) return { kind: "broken", broken };
  return withContracts({ ...records, contracts }, texts, language);
}

function* readContracts(
  texts: ReadonlyMap<string, string>,
  digest: (text: string) => string,
  language: Language,
): Chunked<{
  readonly contracts: ReadonlyMap<string, ContractFile>;
  readonly broken: readonly BrokenFile[];
}> {
  const broken: BrokenFile[] = [];
  const contracts = new Map<string, ContractFile>();
  for (const [name, text] of texts) {
    if (!name.startsWith(`${contractsFolder}/`)) continue;
    const file = name.slice(contractsFolder.length + 1);
    const read = readContractFile(file, text, digest, language);
    const contract = usableValue(name, text, read, broken);
    if (contract !== undefined) contracts.set(contractKey(contract), contract);
    yield;
  }
  return { contracts, broken };
}

/** The value of one of the files; a broken one is noted, and counts as missing. */
function usableValue<Value>(
  name: string,
  text: string,
  read: TeamFileReading<Value>,
  broken: BrokenFile[],
): Value | undefined {
  if (read.ok) return read.value;
  broken.push({ name, text, problems: read.problems });
  return undefined;
}

function withContracts(
  files: ReviewFiles,
  texts: ReadonlyMap<string, string>,
  language: Language,
): ReviewFolder {
  const unlike = unlikeContracts(files, texts, language);
  return unlike.length > 0 ? { kind: "broken", broken: unlike } : { kind: "read", files };
}

/** Upper limit of contracts that are named as missing or wrong: the first of them already stops everything. */
const maxUnlike = 100;

/** Each version that was reviewed at a registry must have its contract file, with the hash that was reviewed last. */
function unlikeContracts(
  { reviews, contracts }: ReviewFiles,
  texts: ReadonlyMap<string, string>,
  { t }: Language,
): readonly BrokenFile[] {
  const nameFor = contractNamer(reviews, contracts);
  const unlike = lastReviews(reviews).filter(
    (review) => contractOf(contracts, review) === undefined,
  );
  return unlike.slice(0, maxUnlike).map((review) => {
    const { skill: slug, version, registry } = review;
    const skill = `${slug}@${version}`;
    const expected = nameFor({ slug, version, registry }, review.contract);
    const found = contracts.get(contractKey(expected));
    const name = `${contractsFolder}/${contractFileName(expected)}`;
    const message =
      found === undefined
        ? t("The reviewed contract is missing. Restore the file, or review {skill} again.", {
            skill,
          })
        : t("This is not the contract that was reviewed: its hash is {hash}.", {
            hash: found.hash,
          });
    const problem = {
      code: "file",
      message,
      severity: "error" as const,
      start: 0,
      end: 0,
      pointer: "",
    };
    return { name, text: texts.get(name) ?? "", problems: [problem] };
  });
}

/** What was found at the path of a team file. */
export type TeamText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "tooLarge" }
  /** It is not UTF-8. */
  | { readonly kind: "notText" }
  /** It exists and cannot be read; `reason` is the system's. */
  | { readonly kind: "refused"; readonly reason: string };

/** Reads the folder of reviews from any source, by the paths in it. Neither rejects. */
export interface TeamFileReader {
  /** Lists the names in a folder; empty where there is none. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Reads a file of at most so many bytes. */
  readonly read: (name: string, maxBytes: number) => Promise<TeamText>;
  /** Runs chunked work, with pauses where they are needed. */
  readonly work: <Value>(work: Chunked<Value>) => Promise<Value>;
}

/** The maximum size of a team file, in bytes. */
export const maxTeamFileBytes = 40_000_000;

/** Reads team files; one that exists and cannot be read is broken, not missing. */
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

/** The contents of a folder of reviews, with the text of its reviews, which is empty where there are none. */
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
