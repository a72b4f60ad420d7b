import type { ExampleTrial } from "../src/core/skill/description/exampleTrial";
import type { SkillDescription, VersionText } from "../src/core/skill/description/skillDescription";
import {
  type ComparedVersions,
  type PageTab,
  pageTabs,
  type SkillPage,
} from "../src/protocol/pageMessages";
import type { ResultTarget } from "../src/protocol/readPageMessage";
import { button, type PageContext, toolButton } from "./buttons";
import { versionComparison } from "./comparisonView";
import { element, notGiven, section } from "./element";
import { type IconName, icon, noted, toneIcon } from "./icons";
import { overviewTab } from "./overviewTab";
import { jsonBlock, schemaTab } from "./schemaTab";
import { skillHead } from "./skillHead";

type ReadyPage = Extract<SkillPage, { kind: "ready" }>;

/** Shows a skill: its head, then everything else in tabs. Calls back with each chosen tab. */
export function readyView(
  { skill, stale, run, review, agents, compared, schemas, trials }: ReadyPage,
  chosen: PageTab,
  context: PageContext,
  onTab: (tab: PageTab) => void,
): HTMLElement {
  const { t } = context;
  const { examples, moreExamples, versions, moreVersions } = skill;
  const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label);
  const rows: Readonly<Record<PageTab, Omit<Tab, "id">>> = {
    overview: {
      label: t("Overview"),
      content: () => overviewTab(skill, { run, review, agents }, context),
    },
    input: {
      label: t("Input"),
      content: () => schemaTab("input", skill, schemas.input, context),
    },
    output: {
      label: t("Output"),
      content: () => schemaTab("output", skill, schemas.output, context),
    },
    examples: {
      label: counted(t("Examples"), examples.length + moreExamples),
      content: () => examplesTab(skill, trials, context),
    },
    versions: {
      label: counted(t("Versions"), versions.length + moreVersions),
      content: () => versionsTab(skill, compared, context),
    },
    manifest: { label: t("Manifest"), content: () => manifestTab(skill, context) },
  };
  const view = element("div", { class: "skill", "data-tab": chosen });
  const showTab = (tab: PageTab) => {
    view.dataset["tab"] = tab;
    onTab(tab);
  };
  view.append(
    ...(stale === "" ? [] : [staleNote(stale, context)]),
    ...skillHead(skill, { run, review }, context),
    tabs(
      pageTabs.map((id) => ({ id, ...rows[id] })),
      { label: t("About this skill"), chosen, onTab: showTab },
    ),
  );
  return view;
}

function staleNote(words: string, { t, send }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "stale", role: "status" },
    noted("caution", words),
    button(t("Try again"), () => send({ type: "retry" }), { id: "read-again" }),
  );
}

/** Shows the manifest as the registry returned it. */
function manifestTab({ manifest }: SkillDescription, context: PageContext): HTMLElement {
  const { t } = context;
  return section(
    "manifest",
    t("Manifest"),
    notGiven(t("As returned by the registry.")),
    jsonBlock(manifest, t("Manifest"), context, { target: "manifest" }),
  );
}

/** Lists the published versions, each with a button to show it, and how two of them differ. */
function versionsTab(
  skill: SkillDescription,
  compared: ComparedVersions | undefined,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const { versions, version } = skill;
  if (versions.length === 0) {
    const current =
      version === "" ? undefined : element("p", {}, t("Viewing {version}", { version }));
    const none = notGiven(t("This registry does not list the versions of its skills."));
    return section("versions", t("Versions"), current, none);
  }
  return element(
    "div",
    { class: "columns" },
    versionComparison(skill, compared, context),
    section(
      "versions",
      t("Versions"),
      element("ol", { class: "versions" }, ...versions.map((each) => versionItem(each, context))),
      skill.moreVersions > 0
        ? notGiven(t("{count} older versions are not shown.", { count: skill.moreVersions }))
        : undefined,
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
      published === "" ? undefined : element("span", { class: "quiet" }, published),
      shown ? element("span", { class: "required" }, t("shown here")) : choose,
    ),
    changes === "" ? undefined : element("p", { class: "words" }, changes),
  );
}

/** Shows the publisher's examples, each with a button that invokes the skill with it and what became of that. */
function examplesTab(
  { examples, moreExamples }: SkillDescription,
  trials: ReadyPage["trials"],
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  if (examples.length === 0) {
    return section("examples", t("Examples"), notGiven(t("Not provided by this registry.")));
  }
  return element(
    "div",
    { class: "examples" },
    ...examples.map(({ name: given, input, output }, index) => {
      const name = given === "" ? t("Example {number}", { number: index + 1 }) : given;
      const trial = trials[index];
      return section(
        `example-${index}`,
        name,
        element(
          "div",
          { class: "tools" },
          button(
            t("Invoke"),
            () => send({ type: "invokeExample", example: index }),
            { id: `invoke-example-${index}`, "aria-label": t("Invoke with {name}", { name }) },
            icon("play", "start"),
          ),
          button(
            t("Open as Payload"),
            () => send({ type: "newPayload", example: index }),
            { "aria-label": t("Open as Payload: {name}", { name }) },
            icon("create", "start"),
          ),
        ),
        trial === undefined ? undefined : trialView(trial, { name, index }, context),
        element(
          "div",
          { class: "columns even" },
          element(
            "div",
            {},
            element("h3", {}, t("Input")),
            jsonBlock(input, t("Input of {name}", { name }), context, {
              copy: { type: "copyExample", example: index, side: "input" },
              open: { type: "openExample", example: index, side: "input" },
            }),
          ),
          output === undefined
            ? undefined
            : element(
                "div",
                {},
                element("h3", {}, t("Output")),
                jsonBlock(output, t("Output of {name}", { name }), context, {
                  copy: { type: "copyExample", example: index, side: "output" },
                  open: { type: "openExample", example: index, side: "output" },
                }),
              ),
        ),
      );
    }),
    moreExamples > 0
      ? notGiven(t("{count} more examples are not shown.", { count: moreExamples }))
      : undefined,
  );
}

/** Shows what became of an example: how it ended, its facts, what can be done about it, and its output. */
function trialView(
  { kind, tone, word, facts, message, actions, output }: ExampleTrial,
  { name, index: example }: { readonly name: string; readonly index: number },
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  const tool = (text: string, label: string, what: ResultTarget, sign: IconName) =>
    toolButton(text, label, () => send({ type: "openResult", example, what }), icon(sign, "start"));
  return element(
    "div",
    { class: "trial", role: "group", "aria-label": t("Result of {name}", { name }) },
    element(
      "p",
      { class: "line" },
      element("span", { class: "by" }, toneIcon(tone), element("strong", {}, word)),
      ...facts.map((fact) => element("span", { class: "quiet" }, fact)),
    ),
    message === "" ? undefined : element("p", { class: "words" }, message),
    kind === "running"
      ? element(
          "div",
          { class: "tools" },
          button(t("Cancel"), () => send({ type: "cancelExample", example }), {
            "aria-label": t("Cancel: {name}", { name }),
          }),
        )
      : undefined,
    actions.length === 0
      ? undefined
      : element(
          "div",
          { class: "tools" },
          ...actions.map(({ title }, action) =>
            button(title, () => send({ type: "runExampleAction", example, action }), {
              "aria-label": t("{title}: {name}", { title, name }),
            }),
          ),
        ),
    output === undefined
      ? undefined
      : jsonBlock(output, t("Result of {name}", { name }), context, {
          copy: { type: "openResult", example, what: "copy" },
          open: { type: "openResult", example, what: "output" },
        }),
    kind === "ended"
      ? element(
          "div",
          { class: "tools" },
          tool(t("Open Invocation"), t("Open Invocation: {name}", { name }), "record", "open"),
          output === undefined
            ? undefined
            : tool(t("Save as Test"), t("Save as Test: {name}", { name }), "test", "yes"),
        )
      : undefined,
  );
}

/** One tab: its label and its content. */
interface Tab {
  readonly id: PageTab;
  readonly label: string;
  /** Creates the content, once. */
  readonly content: () => HTMLElement;
}

/** Sent by a tab when it has been filled. It bubbles. */
export const filledEvent = "filled";

/** Runs `work` once the page has nothing else to do; in Safari, which does not report that, after the current work. */
function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 200 });
  else setTimeout(work);
}

/**
 * Creates tabs of the toolkit. Arrow keys move between them. The chosen one is filled immediately, the others
 * when idle or when they are chosen, so that a page shows without waiting for them.
 */
function tabs(
  all: readonly Tab[],
  options: {
    readonly label: string;
    readonly chosen: PageTab;
    readonly onTab: (tab: PageTab) => void;
  },
): HTMLElement {
  const views = new Map(
    all.map(({ id }) => [
      id,
      element("vscode-panel-view", { id: `${id}-view`, hidden: id !== options.chosen }),
    ]),
  );
  const fill = ({ id, content }: Tab) => {
    const view = views.get(id);
    if (view === undefined || view.childElementCount > 0) return;
    view.append(content());
    view.dispatchEvent(new Event(filledEvent, { bubbles: true }));
  };
  for (const tab of all) {
    if (tab.id === options.chosen) fill(tab);
    else whenIdle(() => fill(tab));
  }
  const made = element(
    "vscode-panels",
    { activeid: tabId(options.chosen), "aria-label": options.label },
    ...all.map(({ id, label }) =>
      element(
        "vscode-panel-tab",
        { id: tabId(id), "aria-selected": String(id === options.chosen) },
        label,
      ),
    ),
    ...views.values(),
  );
  made.addEventListener("change", (event) => {
    // The event names the tab; the attribute of the panels follows later.
    const chosen: unknown = event instanceof CustomEvent ? event.detail : undefined;
    const tab = all.find(({ id }) => chosen instanceof Element && tabId(id) === chosen.id);
    if (tab === undefined) return;
    fill(tab);
    options.onTab(tab.id);
  });
  return made;
}

/** The name of a tab's element. */
function tabId(tab: PageTab): string {
  return `${tab}-tab`;
}
