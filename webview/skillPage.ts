import type { PageTab } from "../src/protocol/pageState";
import { firstSnapshotId, type SkillPage, type SkillPageSnapshot } from "../src/protocol/skillPage";
import { comparisonView } from "./comparisonView";
import { element } from "./element";
import { comparingView, failedView, goneView, loadingView } from "./emptyViews";
import { KeptPlace } from "./keptPlace";
import { lateToolkit } from "./lateToolkit";
import { rememberOpenParts } from "./openParts";
import { type PageContext, pageContext } from "./pageContext";
import { connectToHost, type PageHost } from "./pageHost";
import { readyView } from "./readyView";
import { rememberFocus } from "./rememberFocus";
import { filledEvent } from "./tabs";
import { comparisonToAsk } from "./versionComparison";
import "./skillPage.css";

startPage();

// The first script of the page: asks once for a snapshot and shows each one that comes.
function startPage(): void {
  const host = connectToHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  const place = new KeptPlace(host);
  const askForToolkit = lateToolkit(host);
  let shown = "";
  let openAgain = () => {};

  function show({ page, words }: SkillPageSnapshot): void {
    const content = JSON.stringify([page, words]);
    if (content === shown) return;
    shown = content;
    place.follow(page);
    const context = pageContext(words, (message) => host.send(message));
    const focusAgain = rememberFocus(root);
    openAgain = rememberOpenParts(root);
    root.replaceChildren(viewOf(page, place, host, context));
    openAgain();
    focusAgain();
    const goBack = () => window.scrollTo(0, hasPlace(root) ? place.scrollTop : 0);
    requestAnimationFrame(() => {
      goBack();
      // Whatever runs after this frame runs after the words are on the screen.
      if (root.querySelector(":not(:defined)") !== null) setTimeout(askForToolkit);
    });
  }

  root.addEventListener(filledEvent, () => openAgain());
  window.addEventListener("scrollend", () => {
    if (hasPlace(root)) place.keepScroll(Math.round(window.scrollY));
  });
  host.onSnapshot(show);
  // A page that comes back holds what was true when it was made; it asks for what is now.
  const first = host.kept() === undefined ? firstSnapshot() : undefined;
  if (first !== undefined) show(first);
  host.send({ type: "ready" });
}

function firstSnapshot(): SkillPageSnapshot | undefined {
  const json = document.getElementById(firstSnapshotId)?.textContent ?? "";
  return json === "" ? undefined : (JSON.parse(json) as SkillPageSnapshot);
}

// While something is being read there is nothing to scroll, and the place is not lost.
function hasPlace(root: Element): boolean {
  return root.querySelector(".skill, .compared") !== null;
}

function viewOf(
  page: SkillPage,
  place: KeptPlace,
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
      const compareWhenShown = (tab: PageTab) => {
        const pair = tab === "versions" ? comparisonToAsk(page.skill, page.compared) : undefined;
        if (pair !== undefined) host.send({ type: "compareVersions", ...pair });
      };
      compareWhenShown(place.tab);
      return readyView(page, place.tab, context, (tab) => {
        place.keepTab(tab);
        compareWhenShown(tab);
      });
    }
  }
}
