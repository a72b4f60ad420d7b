import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { toneIcon } from "../src/page/icons";
import { skillHead } from "../src/page/skillHead";
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
  { skill, stale, run, compared, samples }: ReadyPage,
  chosen: PageTab,
  context: PageContext,
  onTab: (tab: PageTab) => void,
): HTMLElement {
  const { t } = context;
  const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label);
  return element(
    "div",
    { class: "skill" },
    stale === "" ? undefined : staleNote(stale, context),
    live(skillHead(skill, run, t), context.send),
    tabs(
      [
        { id: "overview", label: t("Overview"), content: () => overviewTab(skill, context) },
        {
          id: "input",
          label: t("Input"),
          content: () => schemaTab("input", skill, samples.input, context),
        },
        {
          id: "output",
          label: t("Output"),
          content: () => schemaTab("output", skill, samples.output, context),
        },
        {
          id: "examples",
          label: counted(t("Examples"), skill.examples.length + skill.moreExamples),
          content: () => examplesTab(skill, context),
        },
        {
          id: "versions",
          label: counted(t("Versions"), skill.versions.length + skill.moreVersions),
          content: () => versionsTab(skill, compared, context),
        },
        { id: "manifest", label: t("Manifest"), content: () => manifestTab(skill, context) },
      ],
      { label: t("About this skill"), chosen, onTab },
    ),
  );
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
    notGiven(t("As the registry gave it.")),
    jsonBlock(manifest, t("Manifest"), context, { target: "manifest" }),
  );
}
