import * as vscode from "vscode";
import { httpsUrl } from "../../core/registry/registryOrigin";
import type { SkillDetail } from "../../core/skill/skill";
import type { SkillFilters } from "../../core/skillList/skillQuery";
import type { CopyTarget } from "../../protocol/pageMessages";
import { commandIds, viewIds } from "../ids";
import { copyText, openInBrowser } from "../ui/messages";
import { type ManifestDocuments, skillText } from "./manifestDocuments";
import type { PageWish } from "./shownPage";

/** What a page may request of the host once a skill is shown. */
type PageRequest = Exclude<
  PageWish,
  {
    type:
      | "retry"
      | "runAction"
      | "viewSchema"
      | "selectVersion"
      | "compareVersions"
      | "removeSkill"
      | "invokeExample"
      | "cancelExample"
      | "runExampleAction"
      | "openResult";
  }
>;

/** Carries out a page's request for the skill it shows. */
export type PageEffects = (request: PageRequest, skill: SkillDetail) => Promise<void>;

/** The dependencies of a page's effects. */
export interface PageEffectParts {
  readonly manifests: ManifestDocuments;
  /** Opens a new payload from an example. */
  readonly newPayload: (skill: SkillDetail, example: number) => Promise<unknown>;
  /** Shows the payload of a skill, from which it is invoked. */
  readonly showPayload: (skill: SkillDetail) => Promise<unknown>;
  /** Lists only the skills that pass the filters. */
  readonly listSkills: (filters: SkillFilters) => Promise<unknown>;
}

/** Builds the effects of a page. */
export function pageEffects({
  manifests,
  newPayload,
  showPayload,
  listSkills,
}: PageEffectParts): PageEffects {
  const showSkills = async (filters: SkillFilters) => {
    await vscode.commands.executeCommand(`${viewIds.skills}.focus`);
    await listSkills(filters);
  };
  return async (request, skill) => {
    const { slug } = skill.summary;
    switch (request.type) {
      case "newPayload":
        await newPayload(skill, request.example);
        return;
      case "openPayload":
        await showPayload(skill);
        return;
      case "copyAs":
        return run(commandIds.copyAs, slug);
      case "setProjectKey":
        await vscode.commands.executeCommand(commandIds.setProjectKey);
        return;
      case "reviewSkill":
        return run(commandIds.reviewSkill, slug);
      case "allowAgents":
        return run(commandIds.allowAgents, slug);
      case "compareWith":
        return run(commandIds.compareSkills, { start: [slug] });
      case "diffManifests":
        return manifests.showDifference(slug, request);
      case "openSkill":
        return run(commandIds.openSkill, request.slug);
      case "openLink":
        return openLink(request.url);
      case "find":
        await vscode.commands.executeCommand("editor.action.webvieweditor.showFind");
        return;
      case "copy":
        return copyText(textOf(request.what, skill), vscode.l10n.t("Copied"));
      case "copyExample": {
        const value = skill.examples[request.example]?.[request.side];
        if (value !== undefined)
          await copyText(JSON.stringify(value, undefined, 2), vscode.l10n.t("Copied"));
        return;
      }
      case "openExample":
        return manifests.showExample(skill, request.example, request.side);
      case "listByTag": {
        const tag = skill.summary.tags[request.tag];
        if (tag !== undefined) await showSkills({ tags: [tag] });
        return;
      }
      case "listByPublisher": {
        const { publisher } = skill.summary;
        if (publisher !== undefined) await showSkills({ publisher: [publisher.name] });
        return;
      }
      case "checkProjectKey":
        await vscode.commands.executeCommand(commandIds.checkProjectKey);
        return;
      case "openText":
        return manifests.show(request.what, skill);
    }
  };
}

async function run(command: string, argument: unknown): Promise<void> {
  await vscode.commands.executeCommand(command, argument);
}

async function openLink(url: string): Promise<void> {
  const safe = httpsUrl(url);
  if (safe === undefined) return;
  await openInBrowser(vscode.l10n.t("Open this address in the browser?"), safe);
}

function textOf(what: CopyTarget, skill: SkillDetail): string {
  return what === "slug" ? skill.summary.slug : skillText(what, skill);
}
