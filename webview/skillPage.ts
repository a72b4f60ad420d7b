import "./styles/skillPage.css";
import type { ExampleTrial } from "../src/core/invocation/output/exampleTrial";
import type { Tone } from "../src/core/skill/verification";
import type { Translate } from "../src/core/text/language";
import type { PageTab, ReadyPage, SkillPage } from "../src/protocol/pageMessages";
import { button, type PageContext, retryButton } from "./buttons";
import { comparisonView, firstComparison } from "./comparisonView";
import { element } from "./element";
import { FormView } from "./form/formView";
import { toneIcon } from "./icons";
import { connectToHost, type PageHost } from "./pageHost";
import { redrawing } from "./parts/part";
import { ViewState } from "./parts/viewState";
import { type ReadyView, readyView } from "./readyView";
import { registerToolkit } from "./toolkit";

const tabName = "vscode-panel-tab";
/** Scrolling has ended when the page has not moved for this many milliseconds. */
const scrollRestMs = 100;

interface SkillView extends ReadyView {
  readonly form: FormView;
}

showPages();

function showPages(): void {
  registerToolkit();
  const host = connectToHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  const context: PageContext = { t: host.t, send: host.send };
  const place = new ViewState(host);
  const redraw = redrawing(root);
  let view: (SkillView & { readonly slug: string }) | undefined;
  /** The content shown instead of a skill, as JSON. */
  let other = "";
  let announcedTexts: readonly string[] = [];
  /** Whether to show the form as soon as a skill is shown. */
  let isTrying = false;
  /** The timer that runs while the reader scrolls. */
  let scrolling: number | undefined;
  /** The position to which the page last scrolled by itself; `pending` before it does. */
  let movedTo: number | "pending" | undefined;
  // Screen readers ignore redrawn content, so this status announces how an invocation of an example ended.
  const announced = element("p", { role: "status", class: "announced" });
  root.after(announced);

  function show(page: SkillPage): void {
    announce(page, host.t);
    // Store the position before the content changes.
    if (scrolling !== undefined) keepPosition();
    const before = place.scrollTop;
    place.follow(page);
    const isNew = draw(page);
    // The previous content may have been too short to scroll to the position.
    const isStillMoving =
      movedTo === "pending" || (movedTo !== undefined && movedTo < place.scrollTop);
    if (isNew || isStillMoving || place.scrollTop !== before) moveToPosition();
  }

  /** Draws the page. Returns whether it replaced the content, rather than updating it. */
  function draw(page: SkillPage): boolean {
    if (page.kind === "ready") {
      if (isTrying) place.keepTab("input");
      requestMissing(place.tab, page, host);
      const isNew = view?.slug !== page.skill.slug;
      if (view === undefined || isNew) {
        view = { slug: page.skill.slug, ...openSkill(page) };
        other = "";
        redraw([view.element]);
      } else view.update(page);
      if (isTrying) view.tryIt();
      isTrying = false;
      return isNew;
    }
    view = undefined;
    const content = JSON.stringify(page);
    if (content === other) return false;
    other = content;
    redraw([viewOf(page, place, context)]);
    return true;
  }

  function openSkill(page: ReadyPage): SkillView {
    const form = new FormView(context);
    if (place.tab === "input") form.read();
    const onTab = (tab: PageTab, shown: ReadyPage) => {
      if (tab !== place.tab) showStart();
      place.keepTab(tab);
      requestMissing(tab, shown, host);
      if (tab === "input") form.read();
    };
    return { form, ...readyView(page, place.tab, context, { form, onTab }) };
  }

  function moveToPosition(): void {
    movedTo = "pending";
    requestAnimationFrame(() => {
      window.scrollTo(0, isScrollable(root) ? place.scrollTop : 0);
      movedTo = window.scrollY;
    });
  }

  function keepPosition(): void {
    clearTimeout(scrolling);
    scrolling = undefined;
    if (isScrollable(root)) place.keepScroll(Math.round(window.scrollY));
  }

  function announce(page: SkillPage, t: Translate): void {
    const trials: readonly (readonly [string, ExampleTrial | undefined])[] =
      page.kind === "ready" ? Object.entries(page.trials) : [];
    const texts = trials.map(([trial, shown]) => {
      const { word = "", facts = [], message = "" } = shown ?? {};
      const given = page.kind === "ready" ? page.skill.examples[Number(trial)]?.name : "";
      const example = given || t("Example {number}", { number: Number(trial) + 1 });
      const name = trial === "form" ? t("Try It") : example;
      return [`${name}: ${word}`, message, ...facts].filter((text) => text !== "").join(". ");
    });
    const [news = ""] = texts.filter((text) => !announcedTexts.includes(text));
    announcedTexts = texts;
    if (news !== "") announced.textContent = news;
  }

  // `scrollend` would be simpler, but Safari has it only since version 26.
  window.addEventListener("scroll", () => {
    if (movedTo === "pending" || window.scrollY === movedTo) return;
    movedTo = undefined;
    clearTimeout(scrolling);
    scrolling = window.setTimeout(keepPosition, scrollRestMs);
  });
  // No `afterPress` needed: only changed fields are redrawn, never a pressed one.
  host.onForm((part) => {
    place.keepDocument(part.document);
    view?.form.receive(part);
  });
  host.onTryIt(() => {
    if (view === undefined) isTrying = true;
    else view.tryIt();
  });
  host.onPage((page) => host.afterPress(() => show(page)));
}

/** Requests the data that a tab needs and the page lacks. */
function requestMissing(
  tab: PageTab,
  { skill, compared, schemas }: ReadyPage,
  host: PageHost,
): void {
  const pair = tab === "versions" ? firstComparison(skill, compared) : undefined;
  if (pair !== undefined) host.send({ type: "compareVersions", ...pair });
  if (tab !== "input" && tab !== "output") return;
  const isMissing = skill[tab] !== undefined && schemas[tab] === undefined;
  if (isMissing) host.send({ type: "viewSchema", side: tab });
}

// A loading view cannot scroll. It must not reset the stored position.
function isScrollable(root: Element): boolean {
  return root.querySelector(".skill, .compared") !== null;
}

function viewOf(
  page: Exclude<SkillPage, ReadyPage>,
  place: ViewState,
  context: PageContext,
): HTMLElement {
  switch (page.kind) {
    case "loading":
      return waitingView(page.slug, context.t("Reading the skill from the registry…"));
    case "gone":
      return goneView(page, context);
    // The script usagePage.ts shows the Usage page.
    case "usage":
      return element("div", {});
    case "failed":
      return failedView(page, context);
    case "comparison": {
      if (page.comparison === undefined) {
        const title = context.t("Compare {count} skills", { count: page.slugs.length });
        return waitingView(title, context.t("Reading the skills from the registry…"));
      }
      const { onlyDifferences } = place;
      const onChange = (only: boolean) => place.keepOnlyDifferences(only);
      return comparisonView(page.comparison, { onlyDifferences, onChange }, context);
    }
  }
}

/** Scrolls back to the start of a tab if the page is scrolled past it. The tabs stay visible. */
function showStart(): void {
  const tabs = document.querySelector("vscode-panels");
  const head = document.querySelector(tabName)?.parentElement;
  if (tabs === null || head === null || head === undefined) return;
  const pinned = Number.parseFloat(getComputedStyle(tabs).getPropertyValue("--name-line")) || 0;
  const start = Math.round(tabs.getBoundingClientRect().top + window.scrollY - pinned);
  if (window.scrollY > start) window.scrollTo(0, Math.max(0, start));
}

type Kind<Name> = Extract<SkillPage, { kind: Name }>;

function waitingView(title: string, text: string): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, title),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, text),
  );
}

function goneView({ slug, registryName }: Kind<"gone">, context: PageContext): HTMLElement {
  const { t } = context;
  const text = t(
    "{registryName} returned no such skill. It may be private, renamed or withdrawn.",
    { registryName },
  );
  const title = t("{slug} is not in this registry", { slug });
  return problemView("neutral", title, text, retryButton(context));
}

/** Shows why a skill could not be read, and what to do. */
function failedView(page: Kind<"failed">, context: PageContext): HTMLElement {
  const { t, send } = context;
  const others = page.actions.map(({ action, title }) =>
    button(title, () => send({ type: "runAction", action })),
  );
  const again = retryButton(context, { appearance: "primary" });
  const actions = element("div", { class: "actions" }, again, ...others);
  const title = t("{slug} could not be read", { slug: page.slug });
  return problemView("caution", title, page.message, actions);
}

function problemView(tone: Tone, title: string, text: string, actions: HTMLElement): HTMLElement {
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon(tone),
    element("h1", {}, title),
    element("p", {}, text),
    actions,
  );
}
