import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { jsonBlock } from "./jsonBlock";
import type { PageContext } from "./pageContext";
import { notGiven, section } from "./section";

/** Shows the manifest as the registry gave it. */
export function manifestTab({ manifest }: SkillDescription, context: PageContext): HTMLElement {
  const { t } = context;
  return section(
    "manifest",
    t("Manifest"),
    notGiven(t("As the registry gave it.")),
    jsonBlock(manifest, t("Manifest"), context, { target: "manifest" }),
  );
}
