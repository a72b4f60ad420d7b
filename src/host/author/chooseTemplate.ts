import * as vscode from "vscode";
import {
  type MakeSample,
  type PayloadTemplate,
  payloadTemplate,
  payloadTemplates,
  type TemplateKind,
  templateTitle,
} from "../../core/payload/payloadTemplates";
import type { SkillDetail } from "../../core/skill/skill";
import { oneLine } from "../../core/text/plainText";
import { hostLanguage } from "../words/hostLanguage";

/** Reads which input a command is asked for: `minimal`, `full` or the number of an example, from 0. */
export function templateArgument(argument: unknown): TemplateKind | undefined {
  if (argument === "minimal" || argument === "full") return argument;
  return Number.isInteger(argument) && Number(argument) >= 0 ? Number(argument) : undefined;
}

/**
 * Lets the user choose what to write into an input for a skill. Asks only where there is more than
 * one sensible choice; undefined where they gave up.
 */
export async function chooseTemplate(
  skill: SkillDetail,
  makeSample: MakeSample,
  title: string,
): Promise<PayloadTemplate | undefined> {
  const templates = await payloadTemplates(skill, makeSample);
  if (templates.length < 2) return templates[0] ?? payloadTemplate(skill, "minimal", makeSample);
  const language = hostLanguage();
  const picked = await vscode.window.showQuickPick(
    templates.map((template) => ({
      label: templateTitle(skill, template.kind, language),
      detail: oneLine(JSON.stringify(template.value), 120),
      template,
    })),
    { title, placeHolder: vscode.l10n.t("Choose a starting point") },
  );
  return picked?.template;
}
