import { isPayloadFile, slugsOfPayloadFile } from "../payload/payloadFileName";
import { isSuiteFile, readSuite } from "../suite/suite";
import type { Language } from "../text/language";
import type { ReadSkill } from "./checkSkill";

/** Where a repository uses a skill, and in which versions; an empty one is the registry's current one. */
export interface SkillUse {
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
export async function skillUses(
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
