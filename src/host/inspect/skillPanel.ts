import type * as vscode from "vscode";
import type { AgentNote } from "../../core/agents/agentNote";
import { describeCallability } from "../../core/invocation/permission/callability";
import type { CallabilityFacts } from "../../core/invocation/permission/callabilityFacts";
import type { MakeSample } from "../../core/payload/payloadTemplates";
import {
  actionsFor,
  type RegistryFailure,
  registryFailureText,
} from "../../core/registry/registryFailure";
import type { ReviewNote } from "../../core/review/teamStanding";
import { describeSkill, staleText } from "../../core/skill/description/describeSkill";
import {
  type MakeOutline,
  type SchemaSide,
  schemaOf,
  viewSchema,
} from "../../core/skill/description/skillDescription";
import { isLatest, type SkillDetail } from "../../core/skill/skill";
import type { Language } from "../../core/text/language";
import type { NoticeAction } from "../../core/text/notice";
import { oneLine } from "../../core/text/plainText";
import {
  keptPair,
  type PageAction,
  type ReadyPage,
  type SkillPage,
  type VersionPair,
} from "../../protocol/pageMessages";
import { type PageHandlers, recoveryActions } from "../../protocol/readPageMessage";
import { pause } from "../../registry/wait";
import type { Connection, RegistryConnection } from "../connect/registryConnection";
import type { PageTrials, TrialPage } from "../invoke/onPage/pageTrials";
import {
  type DocumentPayload,
  PayloadForm,
  type PayloadFormParts,
} from "../invoke/onPage/payloadForm";
import { LatestRequest } from "../ui/wait";
import { compareVersions } from "./manifestDocuments";
import type { PageFrame } from "./pageFrame";
import { ShownPage } from "./shownPage";
import type { SkillDetails } from "./skillDetails";

/** The dependencies of every page. */
export interface SkillPanelParts {
  readonly frame: PageFrame;
  readonly language: Language;
  readonly connection: RegistryConnection;
  readonly details: Pick<SkillDetails, "find" | "forget">;
  readonly handlers: (panel: SkillPanel) => PageHandlers<"skill">;
  /** Collects the known facts about whether a skill would run, beside those on its page. Never rejects. */
  readonly callabilityFacts: (slug: string) => Promise<CallabilityFacts>;
  /** Describes a skill's standing with the workspace's reviews; undefined without reviews. Never rejects. */
  readonly reviewOf: (skill: SkillDetail) => Promise<ReviewNote | undefined>;
  /** Describes the agents' agreement about a skill; undefined without one. Never rejects. */
  readonly agentsOf: (slug: string) => Promise<AgentNote | undefined>;
  /** Returns the title of a page before its skill is read: the name in the list, else its slug. */
  readonly nameOf: (slug: string) => string;
  readonly outline: MakeOutline;
  readonly sample: MakeSample;
  readonly checks: PayloadFormParts["checks"];
  readonly trialsOf: (page: TrialPage) => PageTrials;
  /** Returns where the payloads of a manifest are sent; undefined for nowhere, and for a skill of a registry. */
  readonly localAddress: (skill: SkillDetail) => string | undefined;
}

/** One open page of a skill: loads it, sends its content and handles its requests. */
export class SkillPanel {
  private readonly shown: ShownPage;
  private readonly comparisons = new LatestRequest();
  /**
   * Aborts an older judgment of whether the skill can be invoked. `load` also checks whether a judgment began while it
   * read.
   */
  private readonly judgments = new LatestRequest();
  readonly trials: PageTrials;
  readonly form: PayloadForm;
  /** Undefined before it is read. */
  skill: SkillDetail | undefined;
  /** The base URL of the registry that the shown content was read from. */
  private readFrom = "";
  private readAt = 0;
  /** The parts to read again once the page is visible. */
  private outdated: "nothing" | "callability" | "all" = "nothing";

  /** An empty `version` is the registry's choice. */
  constructor(
    private readonly view: vscode.WebviewPanel,
    private slug: string,
    private version: string,
    private readonly parts: SkillPanelParts,
  ) {
    this.shown = new ShownPage({
      view,
      frame: parts.frame,
      title: parts.nameOf(slug),
      page: { kind: "loading", slug },
      handlers: parts.handlers(this),
      seen: () => this.catchUp(),
    });
    this.trials = parts.trialsOf({
      isSeen: () => view.visible,
      changed: () => {
        const { page } = this.shown;
        if (page.kind === "ready") this.shown.show({ ...page, trials: this.trials.shown });
      },
      showVersion: (other) => this.showVersion(other),
    });
    this.form = new PayloadForm(parts, (part) => this.shown.send(part));
    view.onDidDispose(() => this.form.dispose());
    // The editor sends messages with a timer. Wait until it has sent the message that creates the panel, so that
    // reading the skill does not delay the panel.
    void pause(0).then(() => this.load());
  }

  /** The skill that the page shows or is loading. */
  get shownSlug(): string {
    return this.slug;
  }

  /** Whether this page is the active editor. */
  get isActive(): boolean {
    return this.view.active;
  }

  /** Shows another skill in this page, in the registry's choice of version. */
  showSkill(slug: string): void {
    this.slug = slug;
    this.version = "";
    this.skill = undefined;
    this.comparisons.begin();
    this.shown.rename(this.parts.nameOf(slug));
    this.shown.show({ kind: "loading", slug });
    void this.load();
  }

  /** Shows the form with the focus in it; with `payload`, for a document's payload once the page shows its skill. */
  tryIt(payload?: DocumentPayload): void {
    if (payload !== undefined) this.form.load(payload);
    this.shown.request({ type: "tryIt" });
  }

  reveal(preserveFocus: boolean): void {
    this.view.reveal(undefined, preserveFocus);
  }

  /** Shows a version of the skill; an empty one is the registry's choice. */
  showVersion(version: string): void {
    this.version = version;
    this.comparisons.begin();
    void this.load();
  }

  /** Reads the skill again. */
  retry(): void {
    this.parts.details.forget(this.slug);
    if (this.shown.page.kind !== "ready") this.shown.show({ kind: "loading", slug: this.slug });
    void this.load();
  }

  /** Reads and shows the skill if the page is visible. Marks a hidden page as old. A newer load drops an older one. */
  async load(): Promise<void> {
    if (!this.shown.isSeen) {
      this.outdated = "all";
      return;
    }
    this.outdated = "nothing";
    const signal = this.shown.beginLoad();
    const judged = this.judgments.signal;
    const { language } = this.parts;
    const version = this.version === "" ? undefined : this.version;
    const [connection, found, facts, agents] = await Promise.all([
      this.parts.connection.current(),
      this.parts.details.find(this.slug, version),
      this.parts.callabilityFacts(this.slug),
      this.parts.agentsOf(this.slug),
    ]);
    const review = found.ok ? await this.parts.reviewOf(found.value) : undefined;
    if (signal.aborted) return;
    const registryName = connection.ok ? oneLine(connection.registry.name, 100) : "";
    if (found.ok) {
      const schemas = this.reusableSchemas(found.value);
      this.skill = found.value;
      this.trials.keepFor(found.value);
      this.form.keepFor(found.value);
      this.readFrom = connection.ok ? connection.registry.baseUrl : "";
      this.readAt = Date.now();
      this.shown.rename(tabTitle(found.value));
      const builtIn = connection.ok && connection.registry.isBuiltIn;
      const registry = { name: registryName, builtIn };
      const skill = describeSkill(found.value, {
        registry,
        now: Date.now(),
        language,
        requestedVersion: this.version,
        localAddress: this.parts.localAddress(found.value),
      });
      const pair = keptPair(this.shown.page, this.version);
      const compared = pair && ({ kind: "loading", ...pair } as const);
      const run = describeCallability(found.value, facts, language);
      this.shown.show({
        kind: "ready",
        skill,
        stale: "",
        run,
        review,
        agents,
        chosenVersion: this.version,
        compared,
        schemas,
        trials: this.trials.shown,
      });
      if (pair !== undefined) void this.compare(pair);
      // A change while the skill was read may have been judged with the old data.
      if (judged.aborted) void this.refreshCallability();
    } else if (this.shown.page.kind === "ready" && this.isStillValid(connection, found.failure)) {
      const stale = staleText(found.failure, this.readAt, language);
      this.shown.show({ ...this.shown.page, stale });
    } else {
      this.shown.show(failedPage(this.slug, registryName, found.failure, language));
    }
  }

  /**
   * Updates whether the skill can be invoked, its reviews, and the permissions of agents, since a key, an invocation or
   * a file may have changed them. Marks a hidden page as old, as `load` does.
   */
  async refreshCallability(): Promise<void> {
    if (!this.shown.isSeen) {
      if (this.outdated === "nothing") this.outdated = "callability";
      return;
    }
    const signal = AbortSignal.any([this.shown.joinLoad(), this.judgments.begin()]);
    const { skill } = this;
    if (skill === undefined) return;
    const [facts, review, agents] = await Promise.all([
      this.parts.callabilityFacts(this.slug),
      this.parts.reviewOf(skill),
      this.parts.agentsOf(this.slug),
    ]);
    const { page } = this.shown;
    if (signal.aborted || page.kind !== "ready" || this.skill !== skill) return;
    this.shown.show({
      ...page,
      run: describeCallability(skill, facts, this.parts.language),
      review,
      agents,
    });
  }

  /** Reads the parts that were marked as old while the page was hidden. */
  private catchUp(): void {
    const { outdated } = this;
    this.outdated = "nothing";
    if (outdated === "all") void this.load();
    else if (outdated === "callability") void this.refreshCallability();
  }

  dispose(): void {
    this.view.dispose();
  }

  /** Shows how two versions differ. A newer request cancels an older one. */
  async compare({ before, after }: VersionPair): Promise<void> {
    if (this.shown.page.kind !== "ready") return;
    const signal = this.comparisons.begin();
    this.shown.show({ ...this.shown.page, compared: { kind: "loading", before, after } });
    const { details, language } = this.parts;
    const compared = await compareVersions(details, this.slug, { before, after }, language);
    if (signal.aborted || this.shown.page.kind !== "ready") return;
    this.shown.show({ ...this.shown.page, compared });
  }

  /** Adds the outline of a schema to the page, unless it shows another skill or version by then. */
  async addSchema(side: SchemaSide): Promise<void> {
    const { skill } = this;
    const view = skill && (await viewSchema(skill, side, this.parts));
    const { page } = this.shown;
    if (view === undefined || page.kind !== "ready" || this.skill !== skill) return;
    this.shown.show({ ...page, schemas: { ...page.schemas, [side]: view } });
  }

  /** Returns the outlines of the shown skill's schemas if a new reading has the same schemas. */
  private reusableSchemas(read: SkillDetail): ReadyPage["schemas"] {
    const { skill } = this;
    const { page } = this.shown;
    const isSame =
      skill?.examples === read.examples &&
      (["input", "output"] as const).every(
        (side) => schemaOf(skill, side) === schemaOf(read, side),
      );
    return isSame && page.kind === "ready" ? page.schemas : {};
  }

  /** Returns whether the shown content is still valid: from this registry, and not deleted. */
  private isStillValid(connection: Connection, failure: RegistryFailure): boolean {
    if (failure.kind === "notFound" || this.shown.page.kind !== "ready" || !connection.ok)
      return false;
    const isSame = this.readFrom === connection.registry.baseUrl;
    return isSame && this.shown.page.chosenVersion === this.version;
  }
}

/** Returns the title. It names a version that is not the latest, so that its tab is not mistaken for the latest's. */
function tabTitle(skill: SkillDetail): string {
  const { displayName, slug, version } = skill.summary;
  const name = oneLine(displayName || slug, 40);
  return isLatest(skill) ? name : `${name}@${oneLine(version, 30)}`;
}

/** Creates the page of an unreadable skill: that it no longer exists, or why and what to do. */
function failedPage(
  slug: string,
  registryName: string,
  failure: RegistryFailure,
  language: Language,
): SkillPage {
  return failure.kind === "notFound"
    ? { kind: "gone", slug, registryName }
    : {
        kind: "failed",
        slug,
        message: oneLine(registryFailureText(failure, language), 1000),
        actions: pageActions(actionsFor(failure, language)),
      };
}

function pageActions(actions: readonly NoticeAction[]): PageAction[] {
  return actions.flatMap(({ action, title }) => {
    const known = recoveryActions.find((each) => each === action);
    return known === undefined ? [] : [{ action: known, title }];
  });
}
