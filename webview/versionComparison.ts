import {
  type ChangeGroup,
  type ChangeText,
  versionPair,
} from "../src/core/skill/compare/versionDifference";
import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { changeIcon, icon, toneIcon } from "../src/page/markup";
import type { ComparedVersions, VersionPair } from "../src/protocol/skillPage";
import { button, element, notGiven, type PageContext, section } from "./element";

/** Shows how two versions differ, in words first, and lets the reader choose which two. */
export function versionComparison(
  { versions, version }: SkillDescription,
  compared: ComparedVersions | undefined,
  context: PageContext,
): HTMLElement | undefined {
  const { t, send } = context;
  const first = versionPair(versions, version);
  if (first === undefined) return undefined;
  const pair: VersionPair = compared ?? first;
  const names = versions.map((each) => each.version);
  const [before, after] = [
    versionChoice("version-before", names, pair.before),
    versionChoice("version-after", names, pair.after),
  ];
  // What was chosen a moment ago counts, also before the answer to it has come.
  const chosen = () => ({ before: before.value, after: after.value });
  const compare = () => send({ type: "compareVersions", ...chosen() });
  for (const select of [before, after]) select.addEventListener("change", compare);
  return section(
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
    element("div", { role: "status" }, ...comparedParts(compared, compare, context)),
  );
}

/** Names what to compare when nothing has been compared yet. Undefined where there is nothing to. */
export function comparisonToAsk(
  { versions, version }: SkillDescription,
  compared: ComparedVersions | undefined,
): VersionPair | undefined {
  return compared === undefined ? versionPair(versions, version) : undefined;
}

// The toolkit's own list to choose from sets a style attribute, which the page's policy refuses.
function versionChoice(id: string, versions: readonly string[], chosen: string): HTMLSelectElement {
  const select = document.createElement("select");
  select.id = id;
  for (const version of new Set([...versions, chosen])) {
    select.append(new Option(version, version, version === chosen, version === chosen));
  }
  return select;
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
    return [notGiven(t("Reading both versions…"))];
  }
  if (compared.kind === "failed") {
    return [
      element(
        "p",
        { class: "warning" },
        toneIcon("caution"),
        element("span", {}, compared.message),
      ),
      button(t("Try again"), readAgain, { id: "compare-again" }),
    ];
  }
  const { summary, needsLook, groups } = compared.difference;
  return [
    element(
      "p",
      { class: "warning" },
      toneIcon(needsLook ? "caution" : "good"),
      element("strong", {}, summary),
    ),
    ...groups.map((group) => changeGroup(group, context)),
  ];
}

function changeGroup({ part, title, changes, note }: ChangeGroup, context: PageContext) {
  return element(
    "div",
    { class: "changes", id: `changes-${part}` },
    element("h3", {}, title),
    note === "" ? undefined : notGiven(note),
    element("ul", {}, ...changes.map((change) => changeItem(change, context))),
  );
}

function changeItem(change: ChangeText, { t }: PageContext): HTMLElement {
  const { kind, path, text, impact } = change;
  const impactText = { breaking: t("breaking"), check: t("check"), safe: t("safe") };
  return element(
    "li",
    { class: "change" },
    changeIcon(kind),
    element(
      "span",
      {},
      element("span", { class: `impact impact-${impact}` }, impactText[impact]),
      " ",
      path === "" ? undefined : element("code", { class: "name" }, path),
      " ",
      element("span", { class: "words" }, text),
    ),
  );
}
