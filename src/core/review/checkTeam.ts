import type { ReportItem } from "../findings/report";
import type { Language } from "../text/language";
import { checkSkill, type ReadSkill, readOnce, type SkillCheck, standingItem } from "./checkSkill";
import { driftRank } from "./drift";
import { isUsingFile, skillUses } from "./skillUses";

/** What the check of a whole repository needs of its front end. */
export interface TeamCheck extends Omit<SkillCheck, "read"> {
  /** The text that the reviews were read from. */
  readonly reviewsText: string;
  /** The payload files and suites, relative and with `/` between their parts. */
  readonly usingFiles: readonly string[];
  /** Reads one of them. */
  readonly readText: (file: string) => Promise<string>;
  /** Asks the registry. */
  readonly read: ReadSkill;
  readonly language: Language;
}

/** So many skills are asked about at the same time. */
const maxAtOnce = 4;

/** Compares every skill that is reviewed or used in a repository with its reviews: the worst drift first, then by name. */
export async function checkTeam({
  reviewsText,
  usingFiles,
  readText,
  read: ask,
  language,
  ...check
}: TeamCheck): Promise<readonly ReportItem[]> {
  const { files } = check;
  const read = readOnce(ask);
  // In one order, so that every front end names the same file as the first use.
  const using = usingFiles.filter(isUsingFile).toSorted();
  const uses = await skillUses(using, readText, read, language);
  const slugs = new Set([...uses.keys(), ...files.reviews.map(({ skill }) => skill)]);
  const sorted = [...slugs].toSorted();
  const items: ReportItem[] = [];
  for (let next = 0; next < sorted.length; next += maxAtOnce) {
    const some = sorted.slice(next, next + maxAtOnce).map(async (slug) => {
      const { versions = [], file } = uses.get(slug) ?? {};
      const standing = await checkSkill(slug, [...versions], { ...check, read });
      return standingItem(standing, files, file, reviewsText, language);
    });
    items.push(...(await Promise.all(some)));
  }
  const rank = ({ findings: [worst] }: ReportItem) => driftRank(worst?.rule);
  return items.toSorted((one, other) => rank(one) - rank(other));
}
