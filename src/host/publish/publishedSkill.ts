import * as vscode from "vscode";
import { mayPublish, newestApproved, type OwnVersion } from "../../core/manifest/publishing";
import { isLatest, type SkillDetail } from "../../core/skill/skill";
import { readLocalSkill } from "../../registry/decode/readSkillDetail";
import type { SkillDetails } from "../inspect/skillDetails";
import type { CurrentProject } from "../workspace/currentProject";

/** Where is looked for what a registry has of a skill. */
export interface PublishedSources {
  readonly details: Pick<SkillDetails, "findForCheck" | "onDidChange">;
  readonly project: Pick<CurrentProject, "accounts" | "noteFailure" | "onDidChange">;
}

/** What a registry has of a skill whose manifest is open. */
export interface PublishedSkill {
  /** As its publisher sees them; undefined where that is not known. */
  readonly versions: readonly OwnVersion[] | undefined;
  /** The newest approved version; undefined where there is none, or that is not known. */
  readonly approved: SkillDetail | undefined;
}

/** Reads what the registry has of a skill; `versions` where they were read already. Rejects only when aborted. */
export async function readPublished(
  { details, project }: PublishedSources,
  slug: string,
  signal: AbortSignal,
  versions?: readonly OwnVersion[],
): Promise<PublishedSkill> {
  const who = versions === undefined ? await project.accounts.inUse() : undefined;
  // A folder that is not trusted has no request made in somebody's name.
  const isOwn = vscode.workspace.isTrusted && who !== undefined && mayPublish(who.session.role);
  const read = isOwn ? await who.routes.ownVersions(slug, signal) : undefined;
  if (read?.ok === false && who !== undefined) await project.noteFailure(who.session, read.failure);
  const known = versions ?? (read?.ok ? read.value : undefined);
  const own = newestApproved(known ?? [])?.manifest;
  // Of a foreign skill and of a new one the publisher's list is empty alike.
  const approved = own === undefined ? await publicVersion(details, slug) : readLocalSkill(own);
  return { versions: known, approved };
}

/** The approved version that everybody sees; the project in use may have pinned another one. */
async function publicVersion(
  details: PublishedSources["details"],
  slug: string,
): Promise<SkillDetail | undefined> {
  const found = await details.findForCheck(slug);
  const isOther = found.ok && !isLatest(found.value);
  const newest = isOther ? await details.findForCheck(slug, found.value.latestVersion) : found;
  if (!newest.ok || newest.value.isManifestUnknown) return undefined;
  const { verificationStatus = "" } = newest.value.summary;
  return ["verified", "deprecated"].includes(verificationStatus) ? newest.value : undefined;
}
