import { boundedText, type JsonObject, type JsonValue } from "../../json/jsonValue";
import { shownJson } from "../../json/printJson";
import { firstOfList, type Language, localize } from "../../text/language";
import { shortened } from "../../text/plainText";
import { isKeyword, rowOf } from "../keywords";
import { readSchema } from "../read/readSchema";
import { schemaLimits, schemaType } from "../schemaLimits";
import type { SchemaRules } from "../schemaRules";

/** One difference between two schemas, at one value that they describe. */
export interface SchemaChange {
  /**
   * The effect on values: `tightened` rejects more than before, `loosened` less, `changed` may do both or neither.
   * `unknown` was not compared.
   */
  readonly kind: "added" | "removed" | "tightened" | "loosened" | "changed" | "unknown";
  /** The path from the root value to the value that changed. Empty for the root. */
  readonly path: readonly SchemaStep[];
  /**
   * The JSON Schema keyword of the change. `properties` for an added or removed property, `description` if only texts
   * differ, `anyOf` if branches are combined differently. Empty if the schemas are too large to be compared.
   */
  readonly keyword: string;
  /**
   * The keyword as a fragment of a schema, such as `{ maxLength: 5 }`, before and after. Undefined if it is absent. For
   * `enum`, only the removed values (before) or the added ones (after).
   */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /** True below `not` and `if`, where a stricter schema may loosen the whole. */
  readonly isNegated?: boolean;
  /** True if an added or removed property is or was required. */
  readonly required?: boolean;
  /** True if a removed property is now rejected. */
  readonly isRefused?: boolean;
  /** The likely new name of a removed property. */
  readonly newName?: string;
}

/** A difference at one value, without the path of the value. */
export type RuleChange = Omit<SchemaChange, "path">;

/** Creates the change of a keyword. Without `kind`, the kind depends on which side has the keyword. */
export function changeOf(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  kind: SchemaChange["kind"] = kindByPresence(before, after),
): RuleChange {
  return {
    kind,
    keyword,
    ...(before !== undefined && { before: { [keyword]: before } }),
    ...(after !== undefined && { after: { [keyword]: after } }),
  };
}

function kindByPresence(before: unknown, after: unknown): "tightened" | "loosened" | "changed" {
  if (before === undefined) return "tightened";
  return after === undefined ? "loosened" : "changed";
}

/** One step of a path into a value. */
export type SchemaStep =
  | { readonly to: "property"; readonly name: string }
  /** Property names that match a pattern. An empty pattern stands for all names that are not listed. */
  | { readonly to: "otherProperties"; readonly pattern: string }
  /** The index counts from 0. */
  | { readonly to: "item"; readonly index: number }
  | { readonly to: "items" }
  /** A branch, named by its title, by its distinguishing value, or by its number from 1. */
  | { readonly to: "option"; readonly name: string }
  /** The subschema of a keyword such as `not`. For `dependentSchemas`, `name` is the property. */
  | { readonly to: "rule"; readonly keyword: string; readonly name?: string };

/** Describes the effect of a schema difference on its value, such as "at most 5 characters (before: no such limit)". */
export function schemaChangeText(change: SchemaChange, language: Language): string {
  const { kind, keyword, path } = change;
  const { t } = language;
  if (kind === "unknown") return unknownText(change, language);
  if (path.at(-1)?.to === "option" && keyword === "oneOf") {
    if (kind === "added") return t("a new option");
    if (kind === "removed") return t("option removed");
  }
  switch (keyword) {
    case "properties":
      return propertyText(change, language);
    case "required":
      return kind === "tightened" ? t("now required") : t("now optional");
    case "anyOf":
      return kind === "tightened"
        ? t("exactly one of the options has to apply now")
        : t("several of the options may apply now");
    case "$schema":
      return t("written in another version of JSON Schema");
    case "description":
      return t("differs only in how it is written, such as in descriptions");
    case "enum":
      return valueText(change, language);
    case "default":
      return defaultText(change, language);
    case "deprecated":
      return change.after?.[keyword] === true ? t("deprecated now") : t("no longer deprecated");
    case "false":
      return kind === "tightened" ? t("no value is allowed anymore") : t("values are allowed now");
    case "oneOf":
      return kind === "tightened"
        ? t("now restricted to several options")
        : t("no longer restricted to several options");
    default:
      return limitText(change, language);
  }
}

function propertyText(change: SchemaChange, language: Language): string {
  const { kind, path, after, required } = change;
  const { t } = language;
  if (kind === "removed") return removedText(change, language);
  const step = path.at(-1);
  const described = after?.["properties"] as JsonObject | undefined;
  const schema = step?.to === "property" ? described?.[step.name] : undefined;
  const type = typeof schema === "object" ? typeText(schema as JsonObject, language) : "";
  const values = { type: type === "" ? t("any value") : type };
  return required ? t("new, required: {type}", values) : t("new, optional: {type}", values);
}

function removedText({ isRefused, newName }: SchemaChange, { t }: Language): string {
  const words = isRefused ? t("no longer allowed") : t("no longer described");
  if (newName === undefined) return words;
  const name = newName.slice(0, 80);
  return `${words}, ${t("possibly renamed to “{name}”", { name })}`;
}

function unknownText(change: SchemaChange, language: Language): string {
  switch (change.keyword) {
    case "":
      return language.t("too large to compare in full; there may be more changes");
    case "$ref":
      return referenceText(change, language);
    default:
      return language.t("not compared: {what}", { what: ruleName(change.keyword, language) });
  }
}

function referenceText({ before, after }: SchemaChange, { t }: Language): string {
  const [old, now] = [before, after].map((rule) => String(rule?.["$ref"] ?? "").slice(0, 300));
  if (!now) return t("no longer an unresolved reference ({before})", { before: old ?? "" });
  if (old === now) return t("unresolved reference {after}, not compared", { after: now });
  return old
    ? t("unresolved reference {after} (was: {before}), not compared", {
        after: now,
        before: old,
      })
    : t("now an unresolved reference ({after}), not compared", { after: now });
}

function valueText({ kind, before, after }: SchemaChange, language: Language): string {
  const { t } = language;
  const values = listText((after ?? before)?.["enum"], language);
  if (kind === "tightened") {
    return after === undefined
      ? t("no longer allowed: {values}", { values })
      : t("only these are allowed now: {values}", { values });
  }
  return after === undefined
    ? t("values other than {values} are now allowed too", { values })
    : t("now also allowed: {values}", { values });
}

function defaultText({ before, after }: SchemaChange, { t }: Language): string {
  const [old, now] = [jsonText(before?.["default"]), jsonText(after?.["default"])];
  if (after === undefined) {
    return t("no default anymore (was: {before})", {
      before: old,
    });
  }
  return before === undefined
    ? t("default is now {after} (was: none)", { after: now })
    : t("default is now {after} (was: {before})", {
        after: now,
        before: old,
      });
}

function limitText(change: SchemaChange, language: Language): string {
  const { keyword, before, after } = change;
  const { t } = language;
  const old = before === undefined ? "" : ruleText(before, language);
  const now = after === undefined ? "" : ruleText(after, language);
  if (old === "" && now === "") {
    const what = ruleName(keyword, language);
    if (after === undefined) return t("no longer limited: {what}", { what });
    return before === undefined
      ? t("now limited: {what}", { what })
      : t("changed: {what}", { what });
  }
  if (now === "") return t("no longer: {before}", { before: old });
  return old === ""
    ? t("{after} (was: none)", { after: now })
    : t("{after} (was: {before})", { after: now, before: old });
}

/** Names a keyword whose value alone is not clear. An unknown keyword keeps its name. */
function ruleName(keyword: string, language: Language): string {
  const { title = undefined } = isKeyword(keyword) ? rowOf(keyword) : {};
  return title === undefined ? `“${keyword}”` : localize(title, language);
}

function ruleText(rule: JsonObject, language: Language): string {
  if (rule["type"] !== undefined) return typeText(rule, language);
  return schemaLimits([fragmentRules(rule)], language)
    .join(", ")
    .slice(0, 300);
}

function typeText(schema: JsonObject, language: Language): string {
  return schemaType([fragmentRules(schema)], language).slice(0, 200);
}

/**
 * The maximum length of a fragment that is described in full. Only the type of a larger one is named, since hundreds of
 * changes are listed at once.
 */
const maxFragment = 20_000;

function fragmentRules(fragment: JsonObject): SchemaRules {
  const budget = { charactersLeft: maxFragment, exceeded: false };
  boundedText(fragment, budget);
  const { type } = fragment;
  const short = budget.exceeded ? { ...(type !== undefined && { type }) } : fragment;
  return readSchema(short).root;
}

function listText(value: JsonValue | undefined, language: Language): string {
  return firstOfList(Array.isArray(value) ? value : [], maxValues, jsonText, language);
}

/** The maximum number of values in one line. The diff editor shows all. */
const maxValues = 8;

function jsonText(value: JsonValue | undefined): string {
  return value === undefined ? "" : shownJson(value, 80);
}

/**
 * Formats a path as `columns[].name`. Empty for the root. Quotes a name that would be ambiguous. Truncates each step to
 * 80 characters.
 */
export function schemaPathText(path: readonly SchemaStep[]): string {
  return path.map((step, index) => stepText(step, index === 0)).join("");
}

function stepText(step: SchemaStep, isFirst: boolean): string {
  switch (step.to) {
    case "property":
      return `${isFirst ? "" : "."}${nameText(shortened(step.name, 80))}`;
    case "otherProperties":
      return `${isFirst ? "" : "."}${step.pattern === "" ? "*" : `/${shortened(step.pattern, 80)}/`}`;
    case "item":
      return `[${step.index}]`;
    case "items":
      return "[]";
    case "option":
      return `(${shortened(step.name, 80)})`;
    case "rule":
      return `(${[step.keyword, ...(step.name === undefined ? [] : [shortened(step.name, 80)])].join(": ")})`;
  }
}

function nameText(name: string): string {
  return /^[^\s.()[\]"]+$/.test(name) ? name : JSON.stringify(name);
}
