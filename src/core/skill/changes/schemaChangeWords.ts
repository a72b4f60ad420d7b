import { schemaLimits } from "../../schemaOutline/schemaLimits";
import { schemaType } from "../../schemaOutline/schemaType";
import type { JsonObject, JsonValue } from "../../text/json";
import type { Language } from "../../text/language";
import { jsonFingerprint } from "./jsonFingerprint";
import type { SchemaChange } from "./schemaChange";

/** Says what a difference between two schemas means for a value at its place, such as "at most 5 characters (before: no such limit)". */
export function schemaChangeWords(change: SchemaChange, language: Language): string {
  const { kind, keyword, path } = change;
  const { translate } = language;
  if (path.at(-1)?.to === "option" && keyword === "oneOf") {
    if (kind === "added") return translate("a new option");
    if (kind === "removed") return translate("this option is gone");
  }
  switch (keyword) {
    case "properties":
      return propertyWords(change, language);
    case "required":
      return kind === "tightened"
        ? translate("must be given now")
        : translate("need not be given any more");
    case "$ref":
      return referenceWords(change, language);
    case "enum":
      return valueWords(change, language);
    case "default":
      return defaultWords(change, language);
    case "deprecated":
      return change.after?.[keyword] === true
        ? translate("deprecated now")
        : translate("no longer deprecated");
    case "false":
      return kind === "tightened"
        ? translate("no value is allowed any more")
        : translate("values are allowed now");
    case "oneOf":
      return kind === "tightened"
        ? translate("must be one of several options now")
        : translate("need not be one of several options any more");
    default:
      return limitWords(change, language);
  }
}

function propertyWords(change: SchemaChange, language: Language): string {
  const { kind, path, after, required } = change;
  const { translate } = language;
  if (kind === "removed") return removedWords(change, language);
  const step = path.at(-1);
  const described = after?.["properties"] as JsonObject | undefined;
  const schema = step?.to === "property" ? described?.[step.name] : undefined;
  const type = typeof schema === "object" ? typeWords(schema as JsonObject, language) : "";
  const given = { type: type === "" ? translate("any value") : type };
  return required
    ? translate("new, must be given: {type}", given)
    : translate("new, may be given: {type}", given);
}

function removedWords({ isRefused, newName }: SchemaChange, { translate }: Language): string {
  const words = isRefused ? translate("refused from now on") : translate("no longer described");
  if (newName === undefined) return words;
  const name = newName.slice(0, 80);
  return `${words}, ${translate("perhaps called “{name}” now", { name })}`;
}

function referenceWords({ before, after }: SchemaChange, { translate }: Language): string {
  const [old, now] = [before, after].map((rule) => String(rule?.["$ref"] ?? "").slice(0, 300));
  if (!now) return translate("no longer described elsewhere, at {before}", { before: old ?? "" });
  return old
    ? translate("described elsewhere, at {after} (before: at {before}), so not compared", {
        after: now,
        before: old,
      })
    : translate("described elsewhere now, at {after}, so not compared", { after: now });
}

function valueWords({ kind, before, after }: SchemaChange, language: Language): string {
  const { translate } = language;
  const values = listWords((after ?? before)?.["enum"], language);
  if (kind === "tightened") {
    return after === undefined
      ? translate("no longer allowed: {values}", { values })
      : translate("only these are allowed now: {values}", { values });
  }
  return after === undefined
    ? translate("other values are allowed now too, not only: {values}", { values })
    : translate("allowed now too: {values}", { values });
}

function defaultWords({ before, after }: SchemaChange, { translate }: Language): string {
  const [old, now] = [jsonWords(before?.["default"]), jsonWords(after?.["default"])];
  if (after === undefined) {
    return translate("nothing is taken any more where it is left out (before: {before})", {
      before: old,
    });
  }
  return before === undefined
    ? translate("{after} is taken where it is left out (before: nothing)", { after: now })
    : translate("{after} is taken where it is left out (before: {before})", {
        after: now,
        before: old,
      });
}

function limitWords(change: SchemaChange, language: Language): string {
  const { keyword, before, after } = change;
  const { translate } = language;
  const old = before === undefined ? "" : ruleWords(before, language);
  const now = after === undefined ? "" : ruleWords(after, language);
  if (old === "" && now === "") {
    if (after === undefined) return translate("the rule “{keyword}” is gone", { keyword });
    return before === undefined
      ? translate("the rule “{keyword}” is new", { keyword })
      : translate("the rule “{keyword}” is another one", { keyword });
  }
  if (now === "") return translate("no longer: {before}", { before: old });
  return old === ""
    ? translate("{after} (before: not asked)", { after: now })
    : translate("{after} (before: {before})", { after: now, before: old });
}

function ruleWords(rule: JsonObject, language: Language): string {
  return rule["type"] === undefined
    ? schemaLimits(rule, language).join(", ").slice(0, 300)
    : typeWords(rule, language);
}

function typeWords(schema: JsonObject, language: Language): string {
  return schemaType([schema], () => undefined, language).slice(0, 200);
}

function listWords(value: JsonValue | undefined, { translate }: Language): string {
  const values = Array.isArray(value) ? value : [];
  const shown = values.slice(0, maxValues).map(jsonWords).join(", ");
  const more = values.length - maxValues;
  return more > 0 ? translate("{values} and {count} more", { values: shown, count: more }) : shown;
}

const maxValues = 8;

function jsonWords(value: JsonValue | undefined): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  const budget = { charactersLeft: 80, exceeded: false };
  const text = jsonFingerprint(value, budget);
  return budget.exceeded || text.length > 120 ? `${text.slice(0, 80)}…` : text;
}
