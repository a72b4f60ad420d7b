import type { SkillSummary } from "../../core/skill/skill";
import { readListPage } from "../decode/readSkillRows";
import type { PublicReader } from "../routes/publicReader";
import { readOwnDetail } from "../routes/readSkill";
import { searchRoute } from "../routes/searchRequests";

/** Short, because the project waits for this public data. */
const publicSeconds = 3;
/** The maximum number of skills that are read one by one because the list lacks them. */
const maxSingle = 20;

/**
 * Reads the public versions that can be installed now, by slug: those of verified skills. One request lists at most a
 * hundred skills; others are read one by one. Omits data that takes longer than three seconds. Never rejects.
 */
export async function readPublicVersions(
  reader: PublicReader,
  slugs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const remaining = new Set(slugs);
  const answer = await reader.read(searchRoute({ text: "", filters: {} }), signal, publicSeconds);
  const page = answer.ok ? readListPage(answer.value) : answer;
  if (!page.ok) return new Map();
  const listed = page.value.skills.filter(({ slug }) => remaining.delete(slug));
  const unlisted = [...remaining].slice(0, maxSingle);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(publicSeconds * 1000)]);
  const single = await Promise.all(
    unlisted.map((slug) => readOwnDetail(reader, slug, undefined, stop)),
  );
  const summaries = [...listed, ...single.flatMap((own) => (own.ok ? [own.value.summary] : []))];
  return new Map(summaries.filter(isInstallable).map(({ slug, version }) => [slug, version]));
}

/** Returns whether a version can be installed. In a registry with verification, the version must be verified. */
function isInstallable({ version, verificationStatus = "verified" }: SkillSummary): boolean {
  return version !== "" && verificationStatus === "verified";
}
