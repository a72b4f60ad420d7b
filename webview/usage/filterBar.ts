import { callerText } from "../../src/core/invocation/record/invocationLabels";
import {
  builtInRegistryName,
  type CallerKind,
  callerKindOf,
  callerKinds,
} from "../../src/core/invocation/record/invocationRecord";
import {
  type ChartedRecord,
  type UsageFilter,
  usageRanges,
} from "../../src/core/invocation/usage/usageSlices";
import type { Language } from "../../src/core/text/language";
import { shortened } from "../../src/core/text/plainText";
import { element } from "../element";

/** Makes the controls that choose which invocations are charted. */
export function filterBar(
  records: readonly ChartedRecord[],
  filter: UsageFilter,
  language: Language,
  choose: (filter: UsageFilter) => void,
): HTMLElement {
  const { t } = language;
  const ranges = usageRanges.map(
    (days) => [String(days), days === 1 ? t("Today") : t("{count} days", { count: days })] as const,
  );
  const among = (
    value: (record: ChartedRecord) => string,
    chosen: string,
    all: string,
    text: (value: string) => string,
  ) => {
    // A filter that was chosen stays in the list, though the record no longer has it.
    const values = new Set([...records.map(value), ...(chosen === "" ? [] : [chosen])]);
    return [["", all], ...[...values].sort().map((one) => [one, text(one)])] as const;
  };
  const registries = among(
    ({ registry }) => registry,
    filter.registry,
    t("All registries"),
    (one) => registryText(one, language),
  );
  const skills = among(({ skillSlug }) => skillSlug, filter.skill, t("All skills"), String);
  const callers = among(
    (record) => callerKindOf(record) ?? "other",
    filter.caller,
    t("All callers"),
    (one) => callerName(one, language),
  );
  return element(
    "div",
    { class: "filters", role: "group", "aria-label": t("Filter") },
    select("range", t("Range"), ranges, String(filter.days), (value) => {
      const days = usageRanges.find((range) => String(range) === value) ?? filter.days;
      choose({ ...filter, days });
    }),
    select("registry", t("Registry"), registries, filter.registry, (registry) =>
      choose({ ...filter, registry }),
    ),
    select("skill", t("Skill"), skills, filter.skill, (skill) => choose({ ...filter, skill })),
    select("caller", t("Caller"), callers, filter.caller, (caller) =>
      choose({ ...filter, caller }),
    ),
  );
}

/** Names who wanted invocations; `other` is a kind that a later version knows. */
export function callerName(kind: string, language: Language): string {
  const known = callerKinds.find((one): one is CallerKind => one === kind);
  return known === undefined ? language.t("by another caller") : callerText(known, language);
}

function registryText(registry: string, { t }: Language): string {
  return registry === builtInRegistryName ? t("Built-in registry") : registry;
}

/** A longer option would make the list wider than the page. */
const longestOption = 60;

function select(
  id: string,
  label: string,
  options: readonly (readonly string[])[],
  chosen: string,
  choose: (value: string) => void,
): HTMLElement {
  const made = element(
    "select",
    { id: `filter-${id}` },
    ...options.map(([value = "", text = ""]) =>
      element("option", { value, selected: value === chosen }, shortened(text, longestOption)),
    ),
  ) as HTMLSelectElement;
  made.addEventListener("change", () => choose(made.value));
  return element("label", {}, element("span", {}, label), made);
}
