import type { UsageGroup } from "../../src/core/invocation/usage/usage";
import { skillsByRank } from "../../src/core/invocation/usage/usageCharts";

/** The number of colors that readers with color blindness can distinguish too. */
const plainCount = 4;
/** The number of colors: each plain and dotted. All further skills share one more color. */
const colorCount = 2 * plainCount;

/** Assigns each skill a color. It is the same in every chart and under every filter, as long as the page lives. */
export class SkillColors {
  private readonly places = new Map<string, number>();

  /** Assigns colors to new skills. Those with the most invocations or the highest cost come first. */
  learn(groups: readonly UsageGroup[]): void {
    if (this.places.size === colorCount) return;
    for (const skill of skillsByRank(groups)) {
      if (this.places.size === colorCount) return;
      if (!this.places.has(skill)) this.places.set(skill, this.places.size);
    }
  }

  /** Returns whether a skill has a color of its own. */
  has(skill: string): boolean {
    return this.places.has(skill);
  }

  /** Returns the CSS classes of a skill. */
  classOf(skill: string): string {
    const place = this.places.get(skill);
    if (place === undefined) return "rest";
    return place < plainCount ? `s${place}` : `s${place - plainCount} dotted`;
  }
}
