import type { AgentNote } from "../core/agents/agentNote";
import type { Form } from "../core/form/formField";
import type { FormProblems } from "../core/form/formProblems";
import type { ProjectUsage } from "../core/invocation/usage/projectUsage";
import type { UsageGroup } from "../core/invocation/usage/usage";
import type { UsageFilter } from "../core/invocation/usage/usageFilter";
import type { TemplateKind } from "../core/payload/payloadTemplates";
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
import type { RecoveryAction } from "./readPageMessage";

/** A message from the host to the page. */
export type HostMessage = SkillPageSnapshot | PageChange | FormPart | TryIt | UsagePart;

/** The whole content of a page. */
export interface SkillPageSnapshot {
  readonly type: "snapshot";
  readonly page: SkillPage;
}

/** The members of a `SkillPage` that changed since the last message, each whole. */
export interface PageChange {
  readonly type: "change";
  readonly changed: Readonly<Record<string, unknown>>;
  /** The names of members that are gone. */
  readonly removed: readonly string[];
}

/** The form of a payload on a skill's page. */
export interface FormPart {
  readonly type: "form";
  /** Undefined where it could not be made. */
  readonly form: Form | undefined;
  /** Undefined while it is being checked; the previous problems stay visible meanwhile. */
  readonly problems: FormProblems | undefined;
  /** The page's last change that it contains. */
  readonly revision: number;
  /** The payloads to start from, by name. */
  readonly starts: readonly FormStart[];
  /** Identifies the payload, as its invocation does. */
  readonly payload: string;
  /** The pointer of the field that the focus is to go to; left out where it stays. */
  readonly focus?: string;
}

/** Shows the form of a skill's page, and gives it the focus. */
export interface TryIt {
  readonly type: "tryIt";
}

/** A payload to start from. */
interface FormStart {
  readonly kind: TemplateKind;
  readonly title: string;
}

/** An invocation from a page: of an example, by its index, or of the form. */
export type TrialName = number | "form";

/** The invocations of some days for the Usage page, which asked for them. A later one takes its place. */
export interface UsagePart {
  readonly type: "usage";
  /** The first and the last of the local days, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly groups: readonly UsageGroup[];
  /** How many there are on record, whatever their days. */
  readonly count: number;
  /** When the oldest of them started, in milliseconds since 1970; left out where there is none. */
  readonly since?: number;
}

/** What the page shows of a skill. */
export type ReadyPage = Extract<SkillPage, { readonly kind: "ready" }>;

/** The content of a page. Each member is sent by itself when it changes, and redraws the parts that show it. */
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
      /** What the user allows agents to do with it; left out where nothing was agreed to. */
      readonly agents?: AgentNote | undefined;
      /** The version the reader selected; empty for the registry's choice. */
      readonly chosenVersion: string;
      /** Undefined until the page asks for two versions. */
      readonly compared: ComparedVersions | undefined;
      /** The outlines and samples that the page requested. */
      readonly schemas: Readonly<Partial<Record<SchemaSide, SchemaView>>>;
      /** The results of invocations from this page. */
      readonly trials: Readonly<Partial<Record<TrialName, ExampleTrial>>>;
    }
  /** Several skills side by side; empty while they are read. */
  | {
      readonly kind: "comparison";
      readonly slugs: readonly string[];
      readonly comparison?: SkillComparison;
    }
  /** The Usage page; invocations come separately, when it asks for some days. */
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
 * Returns the versions that a reader compares, to keep them over a new answer of the registry. Undefined where there
 * are none, and where the page shows another `version` (empty for the registry's choice): the compared versions follow
 * the shown one.
 */
export function keptPair(page: SkillPage, version: string): VersionPair | undefined {
  if (page.kind !== "ready" || page.compared === undefined) return undefined;
  if (page.chosenVersion !== version) return undefined;
  const { before, after } = page.compared;
  return { before, after };
}

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
