import { problemText } from "../payload/payloadCheck";
import type { Contract } from "../skill/compare/contract";
import { type Change, difference } from "../skill/difference";
import { isSameVersion } from "../skill/isNewerVersion";
import { type Language, l10nText, localize } from "../text/language";
import { nearestReview, type ReviewFiles } from "./coverage";
import {
  type ContractFile,
  contractFileName,
  contractNamer,
  contractOf,
} from "./files/contractFiles";
import {
  contractsFolder,
  isVersionReview,
  policyFileName,
  type ReviewPolicy,
  reviewsFileName,
  type VersionReview,
  writeTeamFile,
} from "./files/reviewFiles";
import {
  type BrokenFile,
  loadReviewFolder,
  maxTeamFileBytes,
  type ReviewFolder,
  type TeamFileReader,
  type TeamText,
  unreadableText,
} from "./files/reviewFolder";
import type { SkillAtRegistry } from "./skillStanding";

/** The version that a person attests, in its current state at the registry. */
interface Attestation {
  readonly slug: string;
  readonly registry: string;
  readonly skill: SkillAtRegistry;
  readonly criteria: readonly string[];
  readonly who: string;
  /** An ISO time in UTC. */
  readonly when: string;
  readonly until?: string | undefined;
  readonly notes?: string | undefined;
  /** Whether to attest the whole version, even if a step from a reviewed version would suffice. */
  readonly isWhole: boolean;
}

/** A new review, and the contracts that were compared for it. */
export interface NewReview {
  readonly review: VersionReview;
  /** The contract of the last review, of this version or of the nearest other one; undefined without one. */
  readonly before: ContractFile | undefined;
  /** The contract that was reviewed. */
  readonly contract: Contract;
}

/**
 * Creates a review: the step from the nearest reviewed version, or the whole version without one. Undefined if the
 * skill's contract is unknown.
 */
export function newReview(files: ReviewFiles, attestation: Attestation): NewReview | undefined {
  const { slug, registry, skill, criteria, who, when, until, notes, isWhole } = attestation;
  const { version, verification, contract } = skill;
  if (!contract.ok || version === "") return undefined;
  const nearest = nearestReview(files.reviews, { slug, version, registry });
  const from = isWhole || isSameVersion(nearest?.version, version) ? undefined : nearest?.version;
  const before = nearest && contractOf(files.contracts, nearest);
  const review: VersionReview = {
    kind: from === undefined ? "version" : "step",
    skill: slug,
    ...(from !== undefined && { from }),
    version,
    registry,
    contract: contract.hash,
    ...(verification !== undefined && { verification }),
    criteria,
    who,
    when,
    ...(until !== undefined && { until }),
    ...(notes !== undefined && { notes }),
  };
  return { review, contract: contract.contract, before };
}

/** Lists the differences from the last review; undefined without one. */
export function changesSinceReview({ before, contract }: NewReview): readonly Change[] | undefined {
  return before && difference(before.contract, contract);
}

/**
 * Returns whether a folder already has this review by the same person. A review of a whole version includes every step
 * to it.
 */
export function isRecorded(
  { reviews }: ReviewFiles,
  { review }: NewReview,
  { isWhole }: Pick<Attestation, "isWhole">,
): boolean {
  const same = [
    "skill",
    "version",
    "registry",
    "contract",
    "verification",
    "who",
    "until",
  ] as const;
  return reviews
    .filter(isVersionReview)
    .some(
      (known) =>
        same.every((name) => known[name] === review[name]) &&
        review.criteria.every((name) => known.criteria.includes(name)) &&
        (review.notes === undefined || review.notes === known.notes) &&
        (!isWhole || known.kind === "version"),
    );
}

/** Returns whether the last review was of the same contract. */
export function isContractUnchanged({ before, review }: NewReview): boolean {
  return before?.hash === review.contract;
}

/** Writes the files of a folder with a new review: its contract, by path, and all reviews. */
export function reviewFileTexts(
  { reviews, contracts }: ReviewFiles,
  { review, contract }: NewReview,
): { readonly contract: readonly [path: string, text: string]; readonly reviews: string } {
  const { skill: slug, version, registry } = review;
  const name = contractNamer(reviews, contracts)({ slug, version, registry }, review.contract);
  const { registry: at } = name;
  const file = {
    format: 1,
    skill: slug,
    version,
    ...(at !== undefined && { registry: at }),
    contract,
  };
  return {
    contract: [`${contractsFolder}/${contractFileName(name)}`, writeTeamFile(file)],
    reviews: writeTeamFile({ format: 1, reviews: [...reviews, review] }),
  };
}

const safeToTry = l10nText(
  "Schemas, permissions and price were read; what goes in may leave this machine.",
);
const customerFacing = l10nText(
  "Also fit for customers: owner, failures and costs are looked after.",
);

/** Returns the first policy of a repository: every skill must be safe to try. In English, since a team shares it. */
export function firstPolicy(): ReviewPolicy & { readonly format: 1 } {
  return {
    format: 1,
    criteria: {
      "safe-to-try": { description: safeToTry.text },
      "customer-facing": { description: customerFacing.text, implies: ["safe-to-try"] },
    },
    require: ["safe-to-try"],
  };
}

/** Returns the description of a criterion as its team wrote it; that of the first policy in the reader's language. */
export function criterionText(description: string, language: Language): string {
  const own = [safeToTry, customerFacing].find(({ text }) => text === description);
  return own === undefined ? description : localize(own, language);
}

/** Returns the files to add a review to: the folder's own, or the first policy if it has none. */
export function filesToReview(
  folder: { readonly kind: "none" } | { readonly kind: "read"; readonly files: ReviewFiles },
): ReviewFiles {
  return folder.kind === "read"
    ? folder.files
    : { policy: firstPolicy(), reviews: [], contracts: new Map() };
}

/** The folder of reviews, for reading and writing. Paths are relative to the folder. */
export interface TeamFileStore extends TeamFileReader {
  /** Writes a file, and creates its folder if needed. Rejects if that fails. */
  readonly write: (name: string, text: string) => Promise<void>;
}

/** How recording a review ended. Only `recorded` has changed the folder. */
export type ReviewRecording =
  /** `reviewsText` is the text of all reviews, with this one last; `policy` is the new policy, if one was created. */
  | {
      readonly kind: "recorded";
      readonly reviewsText: string;
      readonly policy?: ReviewPolicy;
    }
  /** A file of the folder was invalid before. */
  | { readonly kind: "broken"; readonly broken: readonly BrokenFile[] }
  /** A file would be invalid, and with it the folder; `problem` describes why. */
  | { readonly kind: "refused"; readonly file: string; readonly problem: string }
  | { readonly kind: "failed"; readonly file: string; readonly error: unknown };

/**
 * Adds a review to the current files of a folder, since others may have added reviews. Gives a folder without a policy
 * its first one. `digest` is as for `readContract`.
 */
export async function recordReview(
  draft: NewReview,
  store: TeamFileStore,
  digest: (text: string) => string,
  language: Language,
): Promise<ReviewRecording> {
  const load = async (texts: ReadonlyMap<string, string>) =>
    (await loadReviewFolder(readerWith(store, texts), digest, language)).reviews;
  const { policy, folder } = await folderWithPolicy(load);
  if (folder.kind !== "read") return { kind: "broken", broken: folder.broken };
  const { contract, reviews } = reviewFileTexts(folder.files, draft);
  // The reviews are written last, because they refer to the other files.
  const texts = new Map([contract, ...policy, [reviewsFileName, reviews]]);
  const changed = await load(texts);
  if (changed.kind === "broken") return refusal(changed.broken);
  const failure = await writeAll(texts, store, language);
  if (failure !== undefined) return failure;
  const recorded = { kind: "recorded", reviewsText: reviews } as const;
  return policy.size === 0 ? recorded : { ...recorded, policy: firstPolicy() };
}

/** Returns the folder's files, with the first policy if it has none. */
async function folderWithPolicy(
  load: (texts: ReadonlyMap<string, string>) => Promise<ReviewFolder>,
): Promise<{
  readonly policy: ReadonlyMap<string, string>;
  readonly folder: Exclude<ReviewFolder, { kind: "none" }>;
}> {
  const folder = await load(new Map());
  if (folder.kind !== "none") return { policy: new Map(), folder };
  const policy = new Map([[policyFileName, writeTeamFile(firstPolicy())]]);
  const opened = await load(policy);
  if (opened.kind === "none") throw new Error("A folder with a policy is none.");
  return { policy, folder: opened };
}

/** Creates a reader that returns these texts as if they were written. */
function readerWith(reader: TeamFileReader, texts: ReadonlyMap<string, string>): TeamFileReader {
  const added = [...texts.keys()]
    .filter((name) => name.startsWith(`${contractsFolder}/`))
    .map((name) => name.slice(contractsFolder.length + 1));
  return {
    list: async (folder) => [...new Set([...(await reader.list(folder)), ...added])],
    read: async (name, maxBytes) => {
      const text = texts.get(name);
      return text === undefined ? reader.read(name, maxBytes) : { kind: "text", text };
    },
    work: reader.work,
  };
}

function refusal(broken: readonly BrokenFile[]): ReviewRecording {
  const [first] = broken;
  const [problem] = first?.problems ?? [];
  const why = problem === undefined ? "" : problemText(problem);
  return { kind: "refused", file: first?.name ?? "", problem: why };
}

/**
 * Writes files one by one. Writes none if a link leads out of the repository or a file cannot be read. If a write
 * fails, restores the replaced files.
 */
async function writeAll(
  texts: ReadonlyMap<string, string>,
  store: TeamFileStore,
  language: Language,
): Promise<ReviewRecording | undefined> {
  const before = new Map<string, TeamText>();
  for (const file of texts.keys()) {
    const found = await store.read(file, maxTeamFileBytes);
    if (found.kind !== "text" && found.kind !== "none") {
      return { kind: "refused", file, problem: unreadableText(found, language) };
    }
    before.set(file, found);
  }
  const written: string[] = [];
  for (const [file, text] of texts) {
    try {
      await store.write(file, text);
    } catch (error) {
      for (const name of written) {
        const old = before.get(name);
        if (old?.kind === "text") await store.write(name, old.text).catch(() => undefined);
      }
      return { kind: "failed", file, error };
    }
    written.push(file);
  }
  return undefined;
}
