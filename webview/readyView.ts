import type { SkillDescription, VersionText } from "../src/core/skill/description/skillDescription";
import { type PageTab, pageTabs, type ReadyPage } from "../src/protocol/pageMessages";
import { button, type PageContext, retryButton } from "./buttons";
import { versionComparison } from "./comparisonView";
import { element, quietNote, section } from "./element";
import type { FormView } from "./form/formView";
import { noted } from "./icons";
import { overviewTab } from "./overviewTab";
import { examplesTab } from "./parts/examplesTab";
import { type PagePart, pagePart, partOf, picked } from "./parts/part";
import { inputSchema, jsonBlock, outputTab } from "./schemaTab";
import { skillHead } from "./skillHead";

/** The view of a skill. */
export interface ReadyView {
  readonly element: HTMLElement;
  readonly update: (page: ReadyPage) => void;
  /** Shows the form and focuses it. */
  readonly tryIt: () => void;
}

interface Tab {
  readonly label: (page: ReadyPage) => string;
  /** Creates the content. Called once. */
  readonly content: () => PagePart;
}

/** Shows a skill: its head, then everything else in tabs. Calls back when a tab is chosen. */
export function readyView(
  first: ReadyPage,
  chosen: PageTab,
  context: PageContext,
  {
    form,
    onTab,
  }: { readonly form: FormView; readonly onTab: (tab: PageTab, page: ReadyPage) => void },
): ReadyView {
  const { t } = context;
  let page = first;
  const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label);
  const rows: Readonly<Record<PageTab, Tab>> = {
    overview: { label: () => t("Overview"), content: () => overviewTab(context) },
    input: {
      label: () => t("Input"),
      content: () => partOf(element("div", {}), form, inputSchema(context)),
    },
    output: { label: () => t("Output"), content: () => outputTab(context) },
    examples: {
      label: ({ skill }) => counted(t("Examples"), skill.examples.length + skill.moreExamples),
      content: () => examplesTab(context),
    },
    versions: {
      label: ({ skill }) => counted(t("Versions"), skill.versions.length + skill.moreVersions),
      content: () => versionsTab(context),
    },
    manifest: { label: () => t("Manifest"), content: () => manifestTab(context) },
  };
  const view = element("div", { class: "skill", "data-tab": chosen });
  const tabs = tabsOf(rows, first, { label: t("About this skill"), chosen }, (tab) => {
    view.dataset["tab"] = tab;
    onTab(tab, page);
  });
  const notices = pagePart(
    element("div", { class: "notices" }),
    ({ stale }) => stale,
    (stale) => [stale !== "" && staleNote(stale, context)],
  );
  const tryIt = () => {
    tabs.choose("input");
    form.takeFocus();
  };
  const parts = [notices, ...skillHead(context, tryIt)];
  const update = (shown: ReadyPage) => {
    page = shown;
    for (const part of [...parts, tabs]) part.update(shown);
  };
  update(first);
  view.append(...[...parts, tabs].map((item) => item.element));
  return { element: view, update, tryIt };
}

function staleNote(words: string, context: PageContext): HTMLElement {
  return element(
    "div",
    { class: "stale", role: "status" },
    noted("caution", words),
    retryButton(context, { id: "read-again" }),
  );
}

/** Shows the manifest exactly as the registry returned it. */
function manifestTab(context: PageContext): PagePart {
  const { t } = context;
  return pagePart(
    element("div", {}),
    ({ skill }) => picked(skill, "manifest", "isLocal"),
    ({ manifest, isLocal }) => [
      section(
        "manifest",
        t("Manifest"),
        !isLocal && quietNote(t("As returned by the registry.")),
        jsonBlock(manifest, t("Manifest"), context, { target: "manifest" }),
      ),
    ],
  );
}

/** Lists the published versions, each with a button to show it, and compares two of them. */
function versionsTab(context: PageContext): PagePart {
  return pagePart(
    element("div", {}),
    ({ skill: { versions, version, moreVersions } }) => ({ versions, version, moreVersions }),
    (skill, inner) => [versionsView(skill, inner, context)],
  );
}

function versionsView(
  skill: Pick<SkillDescription, "versions" | "version" | "moreVersions">,
  inner: (part: PagePart) => HTMLElement,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const { versions, version, moreVersions } = skill;
  if (versions.length === 0) {
    const current =
      version === "" ? undefined : element("p", {}, t("Viewing {version}", { version }));
    const none = quietNote(t("This registry does not list the versions of its skills."));
    return section("versions", t("Versions"), current, none);
  }
  const comparison = versionComparison(skill, context);
  return element(
    "div",
    { class: "columns" },
    comparison && inner(comparison),
    section(
      "versions",
      t("Versions"),
      element("ol", { class: "versions" }, ...versions.map((each) => versionItem(each, context))),
      moreVersions > 0 &&
        quietNote(t("{count} older versions are not shown.", { count: moreVersions })),
    ),
  );
}

function versionItem(
  { version, published, changes, shown }: VersionText,
  { t, send }: PageContext,
): HTMLElement {
  const choose = button(t("Show"), () => send({ type: "selectVersion", version }), {
    "aria-label": t("Show version {version}", { version }),
  });
  return element(
    "li",
    { "aria-current": shown ? "true" : undefined },
    element(
      "p",
      { class: "line" },
      element("code", { class: "name" }, version),
      published !== "" && element("span", { class: "quiet" }, published),
      shown ? element("span", { class: "required" }, t("shown here")) : choose,
    ),
    changes !== "" && element("p", { class: "words" }, changes),
  );
}

/** Runs `work` when the page is idle; in Safari, which has no idle callback, after the current task. */
function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 200 });
  else setTimeout(work);
}

/**
 * Creates the toolkit's tabs; arrow keys move between them. Fills the chosen tab immediately and the others when idle
 * or chosen, so that the page appears sooner.
 */
function tabsOf(
  rows: Readonly<Record<PageTab, Tab>>,
  first: ReadyPage,
  options: { readonly label: string; readonly chosen: PageTab },
  onTab: (tab: PageTab) => void,
): PagePart & { readonly choose: (tab: PageTab) => void } {
  let page = first;
  const all = pageTabs.map((id) => ({
    id,
    ...rows[id],
    head: element("vscode-panel-tab", {
      id: tabId(id),
      "aria-selected": String(id === options.chosen),
    }),
    view: element("vscode-panel-view", { id: `${id}-view`, hidden: id !== options.chosen }),
  }));
  const filled = new Map<PageTab, PagePart>();
  const fill = ({ id, view, content }: (typeof all)[number]) => {
    if (filled.has(id)) return;
    const part = content();
    filled.set(id, part);
    part.update(page);
    view.append(part.element);
  };
  for (const tab of all) {
    if (tab.id === options.chosen) fill(tab);
    else whenIdle(() => fill(tab));
  }
  const made = element(
    "vscode-panels",
    { activeid: tabId(options.chosen), "aria-label": options.label },
    ...all.map(({ head }) => head),
    ...all.map(({ view }) => view),
  );
  requestAnimationFrame(() => measureTabs(made));
  made.addEventListener("change", (event) => {
    // The panels' attribute changes only after this event.
    const chosen: unknown = event instanceof CustomEvent ? event.detail : undefined;
    const tab = all.find(({ head }) => head === chosen);
    if (tab === undefined) return;
    fill(tab);
    onTab(tab.id);
  });
  return {
    element: made,
    update: (shown) => {
      page = shown;
      for (const { head, label } of all) {
        const text = label(shown);
        if (head.textContent !== text) head.textContent = text;
      }
      for (const part of filled.values()) part.update(shown);
    },
    choose: (tab) => all.find(({ id }) => id === tab)?.head.click(),
  };
}

/** Tells the styles the height of the row of tabs, so that sticky parts stand right below it. */
function measureTabs(panels: HTMLElement): void {
  const row = panels.shadowRoot?.querySelector<HTMLElement>("[part=tablist]");
  if (!row) return;
  const { style } = document.documentElement;
  new ResizeObserver(() => {
    const height = Math.floor(row.getBoundingClientRect().height);
    style.setProperty("--tab-line", `${height}px`);
  }).observe(row);
}

/** Returns the ID of a tab's element. */
function tabId(tab: PageTab): string {
  return `${tab}-tab`;
}
