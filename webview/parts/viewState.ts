import {
  type ComparisonState,
  type PageState,
  type PageTab,
  readComparisonState,
  readPageState,
  type SkillPage,
} from "../../src/protocol/pageMessages";
import type { PageHost } from "../pageHost";

/** The reader's position in the page. It survives while the page is hidden and when the window reloads. */
export class ViewState {
  private state: PageState | ComparisonState | undefined;
  /** The previously shown version, if any. */
  private shownVersion: string | undefined;

  constructor(private readonly host: PageHost) {
    const stored = host.kept();
    this.state = readComparisonState(stored) ?? readPageState(stored);
  }

  /**
   * Resets the position if the page shows other skills than it was stored for. For another version, keeps the tab and
   * scrolls to the top, where a note marks the old version.
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

  /** Keeps the URI of the document that the form edits, which the form finds again after the window reloads. */
  keepDocument(document: string | undefined): void {
    if (this.skill === undefined) return;
    const { document: _, ...place } = this.skill;
    this.keep(document === undefined ? place : { ...place, document });
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
