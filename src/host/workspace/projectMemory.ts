import {
  accountKey,
  type ForgottenSession,
  isSameOrganization,
  readForgotten,
  type UserSession,
} from "../../core/account/sessions";
import { isJsonObject } from "../../core/json/jsonValue";
import { type ChosenProject, readAccountInUse, readChosen } from "../../core/project/project";
import type { ProjectState } from "../../core/project/projectState";
import { readVersionsBySkill, type VersionsBySkill } from "../../core/project/updateInbox";
import { withPinned } from "../../core/project/updates";
import { type RegistryIdentity, registryName } from "../../core/registry/registryName";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { type Memory, StoredByName, StoredValue } from "../ui/stored";

/** The maximum number of accounts per registry. */
const maxAccounts = 20;
/**
 * The maximum number of ignored versions of a skill. Older ones can be dropped, since the registry offers newer
 * versions by then.
 */
const maxIgnored = 20;

/** A project with the account that sees it. */
type KnownProject = Pick<Extract<ProjectState, { kind: "project" }>, "account" | "detail">;

/** Stores across windows the project of this workspace, previously pinned versions, and sessions to revoke. */
export class ProjectMemory {
  /** Sessions that were signed out here and must still be revoked. */
  readonly forgotten: StoredValue<readonly ForgottenSession[]>;
  /** By registry. */
  private readonly choices: StoredByName<unknown>;
  /** By project. */
  private readonly pinned: StoredByName<VersionsBySkill>;
  private readonly ignored: StoredByName<VersionsBySkill>;

  constructor(ofWorkspace: Memory, ofUser: Memory) {
    this.forgotten = new StoredValue(ofUser, "forgottenSessions", readForgotten);
    this.choices = new StoredByName(ofWorkspace, "chosenProjects", (kept) => kept);
    this.pinned = new StoredByName(ofWorkspace, "pinnedBefore", readVersionsBySkill);
    this.ignored = new StoredByName(ofWorkspace, "ignoredVersions", readVersionsBySkill);
  }

  /** Returns the stored project for a registry, even if it was not read. */
  chosenAt(registry: RegistryIdentity): ChosenProject | undefined {
    return readChosen(this.choices.get(registryName(registry)));
  }

  /** Returns the current account of this workspace, from `accountKey`. */
  accountAt(registry: RegistryIdentity): string | undefined {
    return readAccountInUse(this.choices.get(registryName(registry)));
  }

  /**
   * Stores the current account, with the project that it chose last. If the previous account belongs to the same
   * organization, the current project stays.
   */
  async useAccount(registry: ConnectedRegistry, session: UserSession): Promise<void> {
    const before = this.chosenAt(registry);
    const account = accountKey(session);
    const projects = this.projectsAt(registry);
    const isKept = before !== undefined && isSameOrganization(before.account, session);
    const chosen = isKept ? before : projects[account];
    await this.choices.set(registryName(registry), { ...chosen, account, projects });
  }

  /** Stores the current account and its project. */
  async choose(registry: ConnectedRegistry, chosen: ChosenProject): Promise<void> {
    const projects = this.projectsAt(registry);
    const others = Object.entries(projects).filter(([account]) => account !== chosen.account);
    const all = [...others, [chosen.account, chosen] as const].slice(-maxAccounts);
    await this.choices.set(registryName(registry), {
      ...chosen,
      projects: Object.fromEntries(all),
    });
  }

  /** Returns the last chosen project of each account; for the current account, the current project. */
  private projectsAt(registry: RegistryIdentity): Readonly<Record<string, ChosenProject>> {
    const stored = this.choices.get(registryName(registry));
    const projects = (stored as { readonly projects?: unknown } | undefined)?.projects;
    const inUse = this.chosenAt(registry);
    const all = Object.values(isJsonObject(projects) ? projects : {}).flatMap(
      (value) => readChosen(value) ?? [],
    );
    return Object.fromEntries(
      [...all, ...(inUse === undefined ? [] : [inUse])].map((item) => [item.account, item]),
    );
  }

  /** Lists the versions of a skill that a project had pinned before, if this workspace observed them. */
  pinnedBefore(project: KnownProject, slug: string): readonly string[] {
    return this.pinned.get(pinnedName(project))[slug] ?? [];
  }

  /** Stores the pinned versions before a change, for a rollback. Does nothing for two different projects. */
  async notePinned(before: ProjectState, now: ProjectState): Promise<void> {
    if (before.kind !== "project" || now.kind !== "project") return;
    const name = pinnedName(now);
    if (name !== pinnedName(before)) return;
    const known = this.pinned.get(name);
    const noted = withPinned(before.detail.skills, now.detail.skills, known);
    if (noted !== known) await this.pinned.set(name, noted);
  }

  /** The versions that are not offered as updates of a project in this workspace. */
  ignoredVersions(project: KnownProject): VersionsBySkill {
    return this.ignored.get(pinnedName(project));
  }

  /** Remembers a version, so that it is not offered again as an update of a project. */
  async ignoreVersion(project: KnownProject, slug: string, version: string): Promise<void> {
    const known = this.ignoredVersions(project);
    const versions = [version, ...(known[slug] ?? [])].slice(0, maxIgnored);
    await this.ignored.set(pinnedName(project), { ...known, [slug]: versions });
  }
}

function pinnedName({ account, detail }: KnownProject): string {
  return `${account.userId}:${account.organizationId} ${detail.summary.slug}`;
}
