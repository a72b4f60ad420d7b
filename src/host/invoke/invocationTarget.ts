import * as vscode from "vscode";
import { accountKey } from "../../core/account/sessions";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import { registryChangedNotice } from "../../core/invocation/permission/gateNotices";
import { isAgent } from "../../core/invocation/record/invocationRecord";
import { isRowOf } from "../../core/project/project";
import { type InvocationRequest, rateScopeOf, type Sending } from "../../engine/attempt";
import type { TestRunTarget } from "../../registry/registryClient";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { registryInUse } from "../connect/withRegistry";
import type { ProjectKeys } from "../keys/projectKeys";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { withWaiting } from "../ui/progress";
import { showNotice } from "../ui/showNotice";
import { LatestRequest } from "../ui/wait";
import type { CurrentProject } from "../workspace/currentProject";
import type { InProject, SignedIn } from "../workspace/signedIn";

/** The dependencies of finding the registry of invocations and its key. */
export interface TargetParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  /** Asks the user for a key and stores it. Undefined if they canceled. */
  readonly askForKey: (registry: ConnectedRegistry) => Promise<string | undefined>;
  /** Finds the project of a test run. Lets the user sign in or choose a project if needed. */
  readonly testRunProject: () => Promise<TestRunProject | undefined>;
}

/** Finds the registry and the key for an invocation. Every slow step can be canceled. */
export class InvocationTarget {
  constructor(private readonly parts: TargetParts) {}

  /**
   * Returns the registry for which `skill` was checked. Undefined, with a notice, if another registry is in use now.
   */
  async connectTo(baseUrl: string, skill: string): Promise<ConnectedRegistry | undefined> {
    const registry = await registryInUse(this.parts.connection);
    if (registry === undefined || registry.baseUrl === baseUrl) return registry;
    void showNotice(registryChangedNotice(skill, hostLanguage()));
    return undefined;
  }

  /** Returns the sender of an invocation, asking for a missing key or sign-in; undefined if the user canceled. */
  async findSender(
    { registry, isTestRun, caller }: InvocationRequest<ConnectedRegistry>,
    skillSlug: string,
  ): Promise<Sending | undefined> {
    const found = await this.lookForKey(registry);
    if (found === undefined) return undefined;
    if (isTestRun) return this.findTester(registry, skillSlug, found.key);
    // An agent cannot make a person set a key.
    const key =
      found.key ?? (isAgent(caller.kind) ? undefined : await this.parts.askForKey(registry));
    if (key === undefined) return undefined;
    return {
      sender: { kind: "projectKey", key },
      scope: rateScopeOf(registry, key, skillSlug),
      noteOutcome: (outcome) => this.parts.keys.noteAnswer(registry, key, outcome),
    };
  }

  private async findTester(
    registry: ConnectedRegistry,
    skillSlug: string,
    key: string | undefined,
  ): Promise<Sending | undefined> {
    const target = await this.parts.testRunProject();
    if (target === undefined) return undefined;
    // The registry counts a project's test runs and invocations together, so both need the same rate scope.
    const counted = key !== undefined && target.hasKey(key) ? key : target.name;
    return {
      sender: { kind: "testRun", target },
      scope: rateScopeOf(registry, counted, skillSlug),
      isSignedIn: target.isSignedIn,
      noteOutcome: target.noteOutcome,
    };
  }

  /** Looks up the key of a registry; undefined if the user stops waiting for the secret storage. */
  lookForKey(
    registry: ConnectedRegistry,
  ): Promise<{ readonly key: string | undefined } | undefined> {
    const looking = this.parts.keys.find(registry).then((key) => ({ key }));
    return withWaiting(vscode.l10n.t("Reading the Project Key"), () => looking);
  }
}

/** Finds the project of a test run, and keeps the offer of test runs up to date. */
export class TestRuns extends Owner {
  private readonly requests = new LatestRequest();
  /** The base URLs of registries that do not support test runs. */
  private readonly registriesWithoutTestRuns = new Set<string>();

  constructor(
    private readonly project: CurrentProject,
    private readonly offer: Pick<TestRunOffer, "isOffered">,
    /** Lets the user sign in and choose a project. Undefined if they did not. */
    private readonly inProject: () => Promise<InProject | undefined>,
  ) {
    super();
    this.own(project.onDidChange(() => void this.follow()));
    void this.follow();
  }

  /**
   * Finds the project, without a request if this workspace remembers it. Undefined if the user canceled. If another
   * registry is in use by now, the project is one of that registry, and the engine does not send the invocation.
   */
  async find(): Promise<TestRunProject | undefined> {
    const remembered = await this.project.remembered();
    const at = remembered ?? (await this.inProject());
    if (at === undefined) return undefined;
    const { slug } = "detail" in at ? at.detail.summary : at.chosen;
    const { session } = at;
    const { origin, token: text } = session;
    return {
      project: slug,
      token: { kind: "userToken", origin, text },
      name: `${accountKey(session)} ${slug}`,
      hasKey: (key) => this.hasKey(slug, key),
      isSignedIn: async () => {
        const now = await this.project.remembered();
        return now?.session.token === text && now.chosen.slug === slug;
      },
      noteOutcome: (outcome) => this.note(at, outcome),
    };
  }

  private hasKey(slug: string, key: string): boolean {
    const { state } = this.project;
    if (state.kind !== "project" || state.detail.summary.slug !== slug) return false;
    return state.detail.keys.some((row) => isRowOf(row, key));
  }

  private async note({ registry, session }: SignedIn, outcome: InvocationOutcome): Promise<void> {
    if (outcome.kind !== "refused") return;
    if (outcome.reason === "signedOut") {
      await this.project.noteFailure(session, { kind: "errorAnswer", status: 401 });
    }
    if (outcome.reason !== "notOffered") return;
    this.registriesWithoutTestRuns.add(registry.baseUrl);
    await this.follow();
  }

  private async follow(): Promise<void> {
    const signal = this.requests.begin();
    const chosen = await this.project.remembered();
    if (signal.aborted) return;
    this.offer.isOffered =
      chosen !== undefined && !this.registriesWithoutTestRuns.has(chosen.registry.baseUrl);
  }
}

/** The project of a test run, and a callback for its result. */
export interface TestRunProject extends TestRunTarget {
  /** Identifies account and project, for the rate limit. */
  readonly name: string;
  /** Returns whether a Project Key belongs to the project, if that is known. */
  readonly hasKey: (key: string) => boolean;
  /** Returns whether its user is still signed in, and it is still the chosen project. */
  readonly isSignedIn: () => Promise<boolean>;
  readonly noteOutcome: (outcome: InvocationOutcome) => unknown;
}

/** Tracks whether test runs are offered: while a user is signed in and has a project. */
export class TestRunOffer extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private offered = false;

  readonly onDidChange = this.changed.event;

  get isOffered(): boolean {
    return this.offered;
  }

  set isOffered(isOffered: boolean) {
    if (this.offered === isOffered) return;
    this.offered = isOffered;
    this.changed.fire();
  }
}
