import {
  type ComparedSkill,
  type ComparisonCell,
  type ComparisonGroup,
  type ComparisonRow,
  maxCompared,
  minCompared,
  type SkillComparison,
} from "../src/core/skill/compare/compareSkills";
import {
  type ChangeGroup,
  type ChangeText,
  versionPair,
} from "../src/core/skill/compare/versionDifference";
import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import type { ComparedVersions, VersionPair } from "../src/protocol/pageMessages";
import { button, type PageContext, retryButton, skillLink, toolButton } from "./buttons";
import { type Content, element, optionsOf, quietNote, section, selectOf } from "./element";
import { changeIcon, factIcon, icon, levelIcon, noted, toneIcon } from "./icons";
import { type PagePart, pagePart } from "./parts/part";

/** The display options of a comparison. */
interface ComparisonChoice {
  readonly onlyDifferences: boolean;
  /** Called when the reader switches between all rows and only the differing ones. */
  readonly onChange: (onlyDifferences: boolean) => void;
}

/** Compares skills in columns. Marks the cells that differ. On a narrow page, the cells of more than two skills are stacked. */
export function comparisonView(
  { skills, groups }: SkillComparison,
  { onlyDifferences, onChange }: ComparisonChoice,
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  const canAdd = skills.length < maxCompared;
  const table = element(
    "div",
    { class: "comparison", role: "table", "aria-label": t("Skills side by side") },
    headRow(skills, context),
    ...groups.map((group) => groupRows(group, skills, context)),
  );
  table.style.setProperty("--skills", String(skills.length));
  table.classList.toggle("two", skills.length === 2);
  const box = element("input", { type: "checkbox", id: "only-differences" });
  box.checked = onlyDifferences;
  const setShown = () => table.classList.toggle("only-differences", box.checked);
  box.addEventListener("change", () => {
    setShown();
    onChange(box.checked);
  });
  setShown();
  return element(
    "div",
    { class: "compared" },
    element("h1", {}, t("Compare {count} skills", { count: skills.length })),
    element(
      "div",
      { class: "actions" },
      canAdd &&
        button(t("Add a skill…"), () => send({ type: "compareWith" }), { id: "compare-with" }),
      skills.some(({ problem }) => problem !== "") && retryButton(context, { id: "read-again" }),
      element("label", { class: "check" }, box, t("Differences only")),
      element("span", { class: "quiet legend" }, icon("differs"), countText(groups, context)),
    ),
    table,
  );
}

function countText(groups: readonly ComparisonGroup[], { t }: PageContext): string {
  const rows = groups.flatMap((group) => group.rows);
  const count = rows.filter(({ differs }) => differs).length;
  return t("{count} of {all} rows differ", { count, all: rows.length });
}

function headRow(skills: readonly ComparedSkill[], context: PageContext): HTMLElement {
  const { t, send } = context;
  return element(
    "div",
    { role: "row", class: "row head-row" },
    element("div", { role: "columnheader", class: "row-label" }, t("Skill")),
    ...skills.map(({ slug, displayName, version, problem }) => {
      return element(
        "div",
        { role: "columnheader", class: "cell" },
        skillLink(slug, context, displayName),
        element("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
        problem !== "" && noted("caution", problem),
        skills.length > minCompared &&
          toolButton(t("Remove"), t("Remove {name}", { name: displayName }), () =>
            send({ type: "removeSkill", slug }),
          ),
      );
    }),
  );
}

function groupRows(
  { title, rows }: ComparisonGroup,
  skills: readonly ComparedSkill[],
  context: PageContext,
): HTMLElement {
  const same = rows.every(({ differs }) => !differs);
  return element(
    "div",
    { role: "rowgroup", class: same ? "group same" : "group" },
    element(
      "div",
      { role: "row", class: "group-title" },
      element("div", { role: "cell" }, element("h2", {}, title)),
    ),
    ...rows.map((row) => comparisonRow(row, skills, context)),
  );
}

function comparisonRow(
  { label, cells, differs }: ComparisonRow,
  skills: readonly ComparedSkill[],
  { t }: PageContext,
): HTMLElement {
  return element(
    "div",
    { role: "row", class: differs ? "row" : "row same" },
    element("div", { role: "rowheader", class: "row-label" }, element("span", {}, label)),
    ...cells.map((cell, index) =>
      element(
        "div",
        { role: "cell", class: cell.text === "" ? "cell unread" : "cell" },
        // Visible only on a narrow page, where the columns have no header above them.
        element("span", { class: "cell-skill quiet" }, skills[index]?.displayName ?? ""),
        element(
          "span",
          { class: "cell-words" },
          sign(cell),
          element("span", {}, cell.text),
          cell.differs && differsMark(t("differs")),
        ),
        cell.note !== "" && element("span", { class: "quiet note cell-note" }, cell.note),
      ),
    ),
  );
}

/** Creates the mark of a cell that differs. A word in each cell would be louder than the values. */
function differsMark(word: string): HTMLElement {
  const announced = element("span", { class: "announced" }, word);
  return element("span", { class: "differs", title: word }, icon("differs"), announced);
}

function sign({ bars, tone, sign: named, isWithheld }: ComparisonCell): Content {
  if (isWithheld) return icon("no");
  if (tone === undefined) return undefined;
  if (named !== undefined) return factIcon({ sign: named, tone });
  return bars === undefined ? toneIcon(tone) : levelIcon(bars, tone);
}

/** Lets the reader choose two versions and shows their differences. */
export function versionComparison(
  { versions, version }: Pick<SkillDescription, "versions" | "version">,
  context: PageContext,
): PagePart | undefined {
  const { t, send } = context;
  const first = versionPair(versions, version);
  if (first === undefined) return undefined;
  // Read from the controls, because the last response may belong to an earlier choice.
  const chosen = () => ({ before: before.value, after: after.value });
  const compare = () => send({ type: "compareVersions", ...chosen() });
  // The toolkit's dropdown sets a style attribute, which the page's content security policy rejects.
  const before = selectOf({ id: "version-before" }, [], compare);
  const after = selectOf({ id: "version-after" }, [], compare);
  const names = versions.map((each) => each.version);
  const answer = pagePart(
    element("div", { role: "status" }),
    ({ compared }) => compared,
    (compared) => {
      const pair: VersionPair = compared ?? first;
      offerVersions(before, names, pair.before);
      offerVersions(after, names, pair.after);
      return comparedParts(compared, compare, context);
    },
  );
  const shown = section(
    "version-difference",
    t("What changed"),
    element(
      "div",
      { class: "pair" },
      choiceLabel(t("From"), before),
      choiceLabel(t("To"), after),
      button(
        t("Compare manifests"),
        () => send({ type: "diffManifests", ...chosen() }),
        { id: "diff-manifests" },
        icon("compare", "start"),
      ),
    ),
    answer.element,
  );
  return { element: shown, update: answer.update };
}

/** Returns the two versions to compare first. Undefined if a comparison exists or there are no two versions. */
export function firstComparison(
  { versions, version }: SkillDescription,
  compared: ComparedVersions | undefined,
): VersionPair | undefined {
  return compared === undefined ? versionPair(versions, version) : undefined;
}

function offerVersions(
  select: HTMLSelectElement,
  versions: readonly string[],
  chosen: string,
): void {
  const offered = new Set([...versions, chosen]);
  const isOffered = [...select.options].some(({ value }) => value === chosen);
  if (offered.size !== select.options.length || !isOffered) {
    select.replaceChildren(...optionsOf([...offered].map((version) => [version, version])));
  }
  select.value = chosen;
}

function choiceLabel(label: string, select: HTMLSelectElement): HTMLElement {
  return element("label", { class: "choice" }, element("span", {}, label), select);
}

function comparedParts(
  compared: ComparedVersions | undefined,
  readAgain: () => void,
  context: PageContext,
): HTMLElement[] {
  const { t } = context;
  if (compared === undefined || compared.kind === "loading") {
    return [quietNote(t("Reading both versions…"))];
  }
  if (compared.kind === "failed") {
    return [
      noted("caution", compared.message),
      button(t("Try again"), readAgain, { id: "compare-again" }),
    ];
  }
  const { summary, needsLook, groups } = compared.difference;
  return [
    noted(needsLook ? "caution" : "good", summary, "strong"),
    ...groups.map((group) => changeGroup(group, context)),
  ];
}

function changeGroup({ part, title, changes, note }: ChangeGroup, context: PageContext) {
  return element(
    "div",
    { class: "changes", id: `changes-${part}` },
    element("h3", {}, title),
    note !== "" && quietNote(note),
    element(
      "ul",
      { class: "change-list" },
      ...changes.map((change) => changeItem(change, context)),
    ),
  );
}

function changeItem(change: ChangeText, { t }: PageContext): HTMLElement {
  const { kind, path, text, impact } = change;
  const impactText = { breaking: t("breaking"), check: t("check"), safe: t("safe") };
  return element(
    "li",
    { class: "change" },
    changeIcon(kind),
    element("span", { class: `impact impact-${impact}` }, impactText[impact]),
    " ",
    element(
      "span",
      {},
      path !== "" && element("code", { class: "name" }, path),
      " ",
      element("span", { class: "words" }, text),
    ),
  );
}
