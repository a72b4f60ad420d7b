import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ReportItem } from "../core/findings/report";
import { brokenItem } from "../core/review/checkReviews";
import type { ReviewFiles } from "../core/review/coverage";
import { policyFileName, reviewFolder } from "../core/review/reviewFiles";
import { loadReviewFolder, type TeamFileReader, type TeamText } from "../core/review/reviewFolder";
import { runSync } from "../core/text/chunked";
import { english } from "../core/text/language";
import { sha256 } from "./readSkill";
import { fileReason, NotTextError, readText } from "./textFile";

/** What a repository says of reviewed skills, or what is broken in its files. */
export type TeamFolder =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly files: ReviewFiles; readonly reviewsText: string }
  | { readonly kind: "broken"; readonly items: readonly ReportItem[] };

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
  const reader: TeamFileReader = {
    list: (name) => readdir(join(folder, name)).catch(() => []),
    read: (name, maxBytes) => readTeamText(join(folder, name), maxBytes),
    work: async (work) => runSync(work),
  };
  const { reviews, reviewsText } = await loadReviewFolder(reader, sha256, english);
  if (reviews.kind === "broken") return { kind: "broken", items: reviews.broken.map(brokenItem) };
  return reviews.kind === "none" ? reviews : { ...reviews, reviewsText };
}

async function readTeamText(path: string, maxBytes: number): Promise<TeamText> {
  try {
    const about = await stat(path);
    // A link can lead to a device, which never ends.
    if (!about.isFile()) {
      const code = about.isDirectory() ? "EISDIR" : "EINVAL";
      return { kind: "refused", reason: fileReason({ code }) };
    }
    if (about.size > maxBytes) return { kind: "tooLarge" };
    return { kind: "text", text: await readText(path) };
  } catch (error) {
    if (error instanceof NotTextError) return { kind: "notText" };
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "none" };
    return { kind: "refused", reason: fileReason(error) };
  }
}
