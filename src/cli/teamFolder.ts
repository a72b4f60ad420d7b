import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ReportItem } from "../core/findings/report";
import { brokenItem } from "../core/review/checkSkill";
import type { ReviewFiles } from "../core/review/coverage";
import {
  contractsFolder,
  policyFileName,
  reviewFolder,
  reviewsFileName,
} from "../core/review/reviewFiles";
import { contractFiles, readReviewFolder } from "../core/review/reviewFolder";
import { english } from "../core/text/language";
import { sha256 } from "./readSkill";

/** What a repository says of reviewed skills, or what is broken in its files. */
export type TeamFolder =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly files: ReviewFiles; readonly reviewsText: string }
  | { readonly kind: "broken"; readonly items: readonly ReportItem[] };

/** No file of a team is larger; it is not read further than that. */
const maxBytes = 40_000_000;

/**
 * Finds the folder whose reviews count in another: the nearest above it that has a policy, within its
 * repository. The folder itself where there is none.
 */
export async function findTeamRoot(folder: string): Promise<string> {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const isThere = (...names: string[]) =>
      stat(join(root, ...names)).then(
        () => true,
        () => false,
      );
    if (await isThere(reviewFolder, policyFileName)) return root;
    if ((await isThere(".git")) || dirname(root) === root) return folder;
  }
}

/** Reads the folder `.skill-registry` of a repository. Without a policy there is none. */
export async function readTeamFolder(root: string): Promise<TeamFolder> {
  const folder = join(root, reviewFolder);
  const names = await readdir(join(folder, contractsFolder)).catch(() => []);
  const texts = new Map<string, string>();
  const unreadable: ReportItem[] = [];
  for (const name of [policyFileName, reviewsFileName, ...contractFiles(names)]) {
    const read = await textOf(join(folder, name));
    if (typeof read === "string") texts.set(name, read);
    else if (read !== undefined) {
      const file = `${reviewFolder}/${name}`;
      const finding = { rule: "file", severity: "error" as const, message: read.why, file };
      unreadable.push({ name: file, file, state: "broken", findings: [finding] });
    }
  }
  if (unreadable.length > 0) return { kind: "broken", items: unreadable };
  const read = readReviewFolder(texts, sha256, english);
  if (read.kind === "broken") return { kind: "broken", items: read.broken.map(brokenItem) };
  return read.kind === "none" ? read : { ...read, reviewsText: texts.get(reviewsFileName) ?? "" };
}

/** Undefined where there is no such file. */
async function textOf(path: string): Promise<string | { readonly why: string } | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) return { why: "This file is too large." };
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { why: `This file could not be read (${code}).` };
  }
}
