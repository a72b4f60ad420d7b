import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { WorkspacePolicies } from "../../core/agents/agentPolicy";
import { CommandError } from "../../core/findings/commandError";
import type { ReportItem } from "../../core/findings/report";
import { brokenItem } from "../../core/review/checkTeam";
import type { ReviewFiles } from "../../core/review/coverage";
import { reviewedContract } from "../../core/review/coverage";
import { policyFileName, reviewFolder } from "../../core/review/files/reviewFiles";
import { loadReviewFolder, type TeamText } from "../../core/review/files/reviewFolder";
import {
  type NewReview,
  type ReviewRecording,
  recordReview,
  type TeamFileStore,
} from "../../core/review/newReview";
import type { KnownContract } from "../../core/skill/compare/contract";
import type { SkillDetail } from "../../core/skill/skill";
import { runSync } from "../../core/text/chunked";
import { english } from "../../core/text/language";
import { makeFolder } from "../../engine/files/inFolder";
import { readRepositoryFile } from "../../engine/files/repositoryFile";
import { decode, fileReason, NotTextError } from "../../engine/files/textFile";
import { writeFileAtomic } from "../../engine/files/writeFileAtomic";
import { sha256 } from "../../engine/sha256";

/** A repository's data about reviewed skills, or the problems of its files. */
type TeamFolder =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly files: ReviewFiles; readonly reviewsText: string }
  | { readonly kind: "broken"; readonly items: readonly ReportItem[] };

/**
 * Finds the folder whose reviews apply to another folder: the nearest parent with a policy, within its repository.
 * Returns the folder itself if none has one.
 */
export function findTeamRoot(folder: string): Promise<string> {
  return findRootOf(folder, join(reviewFolder, policyFileName));
}

/**
 * Finds the nearest parent folder that contains a file, within its repository. Returns the folder itself if none does.
 */
export async function findRootOf(folder: string, file: string): Promise<string> {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const exists = (name: string) =>
      stat(join(root, name)).then(
        () => true,
        () => false,
      );
    if (await exists(file)) return root;
    if ((await exists(".git")) || dirname(root) === root) return folder;
  }
}

/** Reads the folder `.skill-registry` of a repository. Without a policy it counts as missing. */
export async function readTeamFolder(root: string): Promise<TeamFolder> {
  const { reviews, reviewsText } = await loadReviewFolder(teamFiles(root), sha256, english);
  if (reviews.kind === "broken") return { kind: "broken", items: reviews.broken.map(brokenItem) };
  return reviews.kind === "none" ? reviews : { ...reviews, reviewsText };
}

/** Reads what the policy around a folder allows agents. A policy can only remove permissions. Never rejects. */
export async function agentPolicies(folder: string): Promise<WorkspacePolicies> {
  try {
    const team = await readTeamFolder(await findTeamRoot(folder));
    if (team.kind === "broken") return "unreadable";
    return team.kind === "none" ? [] : [team.files.policy.agents ?? {}];
  } catch {
    return "unreadable";
  }
}

/** Returns the reviewed contract of a version from the repository around a folder; undefined if none can be read. */
export async function contractInFolder(
  folder: string,
  registry: string,
  { summary: { slug, version } }: SkillDetail,
): Promise<KnownContract | undefined> {
  const team = await readTeamFolder(await findTeamRoot(folder));
  return team.kind === "read"
    ? reviewedContract(team.files, { slug, registry, version })
    : undefined;
}

/** Creates the error that ends a command which needs a valid folder. */
export function brokenFolder(): CommandError {
  return new CommandError(
    `A file in ${reviewFolder} is broken. Run \`skill-registry check\` for details.`,
  );
}

/** Writes a review, after reading the current data of the repository's folder. */
export function writeReview(root: string, made: NewReview): Promise<ReviewRecording> {
  return recordReview(made, teamFiles(root), sha256, english);
}

function teamFiles(root: string): TeamFileStore {
  const folder = join(root, reviewFolder);
  return {
    list: (name) => readdir(join(folder, name)).catch(() => []),
    read: (name, maxBytes) => readTeamText(root, name, maxBytes),
    work: async (work) => runSync(work),
    write: async (name, text) => {
      const path = join(folder, name);
      await makeFolder(dirname(path));
      await writeFileAtomic(path, text, "shared");
    },
  };
}

/** Reads a file in the folder `.skill-registry` of a repository. Never rejects. */
export async function readTeamText(
  root: string,
  name: string,
  maxBytes: number,
): Promise<TeamText> {
  try {
    const path = join(root, reviewFolder, name);
    const found = await readRepositoryFile(root, path, maxBytes);
    if (found.kind === "bytes") return { kind: "text", text: decode(found.bytes) };
    if (found.kind !== "notAFile") return found;
    return { kind: "refused", reason: fileReason({ code: found.isFolder ? "EISDIR" : "EINVAL" }) };
  } catch (error) {
    if (error instanceof NotTextError) return { kind: "notText" };
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "none" };
    return { kind: "refused", reason: fileReason(error) };
  }
}
