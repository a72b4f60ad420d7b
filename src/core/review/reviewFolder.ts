import type { PayloadProblem } from "../payload/payloadCheck";
import type { Language } from "../text/language";
import type { ReviewFiles } from "./coverage";
import type { TeamFileReading } from "./readTeamFile";
import {
  type ContractFile,
  contractFileName,
  contractOfFileName,
  contractsFolder,
  isVersionReview,
  policyFileName,
  readContractFile,
  readPolicy,
  readReviews,
  reviewsFileName,
} from "./reviewFiles";

/** What the files of a repository's reviews say together, or what is broken in them. Without a policy there are none. */
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

/** No more contracts than these are read. */
const maxContracts = 5000;

/** Chooses, of the names in the folder of contracts, those of contracts. */
export function contractFiles(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => contractOfFileName(name) !== undefined)
    .toSorted()
    .slice(0, maxContracts)
    .map((name) => `${contractsFolder}/${name}`);
}

/** Reads the files together. `texts` has those that are there, by their path in the folder; `digest` is as for `readContract`. */
export function readReviewFolder(
  texts: ReadonlyMap<string, string>,
  digest: (text: string) => string,
  language: Language,
): ReviewFolder {
  const broken: BrokenFile[] = [];
  const read = <Value>(name: string, reading: (text: string) => TeamFileReading<Value>) => {
    const text = texts.get(name);
    if (text === undefined) return undefined;
    const result = reading(text);
    if (result.ok) return result.value;
    broken.push({ name, text, problems: result.problems });
    return undefined;
  };
  const policy = read(policyFileName, (text) => readPolicy(text, language));
  const reviews = read(reviewsFileName, (text) => readReviews(text, language)) ?? [];
  const contracts = new Map<string, ContractFile>();
  for (const name of texts.keys()) {
    if (!name.startsWith(`${contractsFolder}/`)) continue;
    const file = name.slice(contractsFolder.length + 1);
    const contract = read(name, (text) => readContractFile(file, text, digest, language));
    if (contract !== undefined) contracts.set(`${contract.slug}@${contract.version}`, contract);
  }
  if (broken.length > 0) return { kind: "broken", broken };
  if (policy === undefined) return { kind: "none" };
  const files = { policy, reviews, contracts };
  const unlike = unlikeContracts(files, texts, language);
  return unlike.length > 0 ? { kind: "broken", broken: unlike } : { kind: "read", files };
}

/** Each version that was reviewed has its contract beside it, with the hash that was reviewed last. */
function unlikeContracts(
  { reviews, contracts }: ReviewFiles,
  texts: ReadonlyMap<string, string>,
  { t }: Language,
): readonly BrokenFile[] {
  const last = new Map(
    reviews
      .filter(isVersionReview)
      .map((review) => [`${review.skill}@${review.version}`, review] as const),
  );
  return [...last].flatMap(([skill, review]) => {
    const found = contracts.get(skill);
    if (found?.hash === review.contract) return [];
    const name = `${contractsFolder}/${contractFileName(review.skill, review.version)}`;
    const message =
      found === undefined
        ? t(
            "The contract that was reviewed is missing. Bring the file back, or review {skill} again.",
            { skill },
          )
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
    return [{ name, text: texts.get(name) ?? "", problems: [problem] }];
  });
}
