import type {
  ComparedSkill,
  ComparisonCell,
  ComparisonGroup,
  ComparisonRow,
  SkillComparison,
} from "../src/core/skill/compare/compareSkills";
import { icon, levelIcon, toneIcon } from "../src/page/markup";
import { maxCompared, minCompared } from "../src/protocol/skillPage";
import { button, type Content, element, type PageContext, toolButton } from "./element";

/** How the reader looks at a comparison. */
export interface ComparisonChoice {
  readonly onlyDifferences: boolean;
  /** Calls back when the reader chooses to see all rows, or only those that differ. */
  readonly onChange: (onlyDifferences: boolean) => void;
}

/** Shows skills side by side. Rows that differ say so; in a narrow column the cells of a row stand below each other. */
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
  const box = element("input", { type: "checkbox", id: "only-differences" }) as HTMLInputElement;
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
      canAdd
        ? button(t("Add a skill…"), () => send({ type: "compareWith" }), { id: "compare-with" })
        : undefined,
      skills.some(({ problem }) => problem !== "")
        ? button(t("Try again"), () => send({ type: "retry" }), { id: "read-again" })
        : undefined,
      element("label", { class: "check" }, box, t("Only what differs")),
      element("span", { class: "quiet" }, countText(groups, context)),
    ),
    table,
  );
}

function countText(groups: readonly ComparisonGroup[], { t }: PageContext): string {
  const rows = groups.flatMap((group) => group.rows);
  const count = rows.filter(({ differs }) => differs).length;
  return t("{count} of {all} rows differ", { count, all: rows.length });
}

function headRow(skills: readonly ComparedSkill[], { t, send }: PageContext): HTMLElement {
  return element(
    "div",
    { role: "row", class: "row head-row" },
    element("div", { role: "columnheader", class: "row-label" }, t("Skill")),
    ...skills.map(({ slug, displayName, version, problem }) => {
      const name = element("button", { type: "button", class: "link" }, displayName);
      name.addEventListener("click", () => send({ type: "openSkill", slug }));
      return element(
        "div",
        { role: "columnheader", class: "cell" },
        name,
        element("code", { class: "id" }, version === "" ? slug : `${slug}@${version}`),
        problem === ""
          ? undefined
          : element("p", { class: "warning" }, toneIcon("caution"), element("span", {}, problem)),
        skills.length > minCompared
          ? toolButton(t("Remove"), t("Remove {name}", { name: displayName }), () =>
              send({ type: "removeSkill", slug }),
            )
          : undefined,
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
  const mark = differs
    ? element("span", { class: "differs" }, icon("differs"), t("differs"))
    : undefined;
  return element(
    "div",
    { role: "row", class: differs ? "row" : "row same" },
    element(
      "div",
      { role: "rowheader", class: "row-label" },
      element("span", {}, label),
      " ",
      mark,
    ),
    ...cells.map((cell, index) =>
      element(
        "div",
        { role: "cell", class: cell.text === "" ? "cell unread" : "cell" },
        // Seen only where the columns have no head above them.
        element("span", { class: "cell-skill quiet" }, skills[index]?.displayName ?? ""),
        element("span", { class: "cell-words" }, sign(cell), element("span", {}, cell.text)),
        cell.note === "" ? undefined : element("span", { class: "quiet note" }, cell.note),
      ),
    ),
  );
}

function sign({ bars, tone }: ComparisonCell): Content {
  if (tone === undefined) return undefined;
  return bars === undefined ? toneIcon(tone) : levelIcon(bars, tone);
}
