import { translateWith } from "../src/core/text/language";
import type { PageTab } from "../src/protocol/pageState";
import type { SkillPage, SkillPageSnapshot } from "../src/protocol/skillPage";
import { comparisonView } from "./comparisonView";
import { element, type PageContext } from "./element";
import { comparingView, failedView, goneView, loadingView } from "./emptyViews";
import { connectedHost, type PageHost } from "./pageHost";
import { readyView } from "./readyView";
import { rememberFocus, rememberOpenParts } from "./remember";
import { lacksExample } from "./schemaTab";
import { filledEvent } from "./tabs";
import { comparisonToAsk } from "./versionComparison";
import { ViewState } from "./viewState";
import "./skillPage.css";

showSnapshots();

// Shows each snapshot that comes.
function showSnapshots(): void {
  const host = connectedHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  const place = new ViewState(host);
  let shown = "";
  let hasToolkit = false;
  let openAgain = () => {};

  function show({ page, words }: SkillPageSnapshot): void {
    const content = JSON.stringify([page, words]);
    if (content === shown) return;
    shown = content;
    place.follow(page);
    const context = { t: translateWith(words), send: host.send };
    const focusAgain = rememberFocus(root);
    openAgain = rememberOpenParts(root);
    root.replaceChildren(viewOf(page, place, host, context));
    openAgain();
    focusAgain();
    if (page.kind === "ready") pressAgain();
    const goBack = () => window.scrollTo(0, isScrollable(root) ? place.scrollTop : 0);
    requestAnimationFrame(() => {
      goBack();
      // Whatever runs after this frame runs after the words are on the screen.
      if (root.querySelector(":not(:defined)") !== null) setTimeout(askForToolkit);
    });
  }

  /** Presses what was pressed while nothing in the page was live, once. */
  function pressAgain(): void {
    const { pressed } = root.dataset;
    delete root.dataset["pressed"];
    if (pressed !== undefined) document.getElementById(pressed)?.click();
  }

  function askForToolkit(): void {
    if (!hasToolkit) host.send({ type: "needScript", script: "toolkit" });
    hasToolkit = true;
  }

  root.addEventListener(filledEvent, () => openAgain());
  window.addEventListener("scrollend", () => {
    if (isScrollable(root)) place.keepScroll(Math.round(window.scrollY));
  });
  host.onSnapshot(show);
}

// While something is being read there is nothing to scroll, and the place is not lost.
function isScrollable(root: Element): boolean {
  return root.querySelector(".skill, .compared") !== null;
}

function viewOf(
  page: SkillPage,
  place: ViewState,
  host: PageHost,
  context: PageContext,
): HTMLElement {
  switch (page.kind) {
    case "loading":
      return loadingView(page, context);
    case "gone":
      return goneView(page, context);
    case "failed":
      return failedView(page, context);
    case "comparison": {
      if (page.comparison === undefined) return comparingView(page.slugs, context);
      const { onlyDifferences } = place;
      const onChange = (only: boolean) => place.keepOnlyDifferences(only);
      return comparisonView(page.comparison, { onlyDifferences, onChange }, context);
    }
    case "ready": {
      const askFor = (tab: PageTab) => {
        const pair = tab === "versions" ? comparisonToAsk(page.skill, page.compared) : undefined;
        if (pair !== undefined) host.send({ type: "compareVersions", ...pair });
        if (tab !== "input" && tab !== "output") return;
        const isMade = page.samples[tab] !== undefined;
        if (!isMade && lacksExample(page.skill, tab)) host.send({ type: "sample", side: tab });
      };
      askFor(place.tab);
      return readyView(page, place.tab, context, (tab) => {
        place.keepTab(tab);
        askFor(tab);
      });
    }
  }
}
