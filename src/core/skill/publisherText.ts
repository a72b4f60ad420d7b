import { httpsUrl } from "../registry/registryOrigin";
import type { Language } from "../text/language";
import type { Fact } from "./description/skillDescription";
import type { Publisher, SkillAuthor, SkillDetail, SkillSummary } from "./skill";

/**
 * Names a skill's publisher and author, one line each; empty if neither registry nor manifest names anybody. Omits an
 * author with the publisher's name.
 */
export function originText(
  { publisher, author }: Pick<SkillSummary, "publisher" | "author">,
  language: Language,
): readonly string[] {
  const { t } = language;
  const isPublisher = author?.name === publisher?.name;
  const authorLine = author === undefined ? "" : authorText(author, isPublisher, language);
  return [
    ...(publisher === undefined
      ? []
      : [
          t("Publisher: {name}", {
            name: withNotes(publisher.name, publisherNotes(publisher, language)),
          }),
        ]),
    ...(authorLine === "" ? [] : [t("Author: {name}", { name: authorLine })]),
  ];
}

/** The maximum number of listed skills. More would block the extension host for longer than a frame. */
const maxListed = 50_000;

/** Maps each skill to the first publisher that lists it. Ignores skills beyond the first 50,000. */
export function publishersBySkill(
  publishers: readonly Publisher[],
): ReadonlyMap<string, Publisher> {
  const bySkill = new Map<string, Publisher>();
  for (const publisher of publishers) {
    for (const slug of publisher.skillSlugs ?? []) {
      if (bySkill.size === maxListed) return bySkill;
      if (!bySkill.has(slug)) bySkill.set(slug, publisher);
    }
  }
  return bySkill;
}

/** The public gateway lists at most 50 publishers, and at most twelve skills of each (read in its source). */
const gatewayLimits = { publishers: 50, skills: 12 };

/**
 * Returns the publishers whose lists of skills are cut off, or `any` if the list of publishers is. `listed` is as
 * `publishersBySkill` returns it.
 */
export function cutOffPublishers(
  listed: ReadonlyMap<string, Publisher>,
): NonNullable<SkillDetail["cutOffPublishers"]> {
  const publishers = [...new Set(listed.values())];
  if (publishers.length === gatewayLimits.publishers) return "any";
  const isCutOff = ({ skillSlugs = [], skillCount = 0 }: Publisher) =>
    skillSlugs.length === gatewayLimits.skills || skillCount > skillSlugs.length;
  return publishers
    .filter(isCutOff)
    .map(({ name, slug }) => (slug === undefined ? { name } : { name, slug }));
}

/**
 * Lists a publisher's name and the facts that need attention: not verified, an unusual status or trust level, and what
 * the registry does not state. A verified publisher with the usual words has its name alone.
 */
export function publisherFacts(
  { name, verified, status = "", trustLevel = "" }: Publisher,
  { t }: Language,
): readonly Fact[] {
  const unknown = t("Not provided");
  const rows: readonly (readonly [label: string, value: string])[] = [
    [t("Name"), name],
    [t("Verified"), verified === undefined ? unknown : verified ? "" : t("No")],
    [t("Publisher status"), status === "" ? unknown : isUsual(status) ? "" : status],
    [t("Trust level"), trustLevel === "" ? unknown : isUsual(trustLevel) ? "" : trustLevel],
  ];
  return rows.flatMap(([label, value]) => (value === "" ? [] : [{ label, value }]));
}

/** Lists a registry's facts about a publisher: verified or not, and an unusual status or trust level. */
function publisherNotes(
  { verified, status = "", trustLevel = "" }: Publisher,
  { t }: Language,
): readonly string[] {
  const notes = [
    verified === true && t("verified"),
    verified === false && t("not verified"),
    !isUsual(status) && t("status: {status}", { status }),
    !isUsual(trustLevel) && t("trust level: {level}", { level: trustLevel }),
  ];
  return notes.filter((note) => typeof note === "string");
}

/**
 * Names an author with the https address, if any, and adds that only the publisher states this. If the author is the
 * publisher, returns only the address; empty without one.
 */
function authorText({ name, url }: SkillAuthor, isPublisher: boolean, { t }: Language): string {
  const address = httpsUrl(url);
  const source = t("stated by the publisher");
  if (isPublisher) return address === undefined ? "" : withNotes(address, [source]);
  return withNotes(name, address === undefined ? [source] : [address, source]);
}

function isUsual(word: string): boolean {
  return ["", "active", "verified"].includes(word.toLowerCase());
}

function withNotes(name: string, notes: readonly string[]): string {
  return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
}
