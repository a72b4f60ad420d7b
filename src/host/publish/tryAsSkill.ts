import * as vscode from "vscode";
import type { SkillDetail } from "../../core/skill/skill";
import { payloadDocument } from "../author/payloadDocument";
import type { SkillPages } from "../inspect/skillPages";
import type { SkillPanelParts } from "../inspect/skillPanel";
import type { CommandHandlers } from "../registerCommands";
import { inform } from "../ui/messages";
import type { ManifestChecks } from "./manifestChecks";

/**
 * Shows manifests of the workspace as the pages of their future skills, with a form and a sample payload, and follows
 * their text. `pagesOf` creates pages for skills outside of a registry.
 */
export function tryCommands(
  manifests: ManifestChecks,
  pagesOf: (details: SkillPanelParts["details"]) => SkillPages,
) {
  const skills = new Map<string, SkillDetail>();
  const pages = pagesOf({
    find: async (slug) => {
      const value = skills.get(slug);
      return value === undefined
        ? { ok: false, failure: { kind: "notFound" } }
        : { ok: true, value };
    },
    forget: () => undefined,
  });
  manifests.onDidCheck(({ skill }) => {
    if (skill === undefined || !skills.has(skill.summary.slug)) return;
    skills.set(skill.summary.slug, skill);
    pages.refresh(skill.summary.slug);
  });
  const commands = {
    tryAsSkill: async (argument) => {
      const document = payloadDocument(argument);
      const checked = document && (await manifests.check(document));
      if (checked?.skill === undefined) {
        void inform(
          vscode.l10n.t("Open a skillhub.json that has a valid name, then run this again."),
        );
        return;
      }
      const { slug } = checked.skill.summary;
      skills.set(slug, checked.skill);
      await pages.tryIt(slug);
    },
  } satisfies Partial<CommandHandlers>;
  return { pages, commands };
}
