import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { toneIcon } from "../src/page/icons";
import { skillHead } from "../src/page/skillHead";
import { skillTabs } from "../src/page/skillTabs";
import type { PageTab } from "../src/protocol/pageState";
import type { SkillPage } from "../src/protocol/skillPage";
import { button, element, notGiven, type PageContext, section } from "./element";
import { examplesTab } from "./examplesTab";
import { jsonBlock } from "./jsonBlock";
import { live } from "./live";
import { overviewTab } from "./overviewTab";
import { schemaTab } from "./schemaTab";
import { tabs } from "./tabs";
import { versionsTab } from "./versionsTab";

type ReadyPage = Extract<SkillPage, { kind: "ready" }>;

/** Shows a skill: its head, then everything else in tabs. Calls back with each tab that is chosen. */
export function readyView(
  { skill, stale, run, review, compared, samples }: ReadyPage,
  chosen: PageTab,
  context: PageContext,
  onTab: (tab: PageTab) => void,
): HTMLElement {
  const { t, send } = context;
  const contents: Readonly<Record<PageTab, () => HTMLElement>> = {
    overview: () => overviewTab(skill, { run, review }, context),
    input: () => schemaTab("input", skill, samples.input, context),
    output: () => schemaTab("output", skill, samples.output, context),
    examples: () => examplesTab(skill, context),
    versions: () => versionsTab(skill, compared, context),
    manifest: () => manifestTab(skill, context),
  };
  const view = element("div", { class: "skill", "data-tab": chosen });
  const showTab = (tab: PageTab) => {
    view.dataset["tab"] = tab;
    onTab(tab);
  };
  view.append(
    ...(stale === "" ? [] : [staleNote(stale, context)]),
    ...skillHead(skill, { run, review }, t).map((part) => live(part, send)),
    tabs(
      skillTabs(skill, t).map(({ id, label }) => ({ id, label, content: contents[id] })),
      { label: t("About this skill"), chosen, onTab: showTab },
    ),
  );
  return view;
}

function staleNote(words: string, { t, send }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "stale", role: "status" },
    element("p", { class: "warning" }, toneIcon("caution"), element("span", {}, words)),
    button(t("Try again"), () => send({ type: "retry" }), { id: "read-again" }),
  );
}

/** Shows the manifest as the registry gave it. */
function manifestTab({ manifest }: SkillDescription, context: PageContext): HTMLElement {
  const { t } = context;
  return section(
    "manifest",
    t("Manifest"),
    notGiven(t("As returned by the registry.")),
    jsonBlock(manifest, t("Manifest"), context, { target: "manifest" }),
  );
}
