import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Finding, findingsOf, type ReportItem } from "../core/findings/report";
import type { ReviewFiles } from "../core/review/coverage";
import type { TeamFileReading } from "../core/review/readTeamFile";
import {
  type ContractFile,
  contractFileName,
  contractOfFileName,
  contractsFolder,
  policyFileName,
  readContractFile,
  readPolicy,
  readReviews,
  reviewFolder,
  reviewsFileName,
} from "../core/review/reviewFiles";
import { english } from "../core/text/language";
import { sha256 } from "./readSkill";

/** What a repository says of reviewed skills, or what is broken in its files. */
export type TeamFolder =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly files: ReviewFiles }
  | { readonly kind: "broken"; readonly items: readonly ReportItem[] };

/** No file of a team is larger; it is not read further than that. */
const maxBytes = 40_000_000;
const maxContracts = 5000;

/** Reads the folder `.skill-registry` of a repository. Without a policy there is none. */
export async function readTeamFolder(root: string): Promise<TeamFolder> {
  const broken: ReportItem[] = [];
  const read = async <Value>(name: string, readText: (text: string) => TeamFileReading<Value>) => {
    const file = `${reviewFolder}/${name}`;
    const text = await textOf(join(root, reviewFolder, name));
    if (text === undefined) return undefined;
    const reading = text.ok ? readText(text.text) : text;
    if (reading.ok) return reading.value;
    const findings =
      "problems" in reading
        ? findingsOf(reading.problems, text.ok ? text.text : "", file)
        : [brokenFile(file, text.ok ? "" : text.why)];
    broken.push({ name: file, file, state: "broken", findings });
    return undefined;
  };
  const policy = await read(policyFileName, (text) => readPolicy(text, english));
  const reviews = (await read(reviewsFileName, (text) => readReviews(text, english))) ?? [];
  const contracts = new Map<string, ContractFile>();
  for (const name of await contractNames(root)) {
    const contract = await read(`${contractsFolder}/${name}`, (text) =>
      readContractFile(name, text, sha256, english),
    );
    if (contract !== undefined) contracts.set(`${contract.slug}@${contract.version}`, contract);
  }
  if (broken.length > 0) return { kind: "broken", items: broken };
  if (policy === undefined) return { kind: "none" };
  const files = { policy, reviews, contracts };
  const unlike = unlikeContracts(files);
  return unlike.length > 0 ? { kind: "broken", items: unlike } : { kind: "read", files };
}

/** Each version that was reviewed has its contract beside it, with the hash that was reviewed last. */
function unlikeContracts({ reviews, contracts }: ReviewFiles): readonly ReportItem[] {
  const last = new Map(
    reviews.flatMap((review) =>
      review.kind === "violation" ? [] : [[`${review.skill}@${review.version}`, review] as const],
    ),
  );
  return [...last].flatMap(([name, { skill, version, contract }]) => {
    const found = contracts.get(name);
    if (found?.hash === contract) return [];
    const file = `${reviewFolder}/${contractsFolder}/${contractFileName(skill, version)}`;
    const message =
      found === undefined
        ? `The contract that was reviewed is missing. Bring the file back, or review ${name} again.`
        : `This is not the contract that was reviewed: its hash is ${found.hash}.`;
    return [{ name: file, file, state: "broken" as const, findings: [brokenFile(file, message)] }];
  });
}

function brokenFile(file: string, message: string): Finding {
  return { rule: "file", severity: "error", message, file };
}

async function contractNames(root: string): Promise<readonly string[]> {
  const names = await readdir(join(root, reviewFolder, contractsFolder)).catch(() => []);
  return names
    .filter((name) => contractOfFileName(name) !== undefined)
    .toSorted()
    .slice(0, maxContracts);
}

/** Undefined where there is no such file. */
async function textOf(path: string) {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) return { ok: false as const, why: "This file is too large." };
    return { ok: true as const, text: await readFile(path, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { ok: false as const, why: `This file could not be read (${code}).` };
  }
}
