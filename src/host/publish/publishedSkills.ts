import * as vscode from "vscode";
import { sessionId } from "../../core/account/sessions";
import { type JsonObject, ownValue } from "../../core/json/jsonValue";
import { mayPublish, newestApproved, type OwnVersion } from "../../core/manifest/publishing";
import type { Result } from "../../core/registry/registryFailure";
import { mergeSkill } from "../../core/skill/mergeSkill";
import { isLatest, type SkillDetail } from "../../core/skill/skill";
import { isSlug } from "../../core/skill/skillAddress";
import { ChangeEvent } from "../../engine/changeEvent";
import { readSkillDetail } from "../../registry/decode/readSkillDetail";
import type { SkillDetails } from "../inspect/skillDetails";
import { Owner } from "../ui/owner";
import type { CurrentProject } from "../workspace/currentProject";
import type { SignedIn } from "../workspace/signedIn";

/** What a registry has of a skill whose manifest is open. */
export interface PublishedSkill {
  /** As its publisher sees them; undefined where that is not known. */
  readonly versions: readonly OwnVersion[] | undefined;
  /** The newest approved version; undefined where there is none, or that is not known. */
  readonly approved: SkillDetail | undefined;
}

/** Reads a manifest of the workspace as the skill that a registry makes of it. Undefined where it has no usable name. */
export function localSkill(manifest: JsonObject): SkillDetail | undefined {
  const name = ownValue(manifest, "name");
  if (typeof name !== "string" || !isSlug(name)) return undefined;
  const read = readSkillDetail({ manifest }, name, "");
  if (!read.ok) return undefined;
  const none = { row: undefined, prices: undefined, feedback: undefined, publisher: undefined };
  return { ...mergeSkill({ own: read.value, ...none }), isLocal: true };
}

/** A list of versions is read again after this time; one that did not arrive as well, not with each keystroke. */
const keptMs = 60_000;
/** As many as somebody works on. */
const maxKept = 50;

/** Reads what the registry has of skills whose manifests are open. */
export class PublishedSkills extends Owner {
  private readonly lists = new Map<
    string,
    { readonly versions: Promise<Result<readonly OwnVersion[]>>; readonly until: number }
  >();
  private readonly changed = this.own(new ChangeEvent<string>());
  /** Fires with the slug of a skill of which something else may be known now. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly details: Pick<SkillDetails, "findForCheck" | "onDidChange">,
    private readonly project: Pick<CurrentProject, "accounts" | "noteFailure">,
  ) {
    super();
    this.own(details.onDidChange((slug) => this.changed.fire(slug)));
  }

  /** Finds what is known of a skill, asking the registry where it was not asked within a minute. Never rejects. */
  async find(slug: string): Promise<PublishedSkill> {
    const who = await this.project.accounts.inUse();
    // A folder that is not trusted has no request made in somebody's name.
    const isOwn = vscode.workspace.isTrusted && who !== undefined && mayPublish(who.session.role);
    const read = isOwn ? await this.listOf(who, slug) : undefined;
    const versions = read?.ok === true ? read.value : undefined;
    const own = newestApproved(versions ?? [])?.manifest;
    // Of a foreign skill and of a new one the publisher's list is empty alike.
    const approved = own === undefined ? await this.publicVersion(slug) : localSkill(own);
    return { versions, approved };
  }

  /** Reads the versions of a skill now. */
  async readAgain(
    who: SignedIn,
    slug: string,
    signal: AbortSignal,
  ): Promise<Result<readonly OwnVersion[]>> {
    const versions = await who.routes.ownVersions(slug, signal);
    if (!versions.ok) await this.project.noteFailure(who.session, versions.failure);
    if (signal.aborted) return versions;
    void this.keep(nameOf(who, slug), Promise.resolve(versions));
    this.changed.fire(slug);
    return versions;
  }

  private listOf(who: SignedIn, slug: string): Promise<Result<readonly OwnVersion[]>> {
    const name = nameOf(who, slug);
    const kept = this.lists.get(name);
    if (kept !== undefined && performance.now() < kept.until) return kept.versions;
    return this.keep(name, who.routes.ownVersions(slug, this.untilDisposed));
  }

  private keep(name: string, versions: Promise<Result<readonly OwnVersion[]>>) {
    this.lists.delete(name);
    this.lists.set(name, { versions, until: performance.now() + keptMs });
    const [oldest] = this.lists.keys();
    if (this.lists.size > maxKept && oldest !== undefined) this.lists.delete(oldest);
    return versions;
  }

  /** The approved version that everybody sees; the project in use may have pinned another one. */
  private async publicVersion(slug: string): Promise<SkillDetail | undefined> {
    const found = await this.details.findForCheck(slug);
    const latest = found.ok ? found.value.latestVersion : undefined;
    const isPinned = found.ok && latest !== undefined && !isLatest(found.value);
    const newest = isPinned ? await this.details.findForCheck(slug, latest) : found;
    if (!newest.ok || newest.value.isManifestUnknown) return undefined;
    const { verificationStatus = "" } = newest.value.summary;
    return ["verified", "deprecated"].includes(verificationStatus) ? newest.value : undefined;
  }
}

function nameOf({ session }: SignedIn, slug: string): string {
  return `${sessionId(session)} ${slug}`;
}
