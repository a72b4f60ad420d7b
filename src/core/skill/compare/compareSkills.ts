import type { OutlineNode } from "../../schema/schemaOutline";
import { firstOfList, type Language } from "../../text/language";
import type { SchemaSide, SkillDescription } from "../description/skillDescription";
import { barsOf } from "../permissions";
import { sampleText } from "../price";
import type { Sign, Tone } from "../verification";

/** A skill to compare, or why it could not be read, as text. */
export type SkillToCompare =
  | {
      readonly ok: true;
      readonly skill: SkillDescription;
      /** The outlines of its schemas. An outline that could not be made is missing. */
      readonly outlines: Readonly<Partial<Record<SchemaSide, OutlineNode>>>;
    }
  | { readonly ok: false; readonly slug: string; readonly problem: string };

/** Compares skills side by side, row by row, and marks the rows and cells that differ. */
export function compareSkills(
  skills: readonly SkillToCompare[],
  language: Language,
): SkillComparison {
  const { t } = language;
  const row = (label: string, cellOf: (skill: SkillDescription) => ComparisonCell) =>
    comparisonRow(label, skills, ({ skill }) => cellOf(skill));
  const fieldsRow = (label: string, side: SchemaSide, required?: boolean) =>
    comparisonRow(label, skills, (each) => fields(each, side, required, language));
  const notGiven = text(t("Not provided"));
  const isSample = skills.some((each) => each.ok && each.skill.registry.builtIn);
  const given = (value: string | undefined) => (value ? text(value) : notGiven);
  const groups: ComparisonGroup[] = [
    {
      title: t("Trust"),
      rows: [
        row(t("Verification"), ({ verification }) => ({
          ...text(verification.word, verification.advice),
          tone: verification.tone,
          sign: verification.sign,
        })),
        row(t("Review"), ({ verification }) => given(verification.review)),
        row(t("Permission level"), ({ permissionLevel }) => ({
          ...text(permissionLevel.word),
          tone: permissionLevel.tone,
          bars: permissionLevel.bars,
        })),
        row(t("Publisher"), ({ publisher, absent }) => text(publisher?.name ?? absent.publisher)),
        row(t("Publisher verified"), ({ publisher }) =>
          publisher?.verified === undefined
            ? notGiven
            : text(publisher.verified ? t("Yes") : t("No")),
        ),
      ],
    },
    { title: t("Permissions"), rows: permissionRows(skills, language) },
    {
      title: t("Price"),
      rows: [row(t("Price"), ({ prices, absent }) => text(prices.join(", ") || absent.prices))],
    },
    {
      title: sampleText(t("Numbers"), isSample, language),
      rows: labelledRows(skills, ({ numbers }) => numbers, notGiven),
    },
    { title: t("Details"), rows: labelledRows(skills, ({ facts }) => facts, notGiven) },
    {
      title: t("Input and output"),
      rows: [
        fieldsRow(t("Required"), "input", true),
        fieldsRow(t("Optional"), "input", false),
        fieldsRow(t("Output"), "output"),
      ],
    },
  ];
  return {
    skills: skills.map((each) =>
      each.ok
        ? {
            slug: each.skill.slug,
            displayName: each.skill.displayName,
            version: each.skill.version,
            problem: "",
          }
        : { slug: each.slug, displayName: each.slug, version: "", problem: each.problem },
    ),
    groups: groups.filter(({ rows }) => rows.length > 0),
  };
}

type ReadSkill = Extract<SkillToCompare, { ok: true }>;

function comparisonRow(
  label: string,
  skills: readonly SkillToCompare[],
  cellOf: (skill: ReadSkill) => ComparisonCell,
): ComparisonRow {
  const cells = skills.map((each) => (each.ok ? cellOf(each) : text("")));
  const texts = cells.filter((_, index) => skills[index]?.ok).map((cell) => cell.text);
  const differs = new Set(texts).size > 1;
  const usual = texts.find(
    (one) => texts.filter((other) => other === one).length * 2 > texts.length,
  );
  const marked = cells.map((cell, index) =>
    differs && skills[index]?.ok && cell.text !== usual ? { ...cell, differs } : cell,
  );
  return { label, cells: marked, differs };
}

function permissionRows(skills: readonly SkillToCompare[], { t }: Language): ComparisonRow[] {
  const kinds = [
    ["filesystem", t("Files")],
    ["secrets", t("Secrets")],
    ["network", t("Network")],
    ["browser", t("Browser")],
    ["others", t("Unknown permissions")],
  ] as const;
  const hasOthers = skills.some(
    (each) => each.ok && each.skill.permissions?.some(({ permission }) => permission === "others"),
  );
  return kinds.slice(0, hasOthers ? undefined : -1).map(([kind, label]) =>
    comparisonRow(label, skills, ({ skill: { permissions } }) => {
      const found = permissions?.find(({ permission }) => permission === kind);
      if (permissions !== undefined && found === undefined) return text(t("None listed"));
      if (found === undefined) return text(t("Not provided"));
      const words = text(found.sentence, found.consequence);
      if (!found.granted) return { ...words, isWithheld: true };
      // A ✗ beside “Writes files” would read as “does not write files”.
      const tone = found.risk === "high" ? "bad" : "caution";
      return { ...words, tone, bars: barsOf(found.risk) };
    }),
  );
}

/** Creates a row for each label that any skill has. A skill without that label gets `missing`. */
function labelledRows(
  skills: readonly SkillToCompare[],
  listOf: (skill: SkillDescription) => readonly { label: string; value: string }[],
  missing: ComparisonCell,
): ComparisonRow[] {
  const labels = skills.flatMap((each) => (each.ok ? listOf(each.skill) : []));
  return [...new Set(labels.map(({ label }) => label))].map((label) =>
    comparisonRow(label, skills, ({ skill }) => {
      const found = listOf(skill).find((each) => each.label === label);
      return found === undefined ? missing : text(found.value);
    }),
  );
}

/** The number of names that a cell of the table has room for. */
const maxFields = 30;

function fields(
  { skill, outlines }: ReadSkill,
  side: SchemaSide,
  required: boolean | undefined,
  language: Language,
): ComparisonCell {
  const { t } = language;
  if (skill[side] === undefined) return text(t("Not provided"));
  const outline = outlines[side];
  if (outline === undefined) return text(t("Not known"));
  const listed = outline.children.filter(
    (node) => node.literal && (required === undefined || node.required === required),
  );
  if (listed.length === 0) return text(t("None listed"));
  return text(firstOfList(listed, maxFields, fieldText, language));
}

function fieldText({ name, type }: OutlineNode): string {
  return type === "" ? name : `${name} (${type})`;
}

function text(words: string, note = ""): ComparisonCell {
  return { text: words, note };
}

/** Two to four skills side by side, as text for a page. */
export interface SkillComparison {
  readonly skills: readonly ComparedSkill[];
  readonly groups: readonly ComparisonGroup[];
}

/** One column. */
export interface ComparedSkill {
  readonly slug: string;
  readonly displayName: string;
  readonly version: string;
  /** Why the skill could not be read, so that its cells are empty; empty for a skill that was read. */
  readonly problem: string;
}

/** A group of related rows. */
export interface ComparisonGroup {
  readonly title: string;
  readonly rows: readonly ComparisonRow[];
}

/** One row: its label, and a cell for each skill. */
export interface ComparisonRow {
  readonly label: string;
  readonly cells: readonly ComparisonCell[];
  /** Whether the readable skills differ in this row. */
  readonly differs: boolean;
}

/** The content of a row for one skill. */
export interface ComparisonCell {
  readonly text: string;
  /** More detail, such as a consequence; empty for none. */
  readonly note: string;
  /** Whether the cell differs from most others of its row. Without a majority, all cells of a differing row do. */
  readonly differs?: boolean;
  /** Whether the skill lacks this permission. */
  readonly isWithheld?: boolean;
  readonly tone?: Tone;
  /** The icon. Default: that of the tone. */
  readonly sign?: Sign;
  /** How many of three bars to show, for rows with a permission level. */
  readonly bars?: number;
}

/** The initial state of a comparison: the skills to show, or the preselected skills of a choice. */
interface CompareArgument {
  readonly slugs: readonly string[];
  /** Whether to compare these skills right away, without asking for more. */
  readonly isEnough: boolean;
}

/** The fewest skills that can be compared. */
export const minCompared = 2;

/** The maximum number of compared skills. More would not fit side by side. */
export const maxCompared = 4;

/** The maximum number of selected rows that are read, including rows that are no skills. */
const maxRead = 100;

/**
 * Reads the argument of the compare command: a list of slugs, `{ start: slugs }` to choose more, or rows of the view.
 * For rows, `option` has the whole selection. Without an argument, reads the `selected` rows. `slugOf` reads one row.
 * Drops rows without a slug, such as that of a group.
 */
export function compareArgument(
  argument: unknown,
  option: unknown,
  selected: readonly unknown[],
  slugOf: (value: unknown) => string | undefined,
): CompareArgument {
  const start = isStart(argument) ? argument.start : undefined;
  const given = start ?? rowsOf(argument, option) ?? selected;
  const slugs = given
    .slice(0, maxRead)
    .map(slugOf)
    .filter((slug) => slug !== undefined);
  const different = [...new Set(slugs)];
  const fit = different.length >= minCompared && different.length <= maxCompared;
  return { slugs: different, isEnough: start === undefined && fit };
}

function rowsOf(argument: unknown, option: unknown): readonly unknown[] | undefined {
  if (Array.isArray(argument)) return argument;
  if (argument === undefined) return undefined;
  return Array.isArray(option) && option.length > 1 ? option : [argument];
}

function isStart(value: unknown): value is { readonly start: readonly unknown[] } {
  return (
    typeof value === "object" && value !== null && "start" in value && Array.isArray(value.start)
  );
}
