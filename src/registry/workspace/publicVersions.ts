import type { SkillSummary } from "../../core/skill/skill";
import { readListPage } from "../decode/readSkillRows";
import type { PublicReader } from "../routes/publicReader";
import { readOwnDetail } from "../routes/readSkill";
import { searchRoute } from "../routes/searchRequests";

/** Limit for reading public data, which must not delay the project for long. */
const publicSeconds = 3;
/** Upper limit of skills that are read one by one, because the list does not have them. */
const maxAlone = 20;

/**
 * Reads the versions that a registry offers publicly now and that can be installed, by slug: those of verified
 * skills. The list is one request and has a hundred skills at most; others are read one by one. What cannot be
 * read in three seconds is left out. Never rejects.
 */
export async function readPublicVersions(
  reader: PublicReader,
  slugs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(slugs);
  const answer = await reader.read(searchRoute({ text: "", filters: {} }), signal, publicSeconds);
  const page = answer.ok ? readListPage(answer.value) : answer;
  if (!page.ok) return new Map();
  const listed = page.value.skills.filter(({ slug }) => wanted.delete(slug));
  const left = [...wanted].slice(0, maxAlone);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(publicSeconds * 1000)]);
  const alone = await Promise.all(left.map((slug) => readOwnDetail(reader, slug, undefined, stop)));
  const summaries = [...listed, ...alone.flatMap((own) => (own.ok ? [own.value.summary] : []))];
  return new Map(summaries.filter(isInstallable).map(({ slug, version }) => [slug, version]));
}

/** A registry without verification offers what it lists. */
function isInstallable({ version, verificationStatus = "verified" }: SkillSummary): boolean {
  return version !== "" && verificationStatus === "verified";
}
