import type * as vscode from "vscode";
import {
  accountKey,
  type ForgottenSession,
  isSameOrganization,
  type UserSession,
} from "../../core/account/sessions";
import { registryName } from "../../core/invocation/record/invocationRecord";
import { isJsonObject } from "../../core/json/jsonValue";
import {
  type ChosenProject,
  type ProjectState,
  readAccountInUse,
  readChosen,
} from "../../core/project/project";
import type { IgnoredVersions } from "../../core/project/updateInbox";
import { withPinned } from "../../core/project/updates";
import type { ConnectedRegistry } from "../connect/registryConnection";

const chosenName = "chosenProjects";
const maxChosen = 20;
const pinnedBeforeName = "pinnedBefore";
const maxPinnedProjects = 20;
const maxIgnored = 20;
const ignoredName = "ignoredVersions";
const forgottenName = "forgottenSessions";

type KnownProject = Extract<ProjectState, { kind: "project" }>;

/** What a registry is remembered by. */
export type RegistryIdentity = Pick<ConnectedRegistry, "baseUrl" | "isBuiltIn">;

/**
 * Stores across windows the project of this workspace, versions pinned before, and sessions to revoke. Never rejects:
 * what cannot be written, as on a full disk, the editor returns until the window closes.
 */
export class ProjectMemory {
  constructor(
    private readonly ofWorkspace: vscode.Memento,
    private readonly ofUser: vscode.Memento,
  ) {}

  /** The project this workspace remembers for a registry, whether it was read or not. */
  chosenAt(registry: RegistryIdentity): ChosenProject | undefined {
    return readChosen(this.allChosen()[registryName(registry)]);
  }

  /** The account in use in this workspace, as `accountKey` names it. */
  accountAt(registry: RegistryIdentity): string | undefined {
    return readAccountInUse(this.allChosen()[registryName(registry)]);
  }

  /** Remembers the account in use; the chosen project stays where it is of the same organization. */
  async useAccount(registry: ConnectedRegistry, session: UserSession): Promise<void> {
    const before = this.chosenAt(registry);
    const isKept = before !== undefined && isSameOrganization(before.account, session);
    await this.keepChoice(registry, { ...(isKept && before), account: accountKey(session) });
  }

  /** Remembers the account in use and its project, for the 20 most recently used registries. */
  async choose(registry: ConnectedRegistry, chosen: ChosenProject): Promise<void> {
    await this.keepChoice(registry, chosen);
  }

  /** Lists the versions of a skill that a project had pinned before, as far as this workspace observed. */
  pinnedBefore(project: KnownProject, slug: string): readonly string[] {
    return this.allPinnedBefore()[pinnedName(project)]?.[slug] ?? [];
  }

  /** Remembers what was pinned before a change, for a rollback; nothing where these are two projects. */
  async notePinned(before: ProjectState, now: ProjectState): Promise<void> {
    if (before.kind !== "project" || now.kind !== "project") return;
    const name = pinnedName(now);
    if (name !== pinnedName(before)) return;
    const { [name]: known = {}, ...others } = this.allPinnedBefore();
    const noted = withPinned(before.detail.skills, now.detail.skills, known);
    if (noted === known) return;
    const kept = [...Object.entries(others), [name, noted] as const].slice(-maxPinnedProjects);
    await keep(this.ofWorkspace, pinnedBeforeName, Object.fromEntries(kept));
  }

  /** The versions that are not offered as updates of a project in this workspace, by slug. */
  ignoredVersions(project: KnownProject): IgnoredVersions {
    return this.allIgnored()[pinnedName(project)] ?? {};
  }

  /** Remembers a version that is not to be offered again as an update of a project. */
  async ignoreVersion(project: KnownProject, slug: string, version: string): Promise<void> {
    const name = pinnedName(project);
    const { [name]: known = {}, ...others } = this.allIgnored();
    const versions = [version, ...(known[slug] ?? [])].slice(0, maxIgnored);
    const kept = [...Object.entries(others), [name, { ...known, [slug]: versions }] as const];
    const newest = Object.fromEntries(kept.slice(-maxPinnedProjects));
    await keep(this.ofWorkspace, ignoredName, newest);
  }

  /** Lists the sessions that were signed out of here and are still to be revoked. */
  forgotten(): readonly ForgottenSession[] {
    const kept: unknown = this.ofUser.get(forgottenName);
    return Array.isArray(kept) ? (kept as ForgottenSession[]) : [];
  }

  async keepForgotten(sessions: readonly ForgottenSession[]): Promise<void> {
    await keep(this.ofUser, forgottenName, sessions);
  }

  private async keepChoice(
    registry: ConnectedRegistry,
    chosen: Partial<ChosenProject>,
  ): Promise<void> {
    const name = registryName(registry);
    const others = Object.entries(this.allChosen()).filter(([other]) => other !== name);
    const kept = [...others, [name, chosen] as const].slice(-maxChosen);
    await keep(this.ofWorkspace, chosenName, Object.fromEntries(kept));
  }

  private allChosen(): Readonly<Record<string, unknown>> {
    const kept: unknown = this.ofWorkspace.get(chosenName);
    return isJsonObject(kept) ? kept : {};
  }

  private allIgnored(): Readonly<Record<string, IgnoredVersions>> {
    const kept: unknown = this.ofWorkspace.get(ignoredName);
    return isJsonObject(kept) ? (kept as never) : {};
  }

  private allPinnedBefore(): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
    const kept: unknown = this.ofWorkspace.get(pinnedBeforeName);
    return isJsonObject(kept) ? (kept as never) : {};
  }
}

async function keep(memory: vscode.Memento, name: string, value: unknown): Promise<void> {
  await memory.update(name, value).then(undefined, () => undefined);
}

function pinnedName({ account, detail }: KnownProject): string {
  return `${account.userId}:${account.organizationId} ${detail.summary.slug}`;
}
