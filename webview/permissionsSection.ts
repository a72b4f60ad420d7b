import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import type { PermissionSentence } from "../src/core/skill/trust/permissionSentences";
import { icon, powerIcon } from "../src/page/icons";
import { element } from "./element";
import type { PageContext } from "./pageContext";
import { notGiven, section } from "./section";

/** Shows what a skill may do, in sentences with their consequence, and what it does not do. */
export function permissionsSection(skill: SkillDescription, { t }: PageContext): HTMLElement {
  const { permissions } = skill;
  const title = t("Permissions");
  if (permissions === undefined) {
    return section(
      "permissions",
      title,
      notGiven(t("Not provided by this registry. Assume full access.")),
    );
  }
  return section(
    "permissions",
    title,
    element(
      "ul",
      { class: "permissions" },
      ...permissions.map((permission) => permissionItem(permission, t)),
    ),
  );
}

function permissionItem(permission: PermissionSentence, t: PageContext["t"]): HTMLElement {
  const { granted, risk, sentence, consequence } = permission;
  if (!granted) {
    return element("li", { class: "withheld" }, icon("no"), element("span", {}, sentence));
  }
  const bars = { low: 1, medium: 2, high: 3 }[risk];
  const riskWords = { low: t("low risk"), medium: t("medium risk"), high: t("high risk") };
  return element(
    "li",
    {},
    powerIcon(bars, risk === "high" ? "bad" : "caution"),
    element(
      "span",
      {},
      element("strong", {}, sentence),
      element("span", { class: "risk quiet" }, riskWords[risk]),
      element("span", { class: "quiet note" }, consequence),
    ),
  );
}
