import type { Publisher, SkillAuthor } from "../../core/skill/skill";
import type { JsonValue } from "../../core/text/json";
import { unwrapList } from "./envelope";
import { booleanOf, given, listOf, member, objectOf, textOf } from "./field";
import { readSlug } from "./readSlug";

/** Reads a publisher, given as an object or by name alone. */
export function readPublisher(value: JsonValue | undefined): Publisher | undefined {
  if (typeof value === "string") return value === "" ? undefined : { name: textOf(value) ?? value };
  const source = objectOf(value);
  if (source === undefined) return undefined;
  const slug = textOf(member(source, "slug"));
  const name = textOf(member(source, "displayName", "name")) ?? slug;
  if (name === undefined) return undefined;
  const status = textOf(member(source, "status"), 60);
  const isVerified = status?.toLowerCase() === "verified" || undefined;
  const verified = booleanOf(member(source, "verified")) ?? isVerified;
  const skillSlugs = listOf(member(source, "skills"), skillSlug, 10_000);
  return {
    name,
    ...given("slug", slug),
    ...given("verified", verified),
    ...given("status", status),
    ...given("trustLevel", textOf(member(source, "trustLevel"), 60)),
    ...given("url", textOf(member(source, "url"), 2000)),
    ...given("skillSlugs", skillSlugs.length === 0 ? undefined : skillSlugs),
  };
}

/** Reads a manifest's author, given as an object or by name alone. */
export function readAuthor(value: JsonValue | undefined): SkillAuthor | undefined {
  const source = objectOf(value) ?? {};
  const name = typeof value === "string" ? textOf(value) : textOf(member(source, "name"));
  return name === undefined
    ? undefined
    : { name, ...given("url", textOf(member(source, "url"), 2000)) };
}

/** Reads the registry's list of publishers; undefined where the answer holds none. */
export function readPublishers(body: JsonValue): readonly Publisher[] | undefined {
  const list = unwrapList(body, "publishers");
  return list === undefined ? undefined : listOf([...list.items], readPublisher, 5000);
}

function skillSlug(item: JsonValue): string | undefined {
  const source = objectOf(item);
  return readSlug(source === undefined ? item : member(source, "slug"));
}
