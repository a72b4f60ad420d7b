import { permissionsLine } from "../invocation/consent/consentQuestion";
import { activePrices, pricesText } from "../invocation/consent/terms";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";
import { renameWarning } from "./changes";
import type { InstalledSkill, ProjectDetail } from "./project";

/** What is asked before a change: `detail` has one fact a paragraph. */
export interface ChangeQuestion {
  readonly message: string;
  readonly detail: readonly string[];
  readonly agree: string;
}

/** Asks whether a version of a skill may be installed, with what is agreed to by that. */
export function installQuestion(
  skill: SkillDetail,
  { summary, skills }: ProjectDetail,
  role: string,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  const { slug, version, permissionLevel, isSample } = skill.summary;
  const before = skills.find((one) => one.slug === slug && one.status !== "removed");
  const name = version === "" ? slug : `${slug}@${version}`;
  const price = pricesText({ prices: activePrices(skill.prices) }, language, isSample);
  return {
    message: t("Install {skill} in {project}?", { skill: name, project: summary.name }),
    detail: [
      before === undefined ? "" : replacesText(before, version, language),
      permissionsLine(skill.permissions ? { permissions: skill.permissions } : {}, language),
      price === "" ? "" : t("Costs: {price}.", { price }),
      permissionLevel === "high" ? approvalText(role, language) : "",
      renameWarning(summary, language),
    ].filter((line) => line !== ""),
    agree: t("Install"),
  };
}

function replacesText(before: InstalledSkill, version: string, { t }: Language): string {
  return before.version === version
    ? t("This version is installed already. Installing it again resets its approval.")
    : t("Replaces the installed version {version}.", { version: before.version });
}

function approvalText(role: string, { t }: Language): string {
  return role === "owner" || role === "admin"
    ? t("With high permissions it can be invoked once you or another owner or admin approve it.")
    : t("With high permissions it can be invoked once an owner or admin approves it.");
}

/** A change of an install: which ones it can be made to, and to what. */
export interface InstallChange {
  readonly from: readonly string[];
  readonly status: "installed" | "suspended" | "removed";
}

/** The changes of an install, by what they are called in the code. */
export const installChanges = {
  suspend: { from: ["installed"], status: "suspended" },
  restore: { from: ["suspended", "removed"], status: "installed" },
  remove: { from: ["installed", "suspended"], status: "removed" },
} as const satisfies Record<string, InstallChange>;

/** Lists the installs that a change can be made to. */
export function changeable(
  skills: readonly InstalledSkill[],
  { from }: InstallChange,
): readonly InstalledSkill[] {
  return skills.filter(({ status }) => from.includes(status));
}
