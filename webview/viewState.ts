import { type ComparisonState, readComparisonState } from "../src/protocol/comparisonState";
import { type PageState, type PageTab, readPageState } from "../src/protocol/pageState";
import type { SkillPage } from "../src/protocol/skillPage";
import type { PageHost } from "./pageHost";

/** Where the reader is in the page, kept over hiding and a reload of the window. */
export class ViewState {
  private state: PageState | ComparisonState | undefined;

  constructor(private readonly host: PageHost) {
    const kept = host.kept();
    this.state = readComparisonState(kept) ?? readPageState(kept);
  }

  /** Starts afresh where the page shows another skill, or other skills, than the place was kept for. */
  follow(page: SkillPage): void {
    if (page.kind === "comparison") {
      const { slugs } = page;
      const known = this.comparison;
      this.keep({ onlyDifferences: false, scrollTop: 0, ...known, slugs });
      return;
    }
    const slug = page.kind === "ready" ? page.skill.slug : page.slug;
    const known = this.skill;
    const fresh: PageState = { slug, version: "", tab: "overview", scrollTop: 0 };
    const chosen = page.kind === "ready" ? { version: page.chosenVersion } : {};
    this.keep({ ...(known?.slug === slug ? known : fresh), ...chosen });
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
