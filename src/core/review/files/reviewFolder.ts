import type { PayloadProblem } from "../../payload/payloadCheck";
import type { TeamFileReading } from "../../payload/readTeamFile";
import type { Chunked } from "../../text/chunked";
import type { Language } from "../../text/language";
import type { ReviewFiles } from "../coverage";
import {
  type ContractFile,
  contractFileName,
  contractKey,
  contractNamer,
  contractOf,
  isContractFile,
  readContractFile,
} from "./contractFiles";
import {
  contractsFolder,
  isVersionReview,
  lastReviews,
  policyFileName,
  type Review,
  readPolicy,
  readReviews,
  reviewsFileName,
} from "./reviewFiles";

/** The contents of a repository's review files, or the broken files. Without a policy, a repository has no reviews. */
export type ReviewFolder =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly files: ReviewFiles }
  | { readonly kind: "broken"; readonly broken: readonly BrokenFile[] };

/** An unusable file, by its path in the folder of reviews, with its text. */
export interface BrokenFile {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly PayloadProblem[];
}

/** The files of policy and reviews, by their paths in the folder. */
export const recordFiles: readonly string[] = [policyFileName, reviewsFileName];

/** Returns the paths of the contract files among the names in their folder, sorted. */
function contractFiles(names: readonly string[]): readonly string[] {
  return names
    .filter(isContractFile)
    .toSorted()
    .map((name) => `${contractsFolder}/${name}`);
}

/** Policy and reviews without contracts, or the broken files. Contracts are read on demand. */
type ReviewRecords =
  | Exclude<ReviewFolder, { kind: "read" }>
  | { readonly kind: "read"; readonly records: Omit<ReviewFiles, "contracts"> };

/** Parses policy and reviews from the texts of `recordFiles`. */
export async function readReviewRecords(
  { texts, unreadable }: TeamTexts,
  { work }: Pick<TeamFileReader, "work">,
  language: Language,
): Promise<ReviewRecords> {
  return unreadable.length > 0
    ? { kind: "broken", broken: unreadable }
    : work(recordsIn(texts, language));
}

function* recordsIn(
  texts: ReadonlyMap<string, string>,
  language: Language,
): Chunked<ReviewRecords> {
  const broken: BrokenFile[] = [];
  const [policyText, reviewsText] = [policyFileName, reviewsFileName].map((item) =>
    texts.get(item),
  );
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
          yield* readReviews(reviewsText, language),
          broken,
        );
  if (broken.length > 0) return { kind: "broken", broken };
  return policy === undefined
    ? { kind: "none" }
    : { kind: "read", records: { policy, reviews: reviews ?? [] } };
}

/** Lists the contract files of reviews, by their path in the folder. */
export function contractsOfReviews(reviews: readonly Review[]): readonly string[] {
  const names = reviews
    .filter(isVersionReview)
    .flatMap(({ skill: slug, version, registry }) => [
      contractFileName({ slug, version }),
      contractFileName({ slug, version, registry }),
    ]);
  return contractFiles([...new Set(names)]);
}

/** Returns the value of a file. Adds a broken file to `broken` and returns undefined, as for a missing one. */
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

/**
 * The maximum number of contracts that are reported as broken. One broken contract already makes the reviews unusable.
 */
const maxBroken = 100;

/** Reports versions whose contract file is missing, or whose hash differs from the last review's. */
function mismatchedContracts(
  { reviews, contracts }: ReviewFiles,
  { t }: Language,
): readonly BrokenFile[] {
  const nameFor = contractNamer(reviews, contracts);
  const unlike = lastReviews(reviews).filter(
    (review) => contractOf(contracts, review) === undefined,
  );
  return unlike.slice(0, maxBroken).map((review) => {
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
    return unusable(name, message);
  });
}

/** The result of reading a team file. */
export type TeamText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "tooLarge" }
  /** A link leads out of the repository. */
  | { readonly kind: "outside" }
  /** The file is not UTF-8. */
  | { readonly kind: "notText" }
  /** The file exists but cannot be read; `reason` is the system's message. */
  | { readonly kind: "refused"; readonly reason: string };

/** Reads the folder of reviews from any storage. Paths are relative to the folder. `list` and `read` never reject. */
export interface TeamFileReader {
  /** Lists the names in a folder; empty without a folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Reads a file of at most `maxBytes`. */
  readonly read: (name: string, maxBytes: number) => Promise<TeamText>;
  /** Runs chunked work, and pauses if it takes long. */
  readonly work: <Value>(work: Chunked<Value>) => Promise<Value>;
}

/** The maximum size of a team file in bytes: 10 million characters of at most 4 bytes. */
export const maxTeamFileBytes = 40_000_000;

/** The maximum characters of all contracts of a repository together, since they stay in memory. */
const maxContractsLength = 64_000_000;

/** The texts of team files by their paths in the folder, and the files that exist but cannot be read. */
interface TeamTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly unreadable: readonly BrokenFile[];
}

/** Reads team files. A file that exists but cannot be read is broken, not missing. */
export async function readTeamTexts(
  reader: Pick<TeamFileReader, "read">,
  names: readonly string[],
  language: Language,
): Promise<TeamTexts> {
  const texts = new Map<string, string>();
  const unreadable: BrokenFile[] = [];
  for (const name of names) {
    const found = await reader.read(name, maxTeamFileBytes);
    if (found.kind === "text") texts.set(name, found.text);
    else if (found.kind !== "none")
      unreadable.push(unusable(name, unreadableText(found, language)));
  }
  return { texts, unreadable };
}

function unusable(name: string, message: string): BrokenFile {
  return { name, text: "", problems: [fileProblem(message)] };
}

/** Creates the problem of an unreadable file, at its beginning. */
export function fileProblem(message: string): PayloadProblem {
  return { code: "file", message, severity: "error", start: 0, end: 0, pointer: "" };
}

/** Describes why a team file that exists could not be read. */
export function unreadableText(
  found: Exclude<TeamText, { kind: "text" | "none" }>,
  { t }: Language,
): string {
  switch (found.kind) {
    case "tooLarge":
      return t("This file is too large.");
    case "outside":
      return t("This file is a link that leads out of the folder. Replace it with a file.");
    case "notText":
      return t("This file is not UTF-8 text.");
    case "refused":
      return t("This file could not be read: {reason}.", { reason: found.reason });
  }
}

/** Reads contracts one after the other, and keeps only their values, not their texts. */
async function readContracts(
  reader: TeamFileReader,
  names: readonly string[],
  digest: (text: string) => string,
  language: Language,
): Promise<{
  readonly contracts: ReadonlyMap<string, ContractFile>;
  readonly broken: readonly BrokenFile[];
}> {
  const broken: BrokenFile[] = [];
  const contracts = new Map<string, ContractFile>();
  let length = 0;
  for (const name of names) {
    if (broken.length >= maxBroken) break;
    const { texts, unreadable } = await readTeamTexts(reader, [name], language);
    broken.push(...unreadable);
    const text = texts.get(name);
    if (text === undefined) continue;
    length += text.length;
    if (length > maxContractsLength) {
      const { t } = language;
      broken.push(unusable(name, t("The contracts are too large together.")));
      break;
    }
    const file = name.slice(contractsFolder.length + 1);
    const read = await reader.work(parseContract(file, text, digest, language));
    const contract = usableValue(name, text, read, broken);
    if (contract !== undefined) contracts.set(contractKey(contract), contract);
  }
  return { contracts, broken };
}

/** Pauses before each contract, since thousands may be read one by one. */
function* parseContract(
  ...given: Parameters<typeof readContractFile>
): Chunked<ReturnType<typeof readContractFile>> {
  yield;
  return readContractFile(...given);
}

/**
 * Adds the contracts of `names`, by their path in the folder, to policy and reviews. `digest` is as for `readContract`.
 */
export async function loadContracts(
  reader: TeamFileReader,
  records: Omit<ReviewFiles, "contracts">,
  names: readonly string[],
  digest: (text: string) => string,
  language: Language,
): Promise<Exclude<ReviewFolder, { kind: "none" }>> {
  const { contracts, broken } = await readContracts(reader, names, digest, language);
  if (broken.length > 0) return { kind: "broken", broken };
  const files = { ...records, contracts };
  const unlike = mismatchedContracts(files, language);
  return unlike.length > 0 ? { kind: "broken", broken: unlike } : { kind: "read", files };
}

/** The contents of a folder of reviews, with the text of its reviews; empty without reviews. */
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
  const names = contractFiles(await reader.list(contractsFolder));
  const found = await readTeamTexts(reader, recordFiles, language);
  const reviewsText = found.texts.get(reviewsFileName) ?? "";
  const read = await readReviewRecords(found, reader, language);
  if (read.kind === "read") {
    const reviews = await loadContracts(reader, read.records, names, digest, language);
    return { reviews, reviewsText };
  }
  // Report broken contracts together with a broken policy or broken reviews.
  const { broken } = await readContracts(reader, names, digest, language);
  const all = [...(read.kind === "broken" ? read.broken : []), ...broken];
  return {
    reviews: all.length > 0 ? { kind: "broken", broken: all } : { kind: "none" },
    reviewsText,
  };
}
