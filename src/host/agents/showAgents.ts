import * as vscode from "vscode";
import { type AgentFiles, overviewNow } from "../../agents/overviewNow";
import type { AgentAgreement } from "../../core/agents/agentAgreements";
import { type AgentAction, type AgentRow, agentOverview } from "../../core/agents/agentOverview";
import type { ThisSkill } from "../discover/thisSkill";
import { commandIds } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";
import { type ChoiceRow, choose } from "../ui/quickInput/choose";
import { changeAgreement, endAgreement, endIcon } from "./changeLimits";

/**
 * Lists the permissions, calls and refusals of agents, until the user closes the list or opens something from it.
 * `registry` returns the registry in use, as agreements name it; empty for none.
 */
export async function showAgents(
  files: AgentFiles,
  registry: () => Promise<string>,
  pickSkill: ThisSkill["pick"],
): Promise<void> {
  const rows = async (again: () => void) => {
    const overview = await overviewNow(files, await registry());
    const shown = agentOverview(overview, hostLanguage());
    return shown.map((row): ChoiceRow<AgentRow> => {
      const { action, group } = row;
      const end = async (agreement: AgentAgreement) => {
        await endAgreement(files.settings, agreement);
        again();
      };
      return {
        ...row,
        heading: group || undefined,
        ...(action.kind === "change" && { buttons: [endButton(() => end(action.agreement))] }),
        icon: action.kind === "allow" && action.slug === undefined ? "add" : icons[action.kind],
        value: row,
      };
    });
  };
  let chosen: AgentRow | undefined;
  for (;;) {
    chosen = await choose(rows, {
      title: vscode.l10n.t("What Agents May Do"),
      placeHolder: vscode.l10n.t("Choose what to change or open"),
      startAt: chosen?.label,
    });
    if (chosen === undefined) return;
    const { action } = chosen;
    if (action.kind === "allow" && action.slug === undefined) {
      const slug = await pickSkill(vscode.l10n.t("Allow Agents to Invoke"));
      if (slug !== undefined) await vscode.commands.executeCommand(commandIds.allowAgents, slug);
      continue;
    }
    await act(action, files, await registry());
    if (action.kind === "openSkill" || action.kind === "openInvocation") return;
  }
}

async function act(action: AgentAction, { settings }: AgentFiles, registry: string) {
  const run = vscode.commands.executeCommand;
  switch (action.kind) {
    case "stop":
      return run(commandIds.stopAgents);
    case "setLimits":
      return run(commandIds.setAgentLimits);
    case "change": {
      const { agreement } = action;
      return agreement.registry === registry
        ? run(commandIds.allowAgents, agreement.skill)
        : changeAgreement(settings, agreement);
    }
    case "allow":
      return run(commandIds.allowAgents, action.slug);
    case "openSkill":
      return run(commandIds.openSkill, action.slug);
    case "openInvocation":
      return run(commandIds.openInvocation, { id: action.id });
    case "none":
  }
}

function endButton(press: () => Promise<void>) {
  return { icon: endIcon, title: vscode.l10n.t("No Longer Allow"), press };
}

const icons: Readonly<Record<AgentAction["kind"], string>> = {
  stop: "robot",
  setLimits: "settings",
  change: "check",
  openInvocation: "history",
  allow: "circle-slash",
  openSkill: "circle-slash",
  none: "circle-slash",
};
