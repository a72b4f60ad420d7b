import type { AgentNote } from "../core/agents/agentNote";
import type { ProjectUsage } from "../core/invocation/usage/projectUsage";
import type { UsageFilter } from "../core/invocation/usage/usageFilter";
import type { UsageSlice } from "../core/invocation/usage/usageSlices";
import type { ReviewNote } from "../core/review/teamStanding";
import {
  maxCompared,
  minCompared,
  type SkillComparison,
} from "../core/skill/compare/compareSkills";
import type { VersionDifference } from "../core/skill/compare/versionDifference";
import type { Callability } from "../core/skill/description/callability";
import type { ExampleTrial } from "../core/skill/description/exampleTrial";
import type {
  SchemaSide,
  SchemaView,
  SkillDescription,
} from "../core/skill/description/skillDescription";
import type { NoticeActionName } from "../core/text/notice";

/** A message from the host to the page. */
export type HostMessage = SkillPageSnapshot | UsagePart;

/** Everything there is to show. */
export interface SkillPageSnapshot {
  readonly type: "snapshot";
  readonly page: SkillPage;
  /** The page's own texts, English → the reader's language; empty for English. */
  readonly words: Readonly<Record<string, string>>;
}

/**
 * A part of the invocations that the Usage page adds up; the page draws them with the last one. After all of them it
 * is sent what is new or changed alone.
 */
export interface UsagePart {
  readonly type: "usage";
  readonly slice: UsageSlice;
  /** The IDs of those that are no longer on the record. */
  readonly gone: readonly string[];
  /** Whether what came before no longer counts. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** What the page shows. */
export type SkillPage =
  | { readonly kind: "loading"; readonly slug: string }
  | {
      readonly kind: "ready";
      readonly skill: SkillDescription;
      /** Why this may be outdated and since when; empty where it is current. */
      readonly stale: string;
      /** Whether an invocation would be answered by the skill. */
      readonly run: Callability;
      /** How it stands with the reviews of the workspace; undefined in a workspace without reviews. */
      readonly review: ReviewNote | undefined;
      /** What the user lets agents do with it; left out where nothing was agreed to. */
      readonly agents?: AgentNote | undefined;
      /** The version the reader asked for; empty for the registry's choice. */
      readonly chosenVersion: string;
      /** Undefined until the page asks for two versions. */
      readonly compared: ComparedVersions | undefined;
      /** What was made of the schemas that the page asked for. */
      readonly schemas: Readonly<Partial<Record<SchemaSide, SchemaView>>>;
      /** The examples that were invoked here, by their index. */
      readonly trials: Readonly<Record<number, ExampleTrial>>;
    }
  /** Several skills side by side; nothing yet while they are being read. */
  | {
      readonly kind: "comparison";
      readonly slugs: readonly string[];
      readonly comparison?: SkillComparison;
    }
  /** What the invocations of this machine came to; they come by themselves, in parts. */
  | {
      readonly kind: "usage";
      /** The local day of the host, as `YYYY-MM-DD`. */
      readonly today: string;
      /** In hundredths of a registry's currency, for each registry; 0 is none. */
      readonly dailyLimitCents: number;
      /** Left out where nobody is signed in. Read when the page asks for it. */
      readonly project?: ProjectUsage;
    }
  /** The registry says there is no such skill. */
  | { readonly kind: "gone"; readonly slug: string; readonly registryName: string }
  /** The skill could not be read. `message` describes why and what to do. */
  | {
      readonly kind: "failed";
      readonly slug: string;
      readonly message: string;
      /** Actions that may help besides trying again. */
      readonly actions: readonly PageAction[];
    };

/** An action of a page for a failure. */
export interface PageAction {
  readonly action: RecoveryAction;
  readonly title: string;
}

/** An action that a page may request for a failure. All of them happen outside the page. */
type RecoveryAction = (typeof recoveryActions)[number];

/** Two versions of the skill that is shown, compared. */
export type ComparedVersions =
  | ({ readonly kind: "loading" } & VersionPair)
  | ({ readonly kind: "ready"; readonly difference: VersionDifference } & VersionPair)
  /** One of the two could not be read. `message` describes why. */
  | ({ readonly kind: "failed"; readonly message: string } & VersionPair);

/** Two versions of a skill, the one to come from first. */
export interface VersionPair {
  readonly before: string;
  readonly after: string;
}

/**
 * Names the versions that a reader compares in a page, so that a new answer of the registry keeps them.
 * Undefined where there are none, and where the answer is for another `version` than the page shows (empty
 * for the registry's choice): which versions are compared follows the one that is shown.
 */
export function keptPair(page: SkillPage, version: string): VersionPair | undefined {
  if (page.kind !== "ready" || page.compared === undefined) return undefined;
  if (page.chosenVersion !== version) return undefined;
  const { before, after } = page.compared;
  return { before, after };
}

/**
 * A request of the page to the host. Only `invokeExample`, and an action for what became of it, can send anything to
 * the registry that is not a read; both go the way of every invocation, with the editor's own questions.
 */
export type PageMessage =
  /** Sent once, by a page that shows what comes. A snapshot follows. */
  | { readonly type: "ready" }
  /** Opens a new payload from the example of that index. */
  | { readonly type: "newPayload"; readonly example: number }
  /** Invokes the skill with the input of the example of that index. */
  | { readonly type: "invokeExample"; readonly example: number }
  /** Cancels that invocation. */
  | { readonly type: "cancelExample"; readonly example: number }
  /** Runs the action of that index among those for what became of the example. */
  | { readonly type: "runExampleAction"; readonly example: number; readonly action: number }
  /** Opens or copies what the invocation of the example led to, outside the page. */
  | { readonly type: "openResult"; readonly example: number; readonly what: ResultTarget }
  /** Opens one side of an example that is too long for the page, read-only. */
  | { readonly type: "openExample"; readonly example: number; readonly side: SchemaSide }
  /** Shows the payload of the skill, a new one where none is open. */
  | { readonly type: "openPayload" }
  | { readonly type: "copyAs" }
  | { readonly type: "retry" }
  /** Requests what is made of a schema: its outline, and an example where the skill has none. */
  | { readonly type: "viewSchema"; readonly side: SchemaSide }
  /** Runs an action for a failure. */
  | { readonly type: "runAction"; readonly action: RecoveryAction }
  /** Copies one side of the example of that index. */
  | { readonly type: "copyExample"; readonly example: number; readonly side: SchemaSide }
  /** Lists the skills that have the skill's tag of that index. */
  | { readonly type: "listByTag"; readonly tag: number }
  /** Lists the skills of the skill's publisher. */
  | { readonly type: "listByPublisher" }
  /** Requests a check of the Project Key in use at the registry. */
  | { readonly type: "checkProjectKey" }
  /** Lets the reader enter a Project Key, outside the page. */
  | { readonly type: "setProjectKey" }
  /** Starts a review of the skill, outside the page. */
  | { readonly type: "reviewSkill" }
  /** Asks whether agents may invoke the skill, outside the page. */
  | { readonly type: "allowAgents" }
  | { readonly type: "selectVersion"; readonly version: string }
  /** Shows how two versions differ. */
  | ({ readonly type: "compareVersions" } & VersionPair)
  /** Opens the manifests of two versions side by side in an editor. */
  | ({ readonly type: "diffManifests" } & VersionPair)
  /** Lets the reader choose which skills to compare with this one, or to add to a comparison. */
  | { readonly type: "compareWith" }
  /** Removes a skill from the comparison. */
  | { readonly type: "removeSkill"; readonly slug: string }
  /** Opens another skill of the same registry. */
  | { readonly type: "openSkill"; readonly slug: string }
  | { readonly type: "openLink"; readonly url: string }
  /** Opens the editor's own search in the page. */
  | { readonly type: "find" }
  | { readonly type: "copy"; readonly what: CopyTarget }
  /** Opens the record of an invocation. */
  | { readonly type: "openRecord"; readonly id: string }
  /** Reads the project's record where it was not read a moment ago; a snapshot follows. */
  | { readonly type: "readProject" }
  /** Copies a table of the page. */
  | { readonly type: "copyTable"; readonly text: string }
  /** Saves a chart, where the reader says; `text` is base64 for PNG. */
  | { readonly type: "saveChart"; readonly file: string; readonly text: string }
  /** Opens the whole text in an editor of its own. */
  | { readonly type: "openText"; readonly what: TextTarget };

/** A text of the page that can be opened in an editor. */
export type TextTarget = (typeof textTargets)[number];

/** What can be done with the result of an example. */
export type ResultTarget = (typeof resultTargets)[number];

/** A text of the page that can be copied. */
export type CopyTarget = (typeof copyTargets)[number];

/** The actions for failures between here and a registry. */
export const recoveryActions = [
  "connect",
  "openSettings",
  "openProxySettings",
  "showLog",
] as const satisfies readonly NoticeActionName[];

/** The texts that can be opened in an editor. */
export const textTargets = ["manifest", "inputSchema", "outputSchema"] as const;

/** What can be done with the result of an example: its output and its record opened, the output copied, a test made of it. */
export const resultTargets = ["output", "copy", "record", "test"] as const;

/** The texts that can be copied. */
export const copyTargets = ["slug", ...textTargets] as const;

/** The state of the page that is kept while hidden and over a reload of the window. */
export interface PageState {
  readonly slug: string;
  /** The version that was chosen; empty for the registry's choice. */
  readonly version: string;
  readonly tab: PageTab;
  readonly scrollTop: number;
}

/** A tab of the page. */
export type PageTab = (typeof pageTabs)[number];

/** The tabs in the order they are shown. */
export const pageTabs = [
  "overview",
  "input",
  "output",
  "examples",
  "versions",
  "manifest",
] as const;

/** Reads a stored state, which may be from another version of the page. Undefined where it names no skill. */
export function readPageState(value: unknown): PageState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { slug, version, tab, scrollTop } = value as Record<keyof PageState, unknown>;
  if (typeof slug !== "string" || slug === "" || slug.length > 200) return undefined;
  return {
    slug,
    version: typeof version === "string" && version.length <= 200 ? version : "",
    tab: pageTabs.find((name) => name === tab) ?? "overview",
    scrollTop: typeof scrollTop === "number" && scrollTop > 0 ? scrollTop : 0,
  };
}

/** The state of the Usage page that is kept while hidden. */
export interface UsageState {
  readonly usage: UsageFilter;
}

/** The state of a comparison page that is kept while hidden and over a reload of the window. */
export interface ComparisonState {
  /** Two to four. */
  readonly slugs: readonly string[];
  /** True where rows that are the same are left out. */
  readonly onlyDifferences: boolean;
  readonly scrollTop: number;
}

/**
 * Reads a stored state, which may be from another version of the page. Undefined where it names too few or
 * too many skills.
 */
export function readComparisonState(value: unknown): ComparisonState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { slugs, onlyDifferences, scrollTop } = value as Record<keyof ComparisonState, unknown>;
  if (!Array.isArray(slugs)) return undefined;
  const fit = slugs.every((slug) => typeof slug === "string" && slug !== "" && slug.length <= 200);
  const count = new Set(slugs).size;
  if (!fit || count !== slugs.length || count < minCompared || count > maxCompared)
    return undefined;
  return {
    slugs,
    onlyDifferences: onlyDifferences === true,
    scrollTop: typeof scrollTop === "number" && scrollTop > 0 ? scrollTop : 0,
  };
}
