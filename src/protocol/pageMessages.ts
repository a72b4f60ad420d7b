import type { AgentNote } from "../core/agents/agentNote";
import type { Form } from "../core/form/formField";
import type { FormProblems } from "../core/form/formProblems";
import type { ExampleTrial } from "../core/invocation/output/exampleTrial";
import type { Callability } from "../core/invocation/permission/callabilityFacts";
import type { ProjectUsage } from "../core/invocation/usage/projectUsage";
import type { UsageFilter } from "../core/invocation/usage/usageFilter";
import type { TemplateKind } from "../core/payload/payloadTemplates";
import type { ReviewNote } from "../core/review/teamStanding";
import {
  maxCompared,
  minCompared,
  type SkillComparison,
} from "../core/skill/compare/compareSkills";
import type { VersionDifference } from "../core/skill/compare/versionDifference";
import type {
  SchemaSide,
  SchemaView,
  SkillDescription,
} from "../core/skill/description/skillDescription";
import type { RecoveryAction } from "./readPageMessage";

/** A message from the host to the page. */
export type HostMessage = SkillPageSnapshot | PageChange | FormPart | TryIt | UsagePart;

/** The whole content of a page. */
export interface SkillPageSnapshot {
  readonly type: "snapshot";
  readonly page: SkillPage;
}

/** The members of a `SkillPage` that changed since the last message. Each is sent whole. */
export interface PageChange {
  readonly type: "change";
  readonly changed: Readonly<Record<string, unknown>>;
  /** The names of removed members. */
  readonly removed: readonly string[];
}

/** The form of a payload on a skill's page. */
export interface FormPart {
  readonly type: "form";
  /** Undefined if no form could be created. */
  readonly form: Form | undefined;
  /** Undefined during a check. Until then, the page shows the previous problems. */
  readonly problems: FormProblems | undefined;
  /** The revision of the page's last edit that this form includes. */
  readonly revision: number;
  /** Sentences about the document that the form edits. */
  readonly notes: readonly string[];
  /** The payloads that the form can start from. */
  readonly starts: readonly FormStart[];
  /** The URI of the document that the form edits; undefined for none. */
  readonly document?: string;
  /** Identifies the payload. An invocation with this payload has the same value. */
  readonly payload: string;
  /** The pointer of the field to focus; undefined to leave the focus. */
  readonly focus?: string;
}

/** Makes the page show the form and focus it. */
export interface TryIt {
  readonly type: "tryIt";
}

/** A payload that the form can start from. */
interface FormStart {
  readonly kind: TemplateKind;
  readonly title: string;
}

/** Identifies an invocation from a page: the index of an example, or `form`. */
export type TrialName = number | "form";

/** The invocations of the days that the Usage page requested. Replaces the previous message. */
export interface UsagePart {
  readonly type: "usage";
  /** The first and last local day, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** `UsageGroup[]` as JSON. The editor copies messages, and a text is copied many times faster than its objects. */
  readonly groups: string;
  /** Why the record cannot be read. `groups` is empty then, and nothing is known. */
  readonly problem?: string;
  /** The number of all invocations on record, not only on these days. */
  readonly count: number;
  /** The start of the oldest invocation on record, in milliseconds since 1970; undefined for none. */
  readonly since?: number;
}

/** The page's content while it shows a skill. */
export type ReadyPage = Extract<SkillPage, { readonly kind: "ready" }>;

/** The content of a page. A changed member is sent separately and redraws only the parts that show it. */
export type SkillPage =
  | { readonly kind: "loading"; readonly slug: string }
  | {
      readonly kind: "ready";
      readonly skill: SkillDescription;
      /** Why the description may be outdated, and since when; empty if it is current. */
      readonly stale: string;
      /** Whether the skill can be invoked. */
      readonly run: Callability;
      /** The skill's status in the reviews of the workspace; undefined in a workspace without reviews. */
      readonly review: ReviewNote | undefined;
      /** The permissions of agents for the skill; undefined for none. */
      readonly agents?: AgentNote | undefined;
      /** The version that the reader selected; empty for the registry's default. */
      readonly chosenVersion: string;
      /** Undefined until the page requests a comparison. */
      readonly compared: ComparedVersions | undefined;
      /** The outlines and samples of schemas that the page requested. */
      readonly schemas: Readonly<Partial<Record<SchemaSide, SchemaView>>>;
      /** The results of invocations from this page. */
      readonly trials: Readonly<Partial<Record<TrialName, ExampleTrial>>>;
    }
  /** Several skills side by side. `comparison` is undefined while they load. */
  | {
      readonly kind: "comparison";
      readonly slugs: readonly string[];
      readonly comparison?: SkillComparison;
    }
  /** The Usage page, which requests the invocations separately. */
  | {
      readonly kind: "usage";
      /** The host's local day, as `YYYY-MM-DD`. */
      readonly today: string;
      /** The daily limit per registry, in hundredths of its currency; 0 for no limit. */
      readonly dailyLimitCents: number;
      /** The project's usage, which the page requests. Undefined if nobody is signed in. */
      readonly project?: ProjectUsage;
    }
  /** The registry has no such skill. */
  | { readonly kind: "gone"; readonly slug: string; readonly registryName: string }
  /** The skill could not be read. `message` gives the reason and what to do. */
  | {
      readonly kind: "failed";
      readonly slug: string;
      readonly message: string;
      /** Actions that may help, besides trying again. */
      readonly actions: readonly PageAction[];
    };

/** An action that a page offers after a failure. */
export interface PageAction {
  readonly action: RecoveryAction;
  readonly title: string;
}

/** A comparison of two versions of the shown skill. */
export type ComparedVersions =
  | ({ readonly kind: "loading" } & VersionPair)
  | ({ readonly kind: "ready"; readonly difference: VersionDifference } & VersionPair)
  /** One of the two could not be read. `message` gives the reason. */
  | ({ readonly kind: "failed"; readonly message: string } & VersionPair);

/** Two versions of a skill. Changes are listed from `before` to `after`. */
export interface VersionPair {
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the versions that a reader compares, so that the comparison survives an update from the registry. Undefined
 * if there is no comparison, or if the page now shows another `version` (empty for the registry's default).
 */
export function keptPair(page: SkillPage, version: string): VersionPair | undefined {
  if (page.kind !== "ready" || page.compared === undefined) return undefined;
  if (page.chosenVersion !== version) return undefined;
  const { before, after } = page.compared;
  return { before, after };
}

/** The state of a skill's page. It survives while the page is hidden and when the window reloads. */
export interface PageState {
  readonly slug: string;
  /** The version that the reader selected; empty for the registry's default. */
  readonly version: string;
  readonly tab: PageTab;
  readonly scrollTop: number;
  /** The URI of the document that the form edits; undefined for none. */
  readonly document?: string;
}

/** A tab of the page. */
export type PageTab = (typeof pageTabs)[number];

/** The tabs in display order. */
export const pageTabs = [
  "overview",
  "input",
  "output",
  "examples",
  "versions",
  "manifest",
] as const;

/** Reads a stored state, which another version of the page may have written. Undefined if it names no skill. */
export function readPageState(value: unknown): PageState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { slug, version, tab, scrollTop, document } = value as Record<keyof PageState, unknown>;
  if (typeof slug !== "string" || slug === "" || slug.length > 200) return undefined;
  return {
    slug,
    version: typeof version === "string" && version.length <= 200 ? version : "",
    tab: pageTabs.find((name) => name === tab) ?? "overview",
    scrollTop: typeof scrollTop === "number" && scrollTop > 0 ? scrollTop : 0,
    ...(typeof document === "string" && document.length <= longestUri ? { document } : {}),
  };
}

/** The maximum length of a stored URI, in characters: more than the longest path of common systems. */
const longestUri = 8_000;

/** The state of the Usage page. It survives while the page is hidden. */
export interface UsageState {
  readonly usage: UsageFilter;
}

/** The state of a comparison page. It survives while the page is hidden and when the window reloads. */
export interface ComparisonState {
  /** Two to four slugs. */
  readonly slugs: readonly string[];
  /** Whether rows without differences are hidden. */
  readonly onlyDifferences: boolean;
  readonly scrollTop: number;
}

/**
 * Reads a stored state, which another version of the page may have written. Undefined if it names too few or too many
 * skills.
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
