import {
  type Account,
  accountKey,
  endsSession,
  organizationOf,
  sessionId,
  type UserSession,
} from "../../core/account/sessions";
import type { ProjectVerdict } from "../../core/invocation/permission/callabilityFacts";
import type { KeyProject as KeyProjectName } from "../../core/invocation/permission/terms";
import { predictResponse } from "../../core/project/gateway/projectChecks";
import {
  type ChosenProject,
  hasKey,
  isKeyOfOtherProject,
  type ProjectDetail,
  type ProjectSummary,
} from "../../core/project/project";
import { hasNoProject, isOutdated, type ProjectState } from "../../core/project/projectState";
import { type OpenUpdate, openUpdates } from "../../core/project/updateInbox";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { type RegistryIdentity, registryName } from "../../core/registry/registryName";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { ChangeEvent } from "../../engine/changeEvent";
import type { SkillPin } from "../../registry/routes/readSkill";
import { within } from "../../registry/wait";
import { pinIn } from "../../registry/workspace/projectReading";
import { currentRegistry } from "../connect/currentRegistry";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { KeyProject, type ProjectAsRead } from "../keys/keyProject";
import { Owner } from "../ui/owner";
import type { Memory } from "../ui/stored";
import { LatestRequest, newest } from "../ui/wait";
import type { UserSessions } from "./account/userSessions";
import { ProjectMemory } from "./projectMemory";
import { readProjectState } from "./readProjectState";
import { type InProject, type SignedIn, SignedInAccounts } from "./signedIn";

/** The maximum time that reading a skill waits for the project's version, in milliseconds. */
const pinMs = 3_000;
/**
 * The maximum time to wait for the project of the Project Key, in milliseconds. After that, the chosen project counts
 * for now.
 */
const keyMs = 1_500;

/** The dependencies of the project in use. */
export interface CurrentProjectParts {
  readonly connection: Pick<RegistryConnection, "current" | "onDidChange">;
  readonly sessions: UserSessions;
  /** Remembers the project of this workspace. */
  readonly workspaceMemory: Memory;
  /** Remembers sessions to revoke at the next sign-in. */
  readonly userMemory: Memory;
  /** Finds the Project Key that invocations are sent with. */
  readonly findKey: (registry: ConnectedRegistry) => Promise<string | undefined>;
  /**
   * Returns the slug of the project that the environment in use names. It becomes the chosen project if there is none.
   */
  readonly namedProject: () => string | undefined;
  /**
   * Called after each change of the project, even if its success is unknown. If it rejects, the project is read again
   * anyway.
   */
  readonly changeMade: (registry: ConnectedRegistry) => Promise<unknown>;
}

/** Tracks this workspace's project, for the account in use. */
export class CurrentProject extends Owner {
  private readonly changed = this.own(new ChangeEvent<void>());
  private readonly requests = this.own(new LatestRequest());
  private loading: Promise<void> | undefined;
  private current: ProjectState = { kind: "loading" };
  private readonly ofKey: KeyProject;
  private readonly memory: ProjectMemory;
  /** The signed-in accounts at the registry in use. */
  readonly accounts: SignedInAccounts;

  /** Fires when the state, the session or the chosen project may have changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly parts: CurrentProjectParts,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.ofKey = new KeyProject(parts.findKey, now);
    this.memory = new ProjectMemory(parts.workspaceMemory, parts.userMemory);
    this.accounts = new SignedInAccounts(parts.connection, parts.sessions, this.memory, now);
    this.own(
      parts.connection.onDidChange(() => this.forget({ kind: "loading" })),
      parts.sessions.onDidChange(() => this.forget(this.ended ?? { kind: "loading" })),
    );
  }

  /** The current state; `loading` before `ready`. */
  get state(): ProjectState {
    return this.current;
  }

  /** The project that this workspace remembers for a registry, even if it was not read. */
  chosenAt(registry: RegistryIdentity): ChosenProject | undefined {
    return this.memory.chosenAt(registry);
  }

  /** Identifies the remembered project among all of a registry; undefined for none. */
  idAt(registry: RegistryIdentity): string | undefined {
    const chosen = this.chosenAt(registry);
    return chosen && `${organizationOf(chosen.account)}/${chosen.slug}`;
  }

  /** Returns whether a key certainly belongs to another project of a registry than the chosen one. */
  isOfOtherProject(registry: RegistryIdentity, key: string): boolean {
    const { state } = this;
    if (state.kind !== "project" || state.registry !== registryName(registry)) return false;
    return isKeyOfOtherProject(state.detail, key);
  }

  /** Returns whether somebody is signed in at a registry, or was in this workspace. Never rejects. */
  async hasAccount(registry: RegistryIdentity & { readonly origin: string }): Promise<boolean> {
    if (this.memory.accountAt(registry) !== undefined) return true;
    return (await this.parts.sessions.list()).some(({ origin }) => origin === registry.origin);
  }

  /** Returns the project of the key in use, by the last readings; undefined if they do not show it. */
  async ofKeyInUse(registry: RegistryIdentity, key: string): Promise<KeyProjectName | undefined> {
    const { state } = this;
    if (state.kind !== "project" || state.registry !== registryName(registry)) return undefined;
    const { detail, account } = state;
    if (hasKey(detail, key)) return projectName(detail.summary, account);
    const found = await within(this.ofKey.found(), keyMs);
    if (found?.kind !== "known" || found.key !== key) return undefined;
    return projectName(found.project.detail.summary, found.who.session);
  }

  /**
   * Finds the signed-in user and the project that this workspace remembers for them, without a request. Undefined if
   * there is none, or if a reading showed that they may not see it.
   */
  async remembered(): Promise<(SignedIn & { readonly chosen: ChosenProject }) | undefined> {
    const who = await this.accounts.inUse();
    const chosen = who && this.chosenAt(who.registry);
    const isHere = who !== undefined && chosen?.account === accountKey(who.session);
    return isHere && !hasNoProject(this.state) ? { ...who, chosen } : undefined;
  }

  /** Reads the project if it was not read yet, and waits for a newer reading that begins in between. Never rejects. */
  ready(): Promise<void> {
    this.loading ??= this.load();
    return this.newest();
  }

  /** Reads the project again; the shown state stays in the meantime. Never rejects. */
  refresh(): Promise<void> {
    this.loading = this.load();
    return this.newest();
  }

  /**
   * Reads the project if it was not read yet. Reads it again if its state is a minute old or the last refresh failed,
   * for a user who returns to it. Never rejects.
   */
  async refreshIfOld(): Promise<void> {
    const before = this.current;
    await this.ready();
    // A state from a read that was in progress is new, even if it failed.
    if (this.current === before && isOutdated(before, this.now())) await this.refresh();
  }

  /** Uses another signed-in account in this workspace. Its project stays if that account may see it. */
  async useAccount({ registry, session }: SignedIn): Promise<void> {
    await this.memory.useAccount(registry, session);
    this.forget({ kind: "loading" });
    await this.refresh();
  }

  /** Chooses the project of this workspace and reads it. */
  async choose(registry: ConnectedRegistry, chosen: ChosenProject): Promise<void> {
    await this.memory.choose(registry, chosen);
    this.current = { kind: "loading" };
    await this.refresh();
  }

  /**
   * Returns the version of a skill that an invocation runs. Uses the project of the Project Key in use, else the chosen
   * one. If the chosen project has pinned the requested `version`, uses that project. Undefined if nobody is signed in,
   * no such project is known within three seconds, or the skill is not installed there. Never rejects.
   */
  pinOf(slug: string, version?: string): Promise<SkillPin | undefined> {
    return within(this.findPin(slug, version), pinMs);
  }

  /**
   * Determines again which project the Project Key in use belongs to, since the key may have changed. Never rejects.
   */
  async followKey(): Promise<void> {
    if (await this.ofKey.follow(this, this.requests.signal)) this.changed.fire();
  }

  /** Returns whether a key belongs to another project than the chosen one, and that project is unknown. */
  isOfUnknownProject(key: string): boolean {
    return this.ofKey.isUnknown(key);
  }

  /** Lists the versions of a skill that the project had pinned before, while this workspace observed it. */
  pinnedBefore(slug: string): readonly string[] {
    const { state } = this;
    return state.kind === "project" ? this.memory.pinnedBefore(state, slug) : [];
  }

  /** Returns whether the project runs this version of a skill, by the last reading. */
  isInstalled({ slug, version }: { readonly slug: string; readonly version: string }): boolean {
    const { state } = this;
    // Two unknown versions need not be the same.
    if (state.kind !== "project" || version === "") return false;
    const install = state.detail.skills.find((item) => item.slug === slug);
    return install?.status === "installed" && isSameVersion(install.version, version);
  }

  /** Lists the updates of the project, by the last reading, without those that are ignored here. */
  openUpdates(): readonly OpenUpdate[] {
    const { state } = this;
    if (state.kind !== "project") return [];
    return openUpdates(state.detail, this.memory.ignoredVersions(state));
  }

  /** Stops offering a version of a skill as an update of a project in this workspace. */
  async ignoreVersion(
    { session, detail }: InProject,
    slug: string,
    version: string,
  ): Promise<void> {
    await this.memory.ignoreVersion({ account: session, detail }, slug, version);
    this.changed.fire();
  }

  /**
   * Returns the expected response to an invocation from the last read state of its key's project. `version` is empty
   * for the pinned one, `key` left out for a test run. Undefined if that project is unknown.
   */
  predictionOf(slug: string, version = "", key?: string): ProjectVerdict | undefined {
    const project = this.projectOf(key);
    if (project === undefined) return undefined;
    const { skills, subscriptions, invocations } = project.detail;
    const skill = skills.find((item) => item.slug === slug);
    const facts = { skill, subscriptions, invocations, now: this.now() };
    const prediction = predictResponse(version === "" ? facts : { ...facts, version });
    const { version: runs = "", status = "" } = skill ?? {};
    return { prediction, status, at: project.loadedAt, ...(runs !== "" && { version: runs }) };
  }

  /** Returns the signed-in user with the chosen project as last read. Undefined if it was not read yet. */
  async inChosen(): Promise<InProject | undefined> {
    if (this.state.kind !== "project") return undefined;
    const who = await this.accounts.inUse();
    // Another account or project may have been chosen meanwhile.
    const { state } = this;
    if (who === undefined || state.kind !== "project") return undefined;
    return { ...who, detail: state.detail, role: state.account.role };
  }

  /**
   * Reads the project again after an attempt to change it, even a failed one. From the call on, `ready` waits for this
   * reading. Never rejects, since a failed reading does not mean that the change failed.
   */
  followChange({ registry, session }: SignedIn, answer: Result<unknown>): Promise<void> {
    const follow = async () => {
      if (!answer.ok) await this.noteFailure(session, answer.failure);
      await this.parts.changeMade(registry).catch(() => undefined);
      await this.refresh();
    };
    this.loading = follow().catch(() => undefined);
    return this.loading;
  }

  /** Notes the effect of a failure on the session: only 401 ends it. */
  async noteFailure(session: UserSession, failure: RegistryFailure): Promise<void> {
    if (!endsSession(failure)) return;
    await this.parts.sessions.forget(sessionId(session)).catch(() => undefined);
    this.current = { kind: "signedOut", hasEnded: true };
    this.changed.fire();
  }

  private async findPin(slug: string, version?: string): Promise<SkillPin | undefined> {
    const registry = await currentRegistry(this.parts.connection);
    // Without a chosen project, there is nothing to wait for.
    if (registry === undefined || this.chosenAt(registry) === undefined) return undefined;
    const found = await this.accounts.inUse();
    if (found === undefined) return undefined;
    await this.ready();
    const { state } = this;
    if (state.kind !== "project") return undefined;
    const ofKey = await within(this.ofKey.found(), keyMs);
    const chosen = this.pinIn(found, state.detail, slug);
    if (ofKey === undefined || (version !== undefined && isSameVersion(chosen?.version, version)))
      return chosen;
    return ofKey.kind === "known" ? this.pinIn(ofKey.who, ofKey.project.detail, slug) : undefined;
  }

  private pinIn(
    { routes, session }: SignedIn,
    detail: ProjectDetail,
    slug: string,
  ): SkillPin | undefined {
    return pinIn(detail, slug, async (signal) => {
      const answer = await routes.pinnedSkill(detail.summary.slug, slug, signal);
      if (!answer.ok) await this.noteFailure(session, answer.failure);
      return answer;
    });
  }

  /** The last read project of a key; without a key, the chosen one. */
  private projectOf(key: string | undefined): ProjectAsRead | undefined {
    const { state } = this;
    if (state.kind !== "project") return undefined;
    if (key === undefined || !isKeyOfOtherProject(state.detail, key)) return state;
    return this.ofKey.read(key);
  }

  /** The state after the registry ended a session, until the next sign-in. */
  private get ended(): ProjectState | undefined {
    return this.current.kind === "signedOut" && this.current.hasEnded ? this.current : undefined;
  }

  /** Drops the state, which belongs to another registry or user. */
  private forget(state: ProjectState): void {
    this.requests.dispose();
    this.current = state;
    this.loading = undefined;
    this.ofKey.forget();
    this.changed.fire();
  }

  /** Waits for the newest reading. A reading that a newer one replaced ends early without a result. */
  private async newest(): Promise<void> {
    await newest(() => {
      // Another registry or user came into use meanwhile.
      if (this.current.kind === "loading") this.loading ??= this.load();
      return this.loading;
    });
  }

  private async load(): Promise<void> {
    const signal = this.requests.begin();
    const state = await readProjectState(
      {
        ...{ ...this.parts, memory: this.memory, accounts: this.accounts, now: this.now },
        current: () => this.current,
        noteFailure: (session, failure) => this.noteFailure(session, failure),
      },
      signal,
    );
    if (signal.aborted) return;
    void this.memory.notePinned(this.current, state);
    this.current = state;
    void this.followKey();
    this.changed.fire();
  }
}

function projectName(
  { name, slug }: Pick<ProjectSummary, "name" | "slug">,
  { organization, organizationId }: Account,
): KeyProjectName {
  const text = organization === "" ? name : `${name} (${organization})`;
  return { text, id: `${organizationId}/${slug}` };
}
