import * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import {
  type GateCheck,
  gateAnswer,
  gateAnswerText,
  gateChecks,
  gateText,
  gateTitle,
} from "../../core/workspace/invocationGate";
import { remedyOf } from "../../core/workspace/remedies";
import { slugArgument } from "../discover/slugArguments";
import { withProgress } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import { chooseInstall, type InstallParts } from "./installCommands";
import type { Remedies } from "./remedies";

/**
 * Says what an invocation of a skill would be answered now, lists each check in the gateway's order, and
 * carries out what cures the one that blocks. The project is read again before, so that it is about now.
 */
export async function showWhy(
  parts: InstallParts,
  remedies: Remedies,
  argument: unknown,
): Promise<void> {
  const at = await parts.inProject();
  if (at === undefined) return;
  const given = slugArgument(argument);
  const title = vscode.l10n.t("Show Why");
  const none = vscode.l10n.t("No skill is installed in this project.");
  const slug = given ?? (await chooseInstall(at.detail.skills, { title, none }))?.slug;
  if (slug === undefined) return;
  const { project } = parts;
  await withProgress(vscode.l10n.t("Reading the project"), () => project.refresh());
  const { state } = project;
  if (state.kind !== "project") return;
  const { skills, subscriptions, invocations, summary } = state.detail;
  const skill = skills.find((one) => one.slug === slug);
  const facts = { skill, subscriptions, invocations, now: Date.now() };
  const language = hostLanguage();
  const answer = gateAnswer(facts);
  const isBlocked = answer.kind === "blocked";
  const verdict = {
    label: labelText(gateAnswerText(answer, skill?.status ?? "", language), 300),
    iconPath: new vscode.ThemeIcon(isBlocked ? "lock" : "pass"),
    description: isBlocked ? answer.code : "",
  };
  const heading = {
    label: vscode.l10n.t("in the order of the checks"),
    kind: vscode.QuickPickItemKind.Separator,
  };
  const remedy = isBlocked ? remedyOf(answer.code, language) : undefined;
  const cure = remedy && {
    label: remedy.title,
    iconPath: new vscode.ThemeIcon("wrench"),
    description: labelText(skill?.name ?? slug, 80),
  };
  const rows = gateChecks(facts).map((check) => checkRow(check, skill?.status ?? ""));
  const items = [verdict, ...(cure === undefined ? [] : [cure]), heading, ...rows];
  const chosen = await vscode.window.showQuickPick(items, {
    title: labelText(
      vscode.l10n.t("Invoking {0} in {1} now", skill?.name ?? slug, summary.name),
      120,
    ),
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen !== cure || remedy === undefined || !isBlocked) return;
  await remedies.cure(remedy.action, { slug, version: "", code: answer.code });
}

function checkRow(check: GateCheck, status: string): vscode.QuickPickItem {
  const language = hostLanguage();
  const label = gateTitle(check.gate, language);
  switch (check.kind) {
    case "passed":
      return { label, iconPath: new vscode.ThemeIcon("pass") };
    case "unknown": {
      const description = vscode.l10n.t("not known");
      return { label, description, iconPath: new vscode.ThemeIcon("question") };
    }
    case "blocked": {
      const description = gateText(check.code, status, language);
      return { label, description, iconPath: new vscode.ThemeIcon("error") };
    }
  }
}
