import * as vscode from "vscode";
import {
  type FillingKind,
  fillingTitle,
  type MakeSample,
  type PayloadFilling,
  payloadFilling,
  payloadFillings,
} from "../../core/payload/payloadFillings";
import type { SkillDetail } from "../../core/skill/skill";
import { oneLine } from "../../core/text/plainText";
import { hostLanguage } from "../words/hostLanguage";

/** Reads which input a command is asked for: `minimal`, `full` or the number of an example, from 0. */
export function fillingArgument(argument: unknown): FillingKind | undefined {
  if (argument === "minimal" || argument === "full") return argument;
  return Number.isInteger(argument) && Number(argument) >= 0 ? Number(argument) : undefined;
}

/**
 * Lets the user choose what to write into an input for a skill. Asks only where there is more than
 * one sensible choice; undefined where they gave up.
 */
export async function chooseFilling(
  skill: SkillDetail,
  makeSample: MakeSample,
  title: string,
): Promise<PayloadFilling | undefined> {
  const fillings = await payloadFillings(skill, makeSample);
  if (fillings.length < 2) return fillings[0] ?? payloadFilling(skill, "minimal", makeSample);
  const language = hostLanguage();
  const picked = await vscode.window.showQuickPick(
    fillings.map((filling) => ({
      label: fillingTitle(skill, filling.kind, language),
      detail: oneLine(JSON.stringify(filling.value), 120),
      filling,
    })),
    { title, placeHolder: vscode.l10n.t("Choose a starting point") },
  );
  return picked?.filling;
}
