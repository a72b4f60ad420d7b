import type { PageState } from "../src/protocol/pageState";
import type { SkillPage, SkillPageSnapshot } from "../src/protocol/skillPage";
import { element } from "./element";
import { failedView, goneView, loadingView } from "./emptyViews";
import { pageContext } from "./pageContext";
import { connectToHost } from "./pageHost";
import { readyView } from "./readyView";
import { registerToolkit } from "./toolkit";
import "./skillPage.css";

startPage();

// The only script of the page: asks once for a snapshot and shows each one that comes.
function startPage(): void {
  registerToolkit();
  const host = connectToHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  let state: PageState = host.kept() ?? { slug: "", version: "", tab: "overview", scrollTop: 0 };
  let shown = "";

  const keep = (change: Partial<PageState>) => {
    state = { ...state, ...change };
    if (state.slug !== "") host.keep(state);
  };

  const show = ({ page, words }: SkillPageSnapshot) => {
    const content = JSON.stringify([page, words]);
    if (content === shown) return;
    shown = content;
    const slug = page.kind === "ready" ? page.skill.slug : page.slug;
    if (slug !== state.slug) state = { slug, version: "", tab: "overview", scrollTop: 0 };
    const context = pageContext(words, (message) => {
      if (message.type === "selectVersion") keep({ version: message.version });
      host.send(message);
    });
    const focused = document.activeElement?.id ?? "";
    root.replaceChildren(
      page.kind === "ready"
        ? readyView(page.skill, state.tab, context, (tab) => keep({ tab, scrollTop: 0 }))
        : emptyView(page),
    );
    if (page.kind !== "ready") return;
    keep({});
    if (focused !== "") document.getElementById(focused)?.focus();
    requestAnimationFrame(() => window.scrollTo(0, state.scrollTop));

    function emptyView(empty: Exclude<SkillPage, { kind: "ready" }>): HTMLElement {
      if (empty.kind === "loading") return loadingView(empty, context);
      return empty.kind === "gone" ? goneView(empty, context) : failedView(empty, context);
    }
  };

  window.addEventListener("scrollend", () => {
    if (root.querySelector("h1") !== null) keep({ scrollTop: Math.round(window.scrollY) });
  });
  host.onSnapshot(show);
  host.send({ type: "ready" });
}
