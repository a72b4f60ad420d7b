import * as vscode from "vscode";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import { accountKey } from "../../core/workspace/account";
import { isRowOf } from "../../core/workspace/project";
import type { TestRunTarget } from "../../registry/registryClient";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { contextKeys } from "../ids";
import { LatestRequest } from "../latestRequest";
import type { CurrentProject } from "../workspace/currentProject";
import type { InProject } from "../workspace/keyCommands";
import type { SignedIn } from "../workspace/signedIn";

/** Says where a test run takes place, and has it offered while there is such a place. */
export class TestRuns {
  private readonly subscription: vscode.Disposable;
  private readonly requests = new LatestRequest();
  /** Registries, by base URL, that said that they have no test runs. */
  private readonly without = new Set<string>();

  constructor(
    private readonly project: CurrentProject,
    private readonly offer: Pick<TestRunOffer, "isOffered">,
    /** Signs somebody in and has a project chosen. Undefined where it came to nothing. */
    private readonly inProject: () => Promise<InProject | undefined>,
  ) {
    this.subscription = project.onDidChange(() => void this.follow());
    void this.follow();
  }

  /**
   * Finds the place at a registry, asking nothing of it where this workspace remembers its project.
   * Undefined where the user gave up, or another registry came into use.
   */
  async place(registry: ConnectedRegistry): Promise<TestRunPlace | undefined> {
    const remembered = await this.remembered();
    const at = remembered ?? (await this.inProject());
    if (at === undefined || at.registry.baseUrl !== registry.baseUrl) return undefined;
    const slug = "detail" in at ? at.detail.summary.slug : at.slug;
    const { session } = at;
    const { origin, token: text } = session;
    return {
      project: slug,
      token: { kind: "userToken", origin, text },
      name: `${accountKey(session)} ${slug}`,
      hasKey: (key) => this.hasKey(slug, key),
      noteOutcome: (outcome) => this.note(at, outcome),
    };
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async remembered(): Promise<(SignedIn & { readonly slug: string }) | undefined> {
    const who = await this.project.signedIn();
    const chosen = who && this.project.chosenAt(who.registry);
    const isHere = who !== undefined && chosen?.account === accountKey(who.session);
    return isHere ? { ...who, slug: chosen.slug } : undefined;
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
    this.without.add(registry.baseUrl);
    await this.follow();
  }

  private async follow(): Promise<void> {
    const isLatest = this.requests.begin();
    const place = await this.remembered();
    if (!isLatest()) return;
    this.offer.isOffered = place !== undefined && !this.without.has(place.registry.baseUrl);
  }
}

/** Where a test run takes place, and a callback for its result. */
export interface TestRunPlace extends TestRunTarget {
  /** Names account and project, for what a registry counts by. */
  readonly name: string;
  /** Tells whether a Project Key is one of the project's, as far as that is known. */
  readonly hasKey: (key: string) => boolean;
  readonly noteOutcome: (outcome: InvocationOutcome) => unknown;
}

/** Knows whether test runs are offered beside invocations: somebody is signed in and works with a project. */
export class TestRunOffer {
  private readonly changed = new vscode.EventEmitter<void>();
  private offered = false;

  readonly onDidChange = this.changed.event;

  get isOffered(): boolean {
    return this.offered;
  }

  set isOffered(isOffered: boolean) {
    if (this.offered === isOffered) return;
    this.offered = isOffered;
    void vscode.commands.executeCommand("setContext", contextKeys.canTestRun, isOffered);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
