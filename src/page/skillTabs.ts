import type { SkillDescription } from "../core/skill/description/skillDescription";
import type { Translate } from "../core/text/language";
import type { PageTab } from "../protocol/pageState";

/** Names the tabs of a skill's page in the order they are shown; counts what stands in some of them. */
export function skillTabs(
  { examples, moreExamples, versions, moreVersions }: SkillDescription,
  t: Translate,
): readonly { readonly id: PageTab; readonly label: string }[] {
  const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label);
  return [
    { id: "overview", label: t("Overview") },
    { id: "input", label: t("Input") },
    { id: "output", label: t("Output") },
    { id: "examples", label: counted(t("Examples"), examples.length + moreExamples) },
    { id: "versions", label: counted(t("Versions"), versions.length + moreVersions) },
    { id: "manifest", label: t("Manifest") },
  ];
}

/** Names the element of a tab, in the first view and the live one alike. */
export function tabId(tab: PageTab): string {
  return `${tab}-tab`;
}
