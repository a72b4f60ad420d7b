import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { exitCodes, type ReportItem } from "../core/findings/report";
import {
  changeSinceAgreed,
  holdAgreement,
  type Objection,
} from "../core/invocation/permission/agreement";
import {
  type Allowances,
  type GateStop,
  skillGate,
} from "../core/invocation/permission/unattendedConsent";
import { brokenItem, skillAtRegistry } from "../core/review/checkTeam";
import type { ReviewFiles } from "../core/review/coverage";
import {
  type NewReview,
  type ReviewRecording,
  recordReview,
  type TeamFileStore,
} from "../core/review/newReview";
import { policyFileName, reviewFolder } from "../core/review/reviewFiles";
import { loadReviewFolder, type TeamText } from "../core/review/reviewFolder";
import { teamStanding } from "../core/review/teamStanding";
import type { SkillDetail } from "../core/skill/skill";
import { runSync } from "../core/text/chunked";
import { utcDay } from "../core/text/dates";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import { readRepositoryFile } from "../engine/repositoryFile";
import { CliError, type CommandOption, type ParsedArguments, type Terminal } from "./command";
import { type OpenRegistry, readSkill, sha256 } from "./openRegistry";
import { decode, fileReason, NotTextError } from "./textFile";

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
  const { reviews, reviewsText } = await loadReviewFolder(teamFiles(root), sha256, english);
  if (reviews.kind === "broken") return { kind: "broken", items: reviews.broken.map(brokenItem) };
  return reviews.kind === "none" ? reviews : { ...reviews, reviewsText };
}

/** Creates the error that ends a command which needs a valid folder. */
export function brokenFolder(): CliError {
  return new CliError(
    `A file in ${reviewFolder} is broken. Run \`skill-registry check\` for details.`,
  );
}

/** Adds a review to what the folder of a repository says when it is written. */
export function writeReview(root: string, made: NewReview): Promise<ReviewRecording> {
  return recordReview(made, teamFiles(root), sha256, english);
}

function teamFiles(root: string): TeamFileStore {
  const folder = join(root, reviewFolder);
  return {
    list: (name) => readdir(join(folder, name)).catch(() => []),
    read: (name, maxBytes) => readTeamText(root, name, maxBytes),
    work: async (work) => runSync(work),
    write: (name, text) => writeWhole(join(folder, name), text),
  };
}

/** Writes beside and renames, so that no reader sees half a file. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.tmp`;
  await writeFile(beside, text, { flush: true });
  await rename(beside, path);
}

async function readTeamText(root: string, name: string, maxBytes: number): Promise<TeamText> {
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

/** The options by which a person says beforehand what the editor would ask about. */
export const gateOptions: Readonly<Record<string, CommandOption>> = {
  yes: { text: "Accept the skill's permissions and price." },
  unchecked: { text: "Send payloads that could not be checked." },
  secrets: { text: "Send payloads that appear to contain a credential." },
  unreviewed: {
    text: "Send even if the skill is unreviewed or differs from its review.",
  },
};

/** Reads what a person allowed. */
export function readAllowances(given: ParsedArguments, maxCents?: number): Allowances {
  return {
    terms: given.isSet("yes"),
    unchecked: given.isSet("unchecked"),
    secrets: given.isSet("secrets"),
    unreviewed: given.isSet("unreviewed"),
    maxCents,
  };
}

/** Throws a `CliError` where the skill may not be invoked: what the editor would ask about needs an option. */
export async function passSkillGate(
  skill: SkillDetail,
  registry: OpenRegistry,
  allowed: Allowances,
  { cwd }: Terminal,
): Promise<void> {
  const folder = await readTeamFolder(await findTeamRoot(cwd));
  if (folder.kind === "broken") {
    throw brokenFolder();
  }
  const today = utcDay(Date.now());
  const standing =
    folder.kind === "read"
      ? teamStanding(
          { files: [folder.files], broken: [], registry: registry.reviewName },
          skill.summary.slug,
          skillAtRegistry(skill, sha256),
          today,
        )
      : undefined;
  const { name, origin, isBuiltIn, isTestRun } = registry;
  const unattended = { skill, registry: name, origin, isBuiltIn, isTestRun, standing };
  const stop = skillGate(unattended, allowed, english);
  if (stop !== undefined) throw stopError(stop);
}

/**
 * Passes the gate before the first of many invocations. The objection it resolves to reads the skill again once that
 * is five minutes old: it and the repository's reviews must still be as they were. Where the user cancels meanwhile,
 * there is none.
 */
export async function passGateForMany(
  skill: SkillDetail,
  registry: OpenRegistry,
  allowed: Allowances,
  terminal: Terminal,
): Promise<Objection> {
  const now = () => performance.now();
  const readAt = now();
  await passSkillGate(skill, registry, allowed, terminal);
  const { slug, version } = skill.summary;
  return holdAgreement(readAt, now, async () => {
    const read = await readSkill(registry, { slug, version }, terminal.signal);
    if (terminal.signal.aborted) return undefined;
    const change = changeSinceAgreed(skill, read, english);
    if (change !== undefined || !read.ok) return change && oneLine(change, 500);
    return passSkillGate(read.value, registry, allowed, terminal).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof CliError) return error.message;
        throw error;
      },
    );
  });
}

const allowingOptions: Readonly<Partial<Record<GateStop["kind"], string>>> = {
  terms: "Accept them with --yes.",
  unreviewed: "Send it anyway with --unreviewed.",
  unchecked: "Send it anyway with --unchecked.",
  secrets: "Send it anyway with --secrets.",
};

/** Describes a stop, with the option that allows it. */
export function stopError({ kind, message, detail }: GateStop): CliError {
  const option = allowingOptions[kind];
  const lines = [
    message,
    ...detail.map((line) => `  ${oneLine(line, 500)}`),
    ...(option ? [option] : []),
  ];
  return new CliError(lines.join("\n"), exitCodes.findings);
}
