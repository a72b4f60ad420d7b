import * as vscode from "vscode";
import type { SkillDetail } from "../../core/skill/skill";
import { httpsUrl } from "../../core/text/httpsUrl";
import type { CopyTarget } from "../../protocol/skillPage";
import { commandIds } from "../ids";
import { type ManifestDocuments, skillText } from "./manifestDocuments";
import type { PageWish } from "./shownPage";

/** What a page may ask of the host once a skill is shown. */
type PageRequest = Exclude<
  PageWish,
  { type: "retry" | "cure" | "sample" | "selectVersion" | "compareVersions" | "removeSkill" }
>;

/** Does what a page asks for, for the skill it shows. */
export type PageEffects = (request: PageRequest, skill: SkillDetail) => Promise<void>;

/** What a page's effects need of other steps. */
export interface PageEffectParts {
  readonly manifests: ManifestDocuments;
  /** Opens an input, from an example where one is named. */
  readonly newPayload: (skill: SkillDetail, example: number | undefined) => Promise<unknown>;
  /** Shows the payload of a skill, from which it is invoked. */
  readonly showPayload: (skill: SkillDetail) => Promise<unknown>;
}

/** Builds the effects of a page. */
export function pageEffects({ manifests, newPayload, showPayload }: PageEffectParts): PageEffects {
  return async (request, skill) => {
    const { slug } = skill.summary;
    switch (request.type) {
      case "newPayload":
        await newPayload(skill, request.example);
        return;
      case "openPayload":
        // A page is a registry's words; only a person sends something.
        await showPayload(skill);
        return;
      case "copyAsCurl":
        return run(commandIds.copyAsCurl, slug);
      case "setProjectKey":
        await vscode.commands.executeCommand(commandIds.setProjectKey);
        return;
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
        await vscode.env.clipboard.writeText(textOf(request.what, skill));
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
  const open = vscode.l10n.t("Open");
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("Open this address in the browser?"),
    { modal: true, detail: safe },
    open,
  );
  if (answer === open) await vscode.env.openExternal(vscode.Uri.parse(safe, true));
}

function textOf(what: CopyTarget, skill: SkillDetail): string {
  return what === "slug" ? skill.summary.slug : skillText(what, skill);
}
