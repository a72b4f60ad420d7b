import type { Language } from "../../text/language";
import { type SkillFilterName, type SkillQuery, skillFilterNames } from "../skillQuery";
import { filterTitle, filterValueWord } from "./skillQueryWords";

/** One thing that restricts a list: the search text, or a value of a filter. */
export type Restriction =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "filter"; readonly name: SkillFilterName; readonly value: string };

/** Lists what restricts a query, the search text first. */
export function activeRestrictions({ text, filters }: SkillQuery): readonly Restriction[] {
  return [
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...skillFilterNames.flatMap((name) =>
      (filters[name] ?? []).map((value) => ({ kind: "filter", name, value }) as const),
    ),
  ];
}

/** Takes one restriction out of a query. */
export function withoutRestriction(query: SkillQuery, restriction: Restriction): SkillQuery {
  if (restriction.kind === "text") return { ...query, text: "" };
  const { name, value } = restriction;
  const { [name]: values = [], ...others } = query.filters;
  const left = values.filter((candidate) => candidate !== value);
  return { ...query, filters: left.length === 0 ? others : { ...others, [name]: left } };
}

/** Names a restriction for people: what it is about, and its value. */
export function restrictionWords(
  restriction: Restriction,
  language: Language,
): {
  readonly title: string;
  readonly value: string;
} {
  const { t } = language;
  if (restriction.kind === "text") {
    const value = t("“{text}”", { text: restriction.text });
    return { title: t("Search"), value };
  }
  const { name, value } = restriction;
  return { title: filterTitle(name, language), value: filterValueWord(name, value, language) };
}
