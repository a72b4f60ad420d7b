import {
  type SchemaChange,
  type SchemaChanges,
  schemaChangeText,
  schemaPathText,
} from "../../schema/compare/schemaChange";
import { schemaChanges } from "../../schema/compare/schemaChanges";
import type { Language } from "../../text/language";
import { revealHiddenIn } from "../../text/plainText";
import { fileAccessRank, type Permissions, permissionSentences } from "../permissions";
import { priceText } from "../price";
import type { Price, SkillDetail, SkillRuntime } from "../skill";
import {
  type ChangeGroup,
  type ChangeImpact,
  type ChangeText,
  changeKindText,
  type VersionDifference,
} from "./versionDifference";

/** Describes the differences between two versions of a skill. Pure; safe to send to the page as it is. */
export function describeChanges(
  before: SkillDetail,
  after: SkillDetail,
  language: Language,
): VersionDifference {
  const found = skillChanges(before, after);
  const groups = [
    permissionGroup(found.permissions, language),
    schemaGroup("input", found.input, language),
    schemaGroup("output", found.output, language),
    runtimeGroup(found.runtime, language),
    priceGroup(found.prices, language),
  ].filter(({ changes, note }) => changes.length > 0 || note !== "");
  const needsLook = groups.some(({ changes }) => changes.some((change) => change.needsLook));
  return revealHiddenIn<VersionDifference>({
    before: before.summary.version.slice(0, 100),
    after: after.summary.version.slice(0, 100),
    summary: summaryOf(groups, needsLook, isSameText(found), language),
    needsLook,
    groups,
  });
}

function isSameText({ input, output }: SkillChanges): boolean {
  return [input, output].every((schema) => schema.kind !== "compared" || schema.isSameText);
}

function summaryOf(
  groups: readonly ChangeGroup[],
  needsLook: boolean,
  sameText: boolean,
  { t }: Language,
): string {
  if (groups.some(({ note }) => note !== "")) {
    return t("Some parts could not be compared. Compare both manifests yourself.");
  }
  if (groups.length === 0 && !sameText) {
    return t(
      "Permissions, runtime and price are the same. The schemas differ only in how they are written, such as in descriptions.",
    );
  }
  if (groups.length === 0) {
    return t("Permissions, schemas, runtime and price are the same.");
  }
  const count = (impact: ChangeImpact) =>
    groups.flatMap(({ changes }) => changes).filter((change) => change.impact === impact).length;
  return needsLook
    ? t("{breaking} breaking, {check} to check, {safe} safe.", {
        breaking: count("breaking"),
        check: count("check"),
        safe: count("safe"),
      })
    : t("No breaking changes found.");
}

/** Describes the differences of an input or output schema, at most 200. */
function schemaGroup(
  part: "input" | "output",
  difference: SchemaDifference,
  language: Language,
): ChangeGroup {
  const { t } = language;
  const title = part === "input" ? t("Input") : t("Output");
  if (difference.kind === "neverGiven") return { part, title, changes: [], note: "" };
  if (difference.kind !== "compared") {
    const note =
      difference.kind === "gone"
        ? t("This version provides no schema; the earlier one did.")
        : t("The earlier version provided no schema; this one does.");
    return { part, title, changes: [], note };
  }
  const { changes, complete } = difference;
  const shown = changes.slice(0, maxShown);
  const leftOut = changes.length - shown.length;
  return {
    part,
    title,
    note:
      complete && leftOut === 0
        ? ""
        : t("The schemas are too large to compare in full; there may be more."),
    changes: shown
      .map((change) => ({
        ...changeKindText(change.kind, language),
        path: schemaPathText(change.path.slice(0, 20)),
        text: schemaChangeText(change, language),
        ...withImpact(part === "input" ? inputImpact(change) : outputImpact(change)),
      }))
      .sort((one, other) => impacts.indexOf(one.impact) - impacts.indexOf(other.impact)),
  };
}

/** The most serious first. */
const impacts: readonly ChangeImpact[] = ["breaking", "check", "safe"];

function withImpact(impact: ChangeImpact): Pick<ChangeText, "impact" | "needsLook"> {
  return { impact, needsLook: impact !== "safe" };
}

/** A payload that was valid may be rejected, or may mean something else. */
function inputImpact(change: SchemaChange): ChangeImpact {
  if (!mayRefuse(change)) return "safe";
  const { kind, isRefused } = change;
  const mayMeanOther = kind === "changed" || (kind === "removed" && isRefused !== true);
  return mayMeanOther ? "check" : "breaking";
}

/** An output may lack values its readers expect, or contain unknown ones. */
function outputImpact(change: SchemaChange): ChangeImpact {
  if (!maySurprise(change)) return "safe";
  return change.kind === "removed" ? "breaking" : "check";
}

const maxShown = 200;

const annotations = ["deprecated", "readOnly", "writeOnly", "format"];

/** Returns whether a payload that was valid may be rejected now, or may mean something else. */
function mayRefuse({ kind, keyword, required }: SchemaChange): boolean {
  if (annotations.includes(keyword) || kind === "loosened") return false;
  return kind !== "added" || required === true;
}

/** Returns whether an output may contain values unknown to its readers, or lack expected ones. */
function maySurprise({ kind, keyword, required }: SchemaChange): boolean {
  if (annotations.includes(keyword) || keyword === "default") return false;
  if (kind === "added") return keyword === "oneOf";
  return kind !== "tightened" && !(kind === "loosened" && required === true);
}

/** Describes changed permissions. Whatever grants more needs a review. */
function permissionGroup(changes: readonly PermissionChange[], language: Language): ChangeGroup {
  const { t } = language;
  return {
    part: "permissions",
    title: t("Permissions"),
    note: "",
    changes: changes.map((change) => permissionText(change, language)),
  };
}

function permissionText(change: PermissionChange, language: Language): ChangeText {
  const { t } = language;
  const { permission, kind, before, after } = change;
  if (before === undefined || after === undefined) {
    const text =
      after === undefined
        ? t("This version states no permissions; the earlier one did.")
        : t("The earlier version stated no permissions; this one does.");
    return {
      ...changeKindText("changed", language),
      path: "",
      text,
      ...withImpact(after === undefined ? "check" : "safe"),
    };
  }
  const sentence = (permissions: typeof after) =>
    permissionSentences(permissions, language).find((it) => it.permission === permission)
      ?.sentence ?? "";
  const text = t("{after} (was: {before})", {
    after: sentence(after),
    before: sentence(before),
  });
  const kinds = { more: "added", less: "removed", other: "changed", unknown: "changed" } as const;
  return {
    ...changeKindText(kinds[kind], language),
    path: "",
    text,
    ...withImpact(kind === "less" ? "safe" : "check"),
  };
}

/** Describes a change of price. */
function priceGroup(prices: SkillChanges["prices"], language: Language): ChangeGroup {
  const { t } = language;
  const title = t("Price");
  if (prices === undefined) return { part: "price", title, changes: [], note: "" };
  const words = (side: typeof prices.before) =>
    side.length === 0
      ? t("not given")
      : side
          .slice(0, 20)
          .map((price) => priceText(price, language))
          .join(", ")
          .slice(0, 500);
  const text = t("{after} (was: {before})", {
    after: words(prices.after),
    before: words(prices.before),
  });
  const changes = [
    { ...changeKindText("changed", language), path: "", text, ...withImpact("check") },
  ];
  return { part: "price", title, changes, note: "" };
}

/** Describes a change of the runtime. */
function runtimeGroup(runtime: SkillChanges["runtime"], language: Language): ChangeGroup {
  const { t } = language;
  const title = t("Where it runs");
  if (runtime === undefined) return { part: "runtime", title, changes: [], note: "" };
  const words = (side: typeof runtime.before) =>
    side === undefined
      ? t("not given")
      : [side.type, side.entry ?? ""]
          .filter((text) => text !== "")
          .join(", ")
          .slice(0, 500);
  const text = t("{after} (was: {before})", {
    after: words(runtime.after),
    before: words(runtime.before),
  });
  const changes = [
    { ...changeKindText("changed", language), path: "", text, ...withImpact("check") },
  ];
  return { part: "runtime", title, changes, note: "" };
}

/** How a version of a skill differs from an earlier one. Parts that do not differ are empty or undefined. */
interface SkillChanges {
  readonly permissions: readonly PermissionChange[];
  readonly input: SchemaDifference;
  readonly output: SchemaDifference;
  readonly runtime: RuntimeChange | undefined;
  /** Undefined also where a registry provides no price for one of the two. */
  readonly prices: PriceChange | undefined;
}

/** A permission that grants more or less than before. `unknown` is for a version that does not declare it. */
interface PermissionChange {
  readonly permission: "filesystem" | "secrets" | "network" | "browser" | "all";
  readonly kind: "more" | "less" | "other" | "unknown";
  readonly before: Permissions | undefined;
  readonly after: Permissions | undefined;
}

/** How a schema differs: rule by rule, or that it was added, removed or never provided. */
type SchemaDifference =
  | ({ readonly kind: "compared" } & SchemaChanges)
  | { readonly kind: "new" | "gone" | "neverGiven" };

/** Where a version runs, before and after. */
interface RuntimeChange {
  readonly before: SkillRuntime | undefined;
  readonly after: SkillRuntime | undefined;
}

/** What a version costs, before and after. */
interface PriceChange {
  readonly before: readonly Price[];
  readonly after: readonly Price[];
}

/** Compares two versions of a skill in all that a caller depends on. */
function skillChanges(before: SkillDetail, after: SkillDetail): SkillChanges {
  return {
    permissions: permissionChanges(before.permissions, after.permissions),
    input: schemaDifference(before.inputSchema, after.inputSchema),
    output: schemaDifference(before.outputSchema, after.outputSchema),
    runtime: runtimeChange(before.runtime, after.runtime),
    prices: priceChange(before.prices, after.prices),
  };
}

/** Compares what two versions may do, permission by permission. */
function permissionChanges(
  before: Permissions | undefined,
  after: Permissions | undefined,
): PermissionChange[] {
  const change = (permission: PermissionChange["permission"], kind: PermissionChange["kind"]) => [
    { permission, kind, before, after },
  ];
  if (before === undefined || after === undefined) {
    return before === after ? [] : change("all", "unknown");
  }
  const steps = [
    ["filesystem", fileAccessRank(after.filesystem) - fileAccessRank(before.filesystem)],
    ["secrets", after.secretCount - before.secretCount],
    ["network", Number(after.network) - Number(before.network)],
    ["browser", Number(after.browser) - Number(before.browser)],
  ] as const;
  return steps.flatMap(([permission, step]) => {
    if (step !== 0) return change(permission, step > 0 ? "more" : "less");
    return permission === "secrets" && namesDiffer(before, after) ? change("secrets", "other") : [];
  });
}

function namesDiffer(before: Permissions, after: Permissions): boolean {
  const [old, now] = [before, after].map(({ secretNames }) => [...secretNames].sort().join("\n"));
  return old !== now;
}

function schemaDifference(
  before: SkillDetail["inputSchema"],
  after: SkillDetail["inputSchema"],
): SchemaDifference {
  if (before === undefined || after === undefined) {
    if (before === after) return { kind: "neverGiven" };
    return { kind: after === undefined ? "gone" : "new" };
  }
  return { kind: "compared", ...schemaChanges(before, after) };
}

function runtimeChange(
  before: SkillRuntime | undefined,
  after: SkillRuntime | undefined,
): RuntimeChange | undefined {
  const same = before?.type === after?.type && before?.entry === after?.entry;
  return same ? undefined : { before, after };
}

function priceChange(
  before: readonly Price[] | undefined,
  after: readonly Price[] | undefined,
): PriceChange | undefined {
  if (before === undefined || after === undefined) return undefined;
  const [old, now] = [before, after].map((prices) => prices.map(priceKey).sort().join("\n"));
  return old === now ? undefined : { before, after };
}

function priceKey({ billingModel, unitAmountCents, currency, status }: Price): string {
  return [billingModel, unitAmountCents, currency, status].join(" ");
}
