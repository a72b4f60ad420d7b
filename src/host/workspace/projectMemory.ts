import {
  accountKey,
  type ForgottenSession,
  isSameOrganization,
  readForgotten,
  type UserSession,
} from "../../core/account/sessions";
import { type RegistryIdentity, registryName } from "../../core/invocation/record/invocationRecord";
import { isJsonObject } from "../../core/json/jsonValue";
import { type ChosenProject, readAccountInUse, readChosen } from "../../core/project/project";
import type { ProjectState } from "../../core/project/projectState";
import { readVersionsBySkill, type VersionsBySkill } from "../../core/project/updateInbox";
import { withPinned } from "../../core/project/updates";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { type Memory, StoredByName, StoredValue } from "../ui/stored";

/** More accounts than one person has at a registry. */
const maxAccounts = 20;
/** Older versions of a skill are not offered as its update any more. */
const maxIgnored = 20;

type KnownProject = Extract<ProjectState, { kind: "project" }>;

/** Stores across windows the project of this workspace, versions pinned before, and sessions to revoke. */
export class ProjectMemory {
  /** Sessions that were signed out of here and are still to be revoked. */
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

  /** The project this workspace remembers for a registry, whether it was read or not. */
  chosenAt(registry: RegistryIdentity): ChosenProject | undefined {
    return readChosen(this.choices.get(registryName(registry)));
  }

  /** The account in use in this workspace, as `accountKey` names it. */
  accountAt(registry: RegistryIdentity): string | undefined {
    return readAccountInUse(this.choices.get(registryName(registry)));
  }

  /**
   * Remembers the account in use, with the project that it chose last; the one in use stays where it is of the same
   * organization.
   */
  async useAccount(registry: ConnectedRegistry, session: UserSession): Promise<void> {
    const before = this.chosenAt(registry);
    const account = accountKey(session);
    const projects = this.projectsAt(registry);
    const isKept = before !== undefined && isSameOrganization(before.account, session);
    const chosen = isKept ? before : projects[account];
    await this.choices.set(registryName(registry), { ...chosen, account, projects });
  }

  /** Remembers the account in use and its project. */
  async choose(registry: ConnectedRegistry, chosen: ChosenProject): Promise<void> {
    const projects = this.projectsAt(registry);
    const others = Object.entries(projects).filter(([account]) => account !== chosen.account);
    const all = [...others, [chosen.account, chosen] as const].slice(-maxAccounts);
    await this.choices.set(registryName(registry), {
      ...chosen,
      projects: Object.fromEntries(all),
    });
  }

  /** The project that each account chose last, by account; of the account in use, the project in use. */
  private projectsAt(registry: RegistryIdentity): Readonly<Record<string, ChosenProject>> {
    const stored = this.choices.get(registryName(registry));
    const projects = (stored as { readonly projects?: unknown } | undefined)?.projects;
    const inUse = this.chosenAt(registry);
    const all = Object.values(isJsonObject(projects) ? projects : {}).flatMap(
      (one) => readChosen(one) ?? [],
    );
    return Object.fromEntries(
      [...all, ...(inUse === undefined ? [] : [inUse])].map((one) => [one.account, one]),
    );
  }

  /** Lists the versions of a skill that a project had pinned before, as far as this workspace observed. */
  pinnedBefore(project: KnownProject, slug: string): readonly string[] {
    return this.pinned.get(pinnedName(project))[slug] ?? [];
  }

  /** Remembers what was pinned before a change, for a rollback; nothing where these are two projects. */
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

  /** Remembers a version that is not to be offered again as an update of a project. */
  async ignoreVersion(project: KnownProject, slug: string, version: string): Promise<void> {
    const known = this.ignoredVersions(project);
    const versions = [version, ...(known[slug] ?? [])].slice(0, maxIgnored);
    await this.ignored.set(pinnedName(project), { ...known, [slug]: versions });
  }
}

function pinnedName({ account, detail }: KnownProject): string {
  return `${account.userId}:${account.organizationId} ${detail.summary.slug}`;
}
