import * as vscode from "vscode";
import { mayPublish, newestApproved, type OwnVersion } from "../../core/manifest/publishing";
import { isLatest, type SkillDetail } from "../../core/skill/skill";
import { readLocalSkill } from "../../registry/decode/readSkillDetail";
import type { SkillDetails } from "../inspect/skillDetails";
import type { CurrentProject } from "../workspace/currentProject";

/** The sources of a registry's data about a skill. */
export interface PublishedSources {
  readonly details: Pick<SkillDetails, "findForCheck" | "onDidChange">;
  readonly project: Pick<CurrentProject, "accounts" | "noteFailure" | "onDidChange">;
}

/** A registry's data about a skill whose manifest is open. */
export interface PublishedSkill {
  /** The versions as the publisher sees them; undefined if unknown. */
  readonly versions: readonly OwnVersion[] | undefined;
  /** The newest approved version; undefined if there is none, or it is unknown. */
  readonly approved: SkillDetail | undefined;
}

/**
 * Reads a registry's data about a skill. Uses `versions` if given, instead of reading them. Rejects only when aborted.
 */
export async function readPublished(
  { details, project }: PublishedSources,
  slug: string,
  signal: AbortSignal,
  versions?: readonly OwnVersion[],
): Promise<PublishedSkill> {
  const who = versions === undefined ? await project.accounts.inUse() : undefined;
  // In an untrusted folder, no request is sent in somebody's name.
  const isOwn = vscode.workspace.isTrusted && who !== undefined && mayPublish(who.session.role);
  const read = isOwn ? await who.routes.ownVersions(slug, signal) : undefined;
  if (read?.ok === false && who !== undefined) await project.noteFailure(who.session, read.failure);
  const known = versions ?? (read?.ok ? read.value : undefined);
  const own = newestApproved(known ?? [])?.manifest;
  // The publisher's list is empty for a new skill and for another publisher's skill, so the public version is read in
  // both cases.
  const approved = own === undefined ? await publicVersion(details, slug) : readLocalSkill(own);
  return { versions: known, approved };
}

/**
 * Reads the latest public version, even if the current project has pinned another one. Undefined if it is not approved.
 */
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
