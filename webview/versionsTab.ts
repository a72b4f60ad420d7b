import type { SkillDescription, VersionText } from "../src/core/skill/description/skillDescription";
import type { ComparedVersions } from "../src/protocol/skillPage";
import { button, element, notGiven, type PageContext, section } from "./element";
import { versionComparison } from "./versionComparison";

/** Lists the published versions, each to be shown, and how two of them differ. */
export function versionsTab(
  skill: SkillDescription,
  compared: ComparedVersions | undefined,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const { versions, version } = skill;
  if (versions.length === 0) {
    const current =
      version === "" ? undefined : element("p", {}, t("Viewing {version}", { version }));
    const none = notGiven(t("This registry does not list the versions of its skills."));
    return section("versions", t("Versions"), current, none);
  }
  return element(
    "div",
    { class: "columns" },
    versionComparison(skill, compared, context),
    section(
      "versions",
      t("Versions"),
      element("ol", { class: "versions" }, ...versions.map((each) => versionItem(each, context))),
      skill.moreVersions > 0
        ? notGiven(t("{count} older versions are not shown.", { count: skill.moreVersions }))
        : undefined,
    ),
  );
}

function versionItem(
  { version, published, changes, shown }: VersionText,
  { t, send }: PageContext,
): HTMLElement {
  const choose = button(t("Show"), () => send({ type: "selectVersion", version }), {
    "aria-label": t("Show version {version}", { version }),
  });
  return element(
    "li",
    { "aria-current": shown ? "true" : undefined },
    element(
      "p",
      { class: "line" },
      element("code", { class: "name" }, version),
      published === "" ? undefined : element("span", { class: "quiet" }, published),
      shown ? element("span", { class: "required" }, t("shown here")) : choose,
    ),
    changes === "" ? undefined : element("p", { class: "words" }, changes),
  );
}
