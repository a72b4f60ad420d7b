import type { Tone } from "../verification";

/** Two to four skills side by side, in words for a page. */
export interface SkillComparison {
  /** The columns. */
  readonly skills: readonly ComparedSkill[];
  readonly groups: readonly ComparisonGroup[];
}

/** One column. */
export interface ComparedSkill {
  readonly slug: string;
  readonly displayName: string;
  readonly version: string;
  /** Says why the skill could not be read; empty where it was. Its cells are empty then. */
  readonly problem: string;
}

/** Rows about one thing. */
export interface ComparisonGroup {
  readonly title: string;
  readonly rows: readonly ComparisonRow[];
}

/** One row: what it is about, and a cell for each skill. */
export interface ComparisonRow {
  readonly label: string;
  readonly cells: readonly ComparisonCell[];
  /** True where the skills that could be read are not all the same. */
  readonly differs: boolean;
}

/** What stands in a row for one skill. */
export interface ComparisonCell {
  readonly text: string;
  /** Such as a consequence; empty where there is nothing more to say. */
  readonly note: string;
  readonly tone?: Tone;
  /** How many of three bars stand for it, for rows that show a permission level. */
  readonly bars?: number;
}
