import { skillsByRank } from "../../src/core/invocation/usage/usageCharts";
import type { ChartedRecord } from "../../src/core/invocation/usage/usageSlices";

/** As many colors as can be told apart, also by readers who see few. */
const plainCount = 4;
/** Each of them plain and dotted; the skills beyond them share one. */
const colorCount = 2 * plainCount;

/** Gives each skill a color, the same one in every chart, whatever is filtered and as long as the page lives. */
export class SkillColors {
  private readonly places = new Map<string, number>();

  /** Gives colors to skills that have none; those with the most invocations or costs come first. */
  learn(records: readonly ChartedRecord[]): void {
    if (this.places.size === colorCount) return;
    for (const skill of skillsByRank(records)) {
      if (this.places.size === colorCount) return;
      if (!this.places.has(skill)) this.places.set(skill, this.places.size);
    }
  }

  /** Returns whether a skill has a color of its own. */
  has(skill: string): boolean {
    return this.places.has(skill);
  }

  /** Names the classes that a skill is drawn with. */
  classOf(skill: string): string {
    const place = this.places.get(skill);
    if (place === undefined) return "rest";
    return place < plainCount ? `s${place}` : `s${place - plainCount} dotted`;
  }
}
