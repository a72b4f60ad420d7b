import * as vscode from "vscode";
import {
  blockText,
  checkProject,
  checkTitle,
  type ProjectCheck,
  predictionText,
  predictResponse,
} from "../../../core/project/gateway/projectChecks";
import { remedyOf } from "../../../core/project/gateway/remedies";
import { isKeyOfOtherProject } from "../../../core/project/project";
import { otherProjectKeyText } from "../../../core/project/projectState";
import { registryName } from "../../../core/registry/registryName";
import { slugArgument } from "../../registerCommands";
import { hostLanguage } from "../../ui/hostLanguage";
import { type ChoiceRow, choose } from "../../ui/quickInput/choose";
import { inProject, type ProjectParts } from "../inProject";
import { findInstall } from "../installs/installCommands";
import { reachKeyProject } from "./reachKeyProject";
import type { RemedyRunner } from "./remedyRunner";

/**
 * Shows the expected response to an invocation of a skill, lists each check in the gateway's order, and carries out the
 * remedy for the blocking one. Reads the project again first, so that the result is current. If that fails, shows the
 * failure instead.
 */
export async function showWhy(
  parts: ProjectParts,
  remedies: RemedyRunner,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t("Show Why");
  const none = vscode.l10n.t("No skill is installed in this project.");
  const slug =
    slugArgument(argument) ??
    (await findInstall(parts, argument, { title, none, isFit: () => true }))?.skill.slug;
  if (slug === undefined) return;
  const at = await inProject(parts, "anew");
  if (at === undefined) return;
  const { skills, subscriptions, invocations, summary } = at.detail;
  const key = await parts.keys.find(at.registry);
  const skill = skills.find((item) => item.slug === slug);
  const status = skill?.status ?? "";
  const facts = { skill, subscriptions, invocations, now: Date.now() };
  const language = hostLanguage();
  const answer = predictResponse(facts);
  const isBlocked = answer.kind === "blocked";
  const rows: ChoiceRow<(() => Promise<void>) | undefined>[] = [
    {
      label: predictionText(answer, status, language),
      icon: isBlocked ? "lock" : "pass",
      description: isBlocked ? answer.code : "",
      value: undefined,
    },
  ];
  if (key !== undefined && isKeyOfOtherProject(at.detail, key)) {
    rows.unshift({
      label: vscode.l10n.t("Choose the Project of This Editor's Project Key…"),
      icon: "warning",
      detail: otherProjectKeyText(language),
      alwaysShow: true,
      value: async () => {
        const reached = await reachKeyProject(parts, key);
        if (reached !== "stay") await showWhy(parts, remedies, slug);
      },
    });
  }
  const remedy = isBlocked ? remedyOf(answer.code, language) : undefined;
  if (isBlocked && remedy !== undefined) {
    const blocked = { registry: registryName(at.registry), slug, version: "", code: answer.code };
    rows.push({
      label: remedy.title,
      icon: "wrench",
      description: skill?.name ?? slug,
      value: () => remedies.run(remedy.action, blocked),
    });
  }
  const heading = vscode.l10n.t("Checks, in order");
  const checks = checkProject(facts).map((check) => ({ ...checkRow(check, status), heading }));
  const act = await choose([...rows, ...checks], {
    title: vscode.l10n.t("Invoking {0} in {1} now", skill?.name ?? slug, summary.name),
  });
  await act?.();
}

function checkRow(check: ProjectCheck, status: string): ChoiceRow<undefined> {
  const language = hostLanguage();
  const label = checkTitle(check.name, language);
  switch (check.kind) {
    case "passed":
      // Screen readers do not read the icon.
      return { label, description: vscode.l10n.t("passed"), icon: "pass", value: undefined };
    case "unknown":
      return { label, description: vscode.l10n.t("not known"), icon: "question", value: undefined };
    case "blocked": {
      const description = blockText(check.code, status, language);
      return { label, description, icon: "error", value: undefined };
    }
  }
}
