import { profileText } from "../../src/core/invocation/profile";
import { callerText } from "../../src/core/invocation/record/invocationLabels";
import { type CallerKind, callerKinds } from "../../src/core/invocation/record/invocationRecord";
import type { ProjectUsage } from "../../src/core/invocation/usage/projectUsage";
import type { UsageGroup } from "../../src/core/invocation/usage/usage";
import {
  daysOf,
  type UsageFilter,
  type UsageSource,
  usageRanges,
} from "../../src/core/invocation/usage/usageFilter";
import { builtInRegistryName } from "../../src/core/registry/registryName";
import type { Language } from "../../src/core/text/language";
import { shortened } from "../../src/core/text/plainText";
import { element, type Options, optionsOf, selectOf } from "../element";

/** The values that the controls offer. */
interface FilterChoices {
  readonly filter: UsageFilter;
  readonly today: string;
  /** The first day of the record that is charted; undefined if it is empty. */
  readonly firstDay: string | undefined;
  /** The groups of the record that is charted. */
  readonly groups: readonly UsageGroup[];
  /** Undefined if there is no project's record to choose. */
  readonly project: ProjectUsage | undefined;
}

/** The controls that filter the charted invocations. They keep their elements and the focus when the charts change. */
export interface FilterBar {
  readonly element: HTMLElement;
  readonly update: (choices: FilterChoices) => void;
}

/** Creates the controls and calls `choose` with each change. */
export function filterBar(
  language: Language,
  choose: (change: Partial<UsageFilter>) => void,
): FilterBar {
  const { t } = language;
  const source = select("source", t("Record"), (value) =>
    choose({ source: value as UsageSource, skill: "" }),
  );
  const range = select("range", t("Range"), (value) => {
    const days = [...usageRanges, "record" as const].find((one) => String(one) === value);
    if (days !== undefined) return choose({ days });
    // A custom range starts as the current one.
    const { filter, today, firstDay } = shown;
    const listed = daysOf(filter, today, firstDay);
    const [from = today, to = today] = typeof listed === "string" ? [] : [listed[0], listed.at(-1)];
    choose({ days: "own", from, to });
  });
  const from = dayInput("from", t("From"), (day) => choose({ from: day }));
  const to = dayInput("to", t("To"), (day) => choose({ to: day }));
  const registry = select("registry", t("Registry"), (value) => choose({ registry: value }));
  const project = select("project", t("Project"), (value) => choose({ project: value }));
  const skill = select("skill", t("Skill"), (value) => choose({ skill: value }));
  const caller = select("caller", t("Caller"), (value) => choose({ caller: value }));
  const profile = select("profile", t("Profile"), (value) => choose({ profile: value }));
  const controls = [source, range, from, to, registry, project, skill, caller, profile];
  let shown: FilterChoices;

  function update(choices: FilterChoices): void {
    shown = choices;
    const { filter, groups } = choices;
    const optionsFrom = (
      value: (group: UsageGroup) => string,
      chosen: string,
      all: string,
      text: (value: string) => string = String,
    ) => {
      // Keeps a chosen filter in the list even if the record no longer has its value.
      const values = new Set([...groups.map(value), chosen]);
      const known = [...values].filter((item) => item !== "").sort();
      return [["", all], ...known.map((item) => [item, text(item)] as const)] as const;
    };
    const isProject = filter.source === "project";
    source.show(sourceOptions(choices.project, language), filter.source);
    source.element.hidden = choices.project === undefined;
    range.show(rangeOptions(language), String(filter.days));
    from.show(filter.from);
    to.show(filter.to);
    for (const day of [from, to]) day.element.hidden = filter.days !== "own";
    const registries = optionsFrom(
      (group) => group.registry,
      filter.registry,
      t("All registries"),
      (item) => (item === builtInRegistryName ? t("Built-in registry") : item),
    );
    registry.show(registries, filter.registry);
    registry.element.hidden = isProject;
    const projects = optionsFrom((group) => group.project, filter.project, t("All projects"));
    project.show(projects, filter.project);
    project.element.hidden = isProject || projects.length === 1;
    skill.show(
      optionsFrom(({ skillSlug }) => skillSlug, filter.skill, t("All skills")),
      filter.skill,
    );
    const callers = optionsFrom(
      (group) => group.caller?.kind ?? "other",
      filter.caller,
      t("All callers"),
      (item) => callerName(item, language),
    );
    caller.show(callers, filter.caller);
    caller.element.hidden = isProject;
    const profiles = optionsFrom(
      (group) => group.profile,
      filter.profile,
      t("All profiles"),
      (item) => profileText(item, language),
    );
    profile.show(profiles, filter.profile);
    // The first option stands for all profiles.
    profile.element.hidden = isProject || (profiles.length <= 2 && filter.profile === "");
  }

  const group = { class: "filters", role: "group", "aria-label": t("Filter") };
  return { element: element("div", group, ...controls.map((control) => control.element)), update };
}

/** Names a caller. Unknown kinds, from a later version, are "another caller". */
export function callerName(kind: string, language: Language): string {
  const known = callerKinds.find((callerKind): callerKind is CallerKind => callerKind === kind);
  return known === undefined ? language.t("by another caller") : callerText(known, language);
}

function sourceOptions(project: ProjectUsage | undefined, { t }: Language): Options {
  const name =
    project?.kind === "record" ? t("Project {name}", { name: project.name }) : t("Project");
  return [
    ["machine", t("This machine")],
    ["project", name],
  ];
}

function rangeOptions({ t }: Language): Options {
  const ranges = usageRanges.map(
    (days) => [String(days), days === 1 ? t("Today") : t("{count} days", { count: days })] as const,
  );
  return [["record", t("Whole record")], ...ranges, ["own", t("Own range")]];
}

/** The maximum number of characters of an option. Longer ones would make the list wider than the page. */
const longestOption = 60;

function select(id: string, label: string, choose: (value: string) => void) {
  const made = selectOf({ id: `filter-${id}` }, [], choose);
  let known = "";
  return {
    element: labeled(label, made),
    show: (options: Options, chosen: string) => {
      const key = JSON.stringify(options);
      // Replacing unchanged options would close an open list.
      if (key !== known) {
        const short = options.map(
          ([value, text]) => [value, shortened(text, longestOption)] as const,
        );
        made.replaceChildren(...optionsOf(short));
      }
      known = key;
      if (made.value !== chosen) made.value = chosen;
    },
  };
}

function dayInput(id: string, label: string, choose: (day: string) => void) {
  const made = element("input", { id: `filter-${id}`, type: "date" });
  // While the year is half typed, the control reports a year below 1000.
  const isHalfTyped = () => made.value !== "" && made.value < "1000";
  made.addEventListener("change", () => {
    if (!isHalfTyped()) choose(made.value);
  });
  made.addEventListener("blur", () => {
    if (isHalfTyped()) choose(made.value);
  });
  return {
    element: labeled(label, made),
    show: (day: string) => {
      // Setting the same day again would discard a half-typed year.
      if (made.value !== day && !isHalfTyped()) made.value = day;
    },
  };
}

function labeled(label: string, control: HTMLElement): HTMLElement {
  return element("label", {}, element("span", {}, label), control);
}
