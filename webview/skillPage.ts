import "./styles/skillPage.css";
import { type Translate, translateWith } from "../src/core/text/language";
import {
  type ComparisonState,
  type PageState,
  type PageTab,
  readComparisonState,
  readPageState,
  type SkillPage,
  type SkillPageSnapshot,
} from "../src/protocol/pageMessages";
import { button, type PageContext } from "./buttons";
import { comparisonToAsk, comparisonView } from "./comparisonView";
import { element } from "./element";
import { toneIcon } from "./icons";
import { connectToHost, type PageHost } from "./pageHost";
import { filledEvent, readyView } from "./readyView";
import { registerToolkit } from "./toolkit";

const tabName = "vscode-panel-tab";
/** A page that has not moved for this long has been scrolled. */
const scrollRestMs = 100;

/** The reader's position in the page, kept while it is hidden and over a reload of the window. */
class ViewState {
  private state: PageState | ComparisonState | undefined;
  /** The version that was shown before, if any. */
  private shownVersion: string | undefined;

  constructor(private readonly host: PageHost) {
    const kept = host.kept();
    this.state = readComparisonState(kept) ?? readPageState(kept);
  }

  /**
   * Resets the position where the page shows another skill, or other skills, than it was stored for. Another
   * version starts at its top, where a note says that it is an old one, in the same tab.
   */
  follow(page: SkillPage): void {
    if (page.kind === "comparison") {
      const { slugs } = page;
      const known = this.comparison;
      this.keep({ onlyDifferences: false, scrollTop: 0, ...known, slugs });
      return;
    }
    if (page.kind === "usage") return;
    const slug = page.kind === "ready" ? page.skill.slug : page.slug;
    const known = this.skill;
    const fresh: PageState = { slug, version: "", tab: "overview", scrollTop: 0 };
    const place = known?.slug === slug ? known : fresh;
    if (page.kind !== "ready") {
      this.keep(place);
      return;
    }
    const { chosenVersion: version, skill } = page;
    const isOther = this.shownVersion !== undefined && this.shownVersion !== skill.version;
    this.shownVersion = skill.version;
    this.keep({ ...place, version, ...(isOther ? { scrollTop: 0 } : {}) });
  }

  get tab(): PageTab {
    return this.skill?.tab ?? "overview";
  }

  get onlyDifferences(): boolean {
    return this.comparison?.onlyDifferences ?? false;
  }

  get scrollTop(): number {
    return this.state?.scrollTop ?? 0;
  }

  keepTab(tab: PageTab): void {
    if (this.skill !== undefined) this.keep({ ...this.skill, tab });
  }

  keepOnlyDifferences(onlyDifferences: boolean): void {
    if (this.comparison !== undefined) this.keep({ ...this.comparison, onlyDifferences });
  }

  keepScroll(scrollTop: number): void {
    if (this.state !== undefined) this.keep({ ...this.state, scrollTop });
  }

  private get skill(): PageState | undefined {
    return this.state !== undefined && "slug" in this.state ? this.state : undefined;
  }

  private get comparison(): ComparisonState | undefined {
    return this.state !== undefined && "slugs" in this.state ? this.state : undefined;
  }

  private keep(state: PageState | ComparisonState): void {
    this.state = state;
    this.host.keep(state);
  }
}

showSnapshots();

// Shows each snapshot.
function showSnapshots(): void {
  registerToolkit();
  const host = connectToHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  const place = new ViewState(host);
  let shown = "";
  let heard: readonly string[] = [];
  const openParts: OpenParts = new Map();
  /** Gets the focus once the page has it again. */
  let awaited: HTMLElement | undefined;
  /** Set while the reader moves the page. */
  let scrolling: number | undefined;
  /** Where it was moved to by itself, as far as its content reached, or `pending` until that is done. */
  let movedTo: number | "pending" | undefined;
  // Screen readers do not read a page that is drawn anew: here they are notified of what became of an example.
  const announced = element("p", { role: "status", class: "announced" });
  root.after(announced);

  function show({ page, words }: SkillPageSnapshot): void {
    const content = JSON.stringify([page, words]);
    if (content === shown) return;
    shown = content;
    announce(page, translateWith(words));
    // Where the reader is by now belongs to what was shown until now.
    if (scrolling !== undefined) keepPlace();
    place.follow(page);
    const context = { t: translateWith(words), send: host.send };
    const focusAgain = rememberFocus(root, awaited);
    rememberOpenParts(root, openParts);
    root.replaceChildren(viewOf(page, place, host, context));
    openAgain(root, openParts);
    awaited = focusAgain();
    movedTo = "pending";
    requestAnimationFrame(() => {
      window.scrollTo(0, isScrollable(root) ? place.scrollTop : 0);
      movedTo = window.scrollY;
    });
  }

  function keepPlace(): void {
    clearTimeout(scrolling);
    scrolling = undefined;
    if (isScrollable(root)) place.keepScroll(Math.round(window.scrollY));
  }

  function announce(page: SkillPage, t: Translate): void {
    const trials = page.kind === "ready" ? Object.entries(page.trials) : [];
    const texts = trials.map(([example, { word, facts, message }]) => {
      const given = page.kind === "ready" ? page.skill.examples[Number(example)]?.name : "";
      const name = given || t("Example {number}", { number: Number(example) + 1 });
      return [`${name}: ${word}`, message, ...facts].filter((text) => text !== "").join(". ");
    });
    const [news = ""] = texts.filter((text) => !heard.includes(text));
    heard = texts;
    if (news !== "") announced.textContent = news;
  }

  root.addEventListener(filledEvent, ({ target }) => {
    if (target instanceof HTMLElement) openAgain(target, openParts);
  });
  window.addEventListener("focus", () => {
    awaited?.focus();
    awaited = undefined;
  });
  // Not `scrollend`, which Safari has only since its version 26.
  window.addEventListener("scroll", () => {
    if (movedTo === "pending" || window.scrollY === movedTo) return;
    movedTo = undefined;
    clearTimeout(scrolling);
    scrolling = window.setTimeout(keepPlace, scrollRestMs);
  });
  host.onSnapshot((snapshot) => host.afterPress(() => show(snapshot)));
}

// A loading view cannot scroll, and must not reset the position.
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
    // A script of its own shows it.
    case "usage":
      return element("div", {});
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
        const isMissing = page.skill[tab] !== undefined && page.schemas[tab] === undefined;
        if (isMissing) host.send({ type: "viewSchema", side: tab });
      };
      askFor(place.tab);
      return readyView(page, place.tab, context, (tab) => {
        if (tab !== place.tab) showStart();
        place.keepTab(tab);
        askFor(tab);
      });
    }
  }
}

/** Shows a tab from its start where the page is scrolled past that. The tabs themselves stay in sight. */
function showStart(): void {
  const tabs = document.querySelector("vscode-panels");
  const head = document.querySelector(tabName)?.parentElement;
  if (tabs === null || head === null || head === undefined) return;
  const pinned = Number.parseFloat(getComputedStyle(tabs).getPropertyValue("--name-line")) || 0;
  const start = Math.round(tabs.getBoundingClientRect().top + window.scrollY - pinned);
  if (window.scrollY > start) window.scrollTo(0, Math.max(0, start));
}

type Kind<Name> = Extract<SkillPage, { kind: Name }>;

/** Shows that a skill is being loaded. */
function loadingView({ slug }: Kind<"loading">, { t }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, slug),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, t("Reading the skill from the registry…")),
  );
}

/** Shows that several skills are being loaded. */
function comparingView(slugs: readonly string[], { t }: PageContext): HTMLElement {
  return element(
    "div",
    { class: "empty" },
    element("h1", {}, t("Compare {count} skills", { count: slugs.length })),
    element("div", { class: "ring" }),
    element("p", { role: "status" }, t("Reading the skills from the registry…")),
  );
}

/** Shows that the registry has no such skill. */
function goneView(page: Kind<"gone">, { t, send }: PageContext): HTMLElement {
  const { slug, registryName } = page;
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon("neutral"),
    element("h1", {}, t("{slug} is not in this registry", { slug })),
    element(
      "p",
      {},
      t("{registryName} returned no such skill. It may be private, renamed or withdrawn.", {
        registryName,
      }),
    ),
    button(t("Try again"), () => send({ type: "retry" })),
  );
}

/** Shows that a skill could not be read, why, and what to do. */
function failedView(page: Kind<"failed">, { t, send }: PageContext): HTMLElement {
  const again = button(t("Try again"), () => send({ type: "retry" }), { appearance: "primary" });
  return element(
    "div",
    { class: "empty", role: "alert" },
    toneIcon("caution"),
    element("h1", {}, t("{slug} could not be read", { slug: page.slug })),
    element("p", {}, page.message),
    element(
      "div",
      { class: "actions" },
      again,
      ...page.actions.map(({ action, title }) =>
        button(title, () => send({ type: "runAction", action })),
      ),
    ),
  );
}

/**
 * Remembers the focused element of the page, or the one that is `awaited`. Returns a function that restores the focus
 * after a change: to the element with the same name, and where that no longer exists, to its tab, so that a keyboard
 * user keeps the position. While the user is elsewhere, in a picker for instance, a page that changes must not take the
 * focus: the function returns what awaits it then.
 */
function rememberFocus(
  root: HTMLElement,
  awaited: HTMLElement | undefined,
): () => HTMLElement | undefined {
  const focused = awaited ?? document.activeElement;
  if (focused === null || !root.contains(focused)) return () => undefined;
  const { tagName } = focused;
  const name = nameOf(focused);
  const wasInView = focused.closest("vscode-panel-view") !== null;
  return () => {
    const same = [...root.querySelectorAll<HTMLElement>(tagName)].find(
      (each) => nameOf(each) === name && each.closest("[hidden]") === null,
    );
    const tab = wasInView
      ? root.querySelector<HTMLElement>(`${tabName}[aria-selected=true]`)
      : null;
    const target = same ?? tab;
    // The toolkit makes a tab focusable too, but later.
    if (target?.matches(tabName)) target.tabIndex = 0;
    if (!document.hasFocus()) return target ?? undefined;
    target?.focus();
    return undefined;
  };
}

function nameOf(element: Element): string {
  return element.id || (element.getAttribute("aria-label") ?? element.textContent ?? "");
}

/** Whether the parts of a page that can be opened are open, by their paths. */
type OpenParts = Map<string | undefined, boolean>;

/** Remembers which parts of the page are open; of a tab that has not been filled since, what was known. */
function rememberOpenParts(root: HTMLElement, known: OpenParts): void {
  if (!isScrollable(root)) known.clear();
  for (const part of partsOf(root)) known.set(part.dataset["path"], part.open);
}

/** Opens in what was drawn anew what is known to be open. */
function openAgain(drawn: HTMLElement, known: OpenParts): void {
  for (const part of partsOf(drawn)) part.open = known.get(part.dataset["path"]) ?? part.open;
}

function partsOf(root: HTMLElement): HTMLDetailsElement[] {
  return [...root.querySelectorAll<HTMLDetailsElement>("details[data-path]")];
}
