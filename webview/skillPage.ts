import type { PageState, PageTab } from "../src/protocol/pageState";
import type { SkillPage, SkillPageSnapshot } from "../src/protocol/skillPage";
import { element } from "./element";
import { failedView, goneView, loadingView } from "./emptyViews";
import { rememberOpenParts } from "./openParts";
import { type PageContext, pageContext } from "./pageContext";
import { connectToHost } from "./pageHost";
import { readyView } from "./readyView";
import { registerToolkit } from "./toolkit";
import { comparisonToAsk } from "./versionComparison";
import "./skillPage.css";

startPage();

// The only script of the page: asks once for a snapshot and shows each one that comes.
function startPage(): void {
  registerToolkit();
  const host = connectToHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  let state: PageState = host.kept() ?? freshState("");
  let shown = "";

  function keep(change: Partial<PageState>): void {
    state = { ...state, ...change };
    host.keep(state);
  }

  function show({ page, words }: SkillPageSnapshot): void {
    const content = JSON.stringify([page, words]);
    if (content === shown) return;
    shown = content;
    const slug = page.kind === "ready" ? page.skill.slug : page.slug;
    keep(slug === state.slug ? {} : freshState(slug));
    const context = pageContext(words, (message) => {
      if (message.type === "selectVersion") keep({ version: message.version });
      host.send(message);
    });
    const focused = document.activeElement?.id ?? "";
    const openAgain = rememberOpenParts(root);
    const compareWhenShown = () => {
      if (page.kind !== "ready" || state.tab !== "versions") return;
      const pair = comparisonToAsk(page.skill, page.compared);
      if (pair !== undefined) host.send({ type: "compareVersions", ...pair });
    };
    const onTab = (tab: PageTab) => {
      keep({ tab });
      compareWhenShown();
    };
    root.replaceChildren(viewOf(page, state.tab, context, onTab));
    compareWhenShown();
    openAgain();
    if (focused !== "") document.getElementById(focused)?.focus();
    if (page.kind === "ready") requestAnimationFrame(() => window.scrollTo(0, state.scrollTop));
  }

  window.addEventListener("scrollend", () => {
    if (root.querySelector(".skill") !== null) keep({ scrollTop: Math.round(window.scrollY) });
  });
  host.onSnapshot(show);
  host.send({ type: "ready" });
}

function viewOf(
  page: SkillPage,
  tab: PageTab,
  context: PageContext,
  onTab: (tab: PageTab) => void,
): HTMLElement {
  switch (page.kind) {
    case "loading":
      return loadingView(page, context);
    case "gone":
      return goneView(page, context);
    case "failed":
      return failedView(page, context);
    case "ready":
      return readyView(page, tab, context, onTab);
  }
}

function freshState(slug: string): PageState {
  return { slug, version: "", tab: "overview", scrollTop: 0 };
}
