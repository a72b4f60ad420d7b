import type { ReportItem } from "../findings/report";
import { isPayloadFile, slugsOfPayloadFile } from "../payload/payloadFileName";
import { isSuiteFile, readSuite } from "../suite/suite";
import type { Language } from "../text/language";
import { checkSkill, type ReadSkill, readOnce, type SkillCheck, standingItem } from "./checkSkill";
import { driftRank } from "./drift";

/** What the check of a whole repository needs of its front end. */
interface TeamCheck extends Omit<SkillCheck, "read"> {
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

/** Where a repository uses a skill, and in which versions; an empty one is the registry's current one. */
interface SkillUse {
  /** The first file that uses it. */
  readonly file: string;
  readonly versions: Set<string>;
}

/** Tells whether a file uses a skill by its name, a payload or a suite, and is the repository's own. */
export function isUsingFile(path: string): boolean {
  const isOwn = path.split("/").every((name) => !name.startsWith(".") && name !== "node_modules");
  return isOwn && (isPayloadFile(path) || isSuiteFile(path));
}

/**
 * Finds the skills that payload files and suites are for, by slug. The end of a payload's name is a label
 * where the registry has no skill of the longer name. What is broken in a file is not asked here.
 */
async function skillUses(
  files: readonly string[],
  readText: (file: string) => Promise<string>,
  read: ReadSkill,
  language: Language,
): Promise<ReadonlyMap<string, SkillUse>> {
  const uses = new Map<string, SkillUse>();
  for (const file of files) {
    const address = isPayloadFile(file)
      ? { slug: await knownSlug(slugsOfPayloadFile(file), read), version: "" }
      : await suiteAddress(file, readText, language);
    if (address?.slug === undefined) continue;
    const use = uses.get(address.slug) ?? { file, versions: new Set() };
    use.versions.add(address.version);
    uses.set(address.slug, use);
  }
  return uses;
}

/** The first that the registry does not deny; the first of all where it denies all of them. */
async function knownSlug(slugs: readonly string[], read: ReadSkill): Promise<string | undefined> {
  if (slugs.length === 1) return slugs[0];
  for (const slug of slugs) {
    const found = await read({ slug, version: "" });
    if (found.ok || found.failure.kind !== "notFound") return slug;
  }
  return slugs[0];
}

async function suiteAddress(
  file: string,
  readText: (file: string) => Promise<string>,
  language: Language,
) {
  const suite = readSuite(await readText(file).catch(() => ""), language);
  return suite.ok ? suite.value.address : undefined;
}
