import * as vscode from "vscode";
import type { KeptAgentSettings } from "../../agents/keptAgentSettings";
import {
  type AgentAgreement,
  type AgentLimits,
  withChanged,
  withoutAgreementsAbout,
} from "../../core/agents/agentAgreements";
import { limitsText, modeText } from "../../core/agents/agentOverview";
import { levelName, permissionLevels } from "../../core/skill/permissions";
import { hostLanguage } from "../ui/hostLanguage";
import { offer, showError, showStatus } from "../ui/messages";
import { ask } from "../ui/quickInput/ask";
import { choose } from "../ui/quickInput/choose";

/** Lets the user change a limit for all agents together. */
export async function changeLimits(settings: KeptAgentSettings): Promise<void> {
  const { limits } = await settings.get();
  const language = hostLanguage();
  const count = (name: "centsPerDay" | "callsPerSession", label: string, prompt: string) => ({
    label,
    description: `${limits[name]}`,
    value: async (): Promise<Partial<AgentLimits> | undefined> => {
      const given = await askForCount(label, prompt, limits[name]);
      return given === undefined ? undefined : { [name]: given };
    },
  });
  const title = vscode.l10n.t("Highest permission level");
  const level = {
    label: title,
    description: levelName(limits.maxPermissionLevel, language),
    value: async (): Promise<Partial<AgentLimits> | undefined> => {
      const levels = permissionLevels.map((permissionLevel) => ({
        label: levelName(permissionLevel, language),
        value: permissionLevel,
      }));
      const maxPermissionLevel = await choose(levels, { title });
      return maxPermissionLevel && { maxPermissionLevel };
    },
  };
  const askFor = await choose(
    [
      count(
        "centsPerDay",
        vscode.l10n.t("Cents a day"),
        vscode.l10n.t("0 lets agents invoke free skills only."),
      ),
      count(
        "callsPerSession",
        vscode.l10n.t("Invocations a session"),
        vscode.l10n.t("A session is a window, or a process of the server."),
      ),
      level,
    ],
    { title: vscode.l10n.t("Set Agent Limits") },
  );
  const changed = await askFor?.();
  if (changed === undefined) return;
  await changeOrReport(settings, (all) => ({ ...all, limits: { ...all.limits, ...changed } }));
}

/**
 * Changes the permissions of agents. Resolves to false if they cannot be written. Then nothing changed, and the user is
 * told, so that they can stop agents instead.
 */
export async function changeOrReport(
  settings: KeptAgentSettings,
  change: Parameters<KeptAgentSettings["change"]>[0],
): Promise<boolean> {
  if (await settings.change(change)) return true;
  const text = vscode.l10n.t("Nothing was changed: {0} cannot be written.", settings.files.path);
  void offer(text, vscode.l10n.t("Stop Agents"), () => stopAgents(settings), showError);
  return false;
}

/** Stops agents, and shows whether that applies to all programs. */
export async function stopAgents(settings: KeptAgentSettings): Promise<void> {
  if (await settings.stop()) return showStatus(endIcon, vscode.l10n.t("Agents are stopped."));
  void showError(
    vscode.l10n.t(
      "Agents are stopped in this window only: {0} cannot be written.",
      settings.files.path,
    ),
  );
}

/**
 * Lets the user change or end the permissions of agents for an allowed skill. `allowAnew` asks again whether agents may
 * invoke the skill, and whether they must ask each time. It is undefined for a skill at another registry.
 */
export async function changeAgreement(
  settings: KeptAgentSettings,
  agreement: AgentAgreement,
  allowAnew?: () => Promise<void>,
): Promise<void> {
  const { skill, version, mode, centsPerDay, callsPerDay } = agreement;
  const { limits } = await settings.get();
  const language = hostLanguage();
  const calls = vscode.l10n.t("How many times may agents invoke {0} a day?", skill);
  const keep = async (name: "centsPerDay" | "callsPerDay", given: number | undefined) => {
    if (given === undefined) return;
    await changeOrReport(settings, (all) => withChanged(all, agreement, { [name]: given }));
  };
  const act = await choose<() => Promise<void>>(
    [
      ...(allowAnew === undefined
        ? []
        : [
            {
              label: vscode.l10n.t("Whether agents ask"),
              description: modeText(mode, language),
              value: allowAnew,
            },
          ]),
      {
        label: vscode.l10n.t("Cents a day"),
        description: `${centsPerDay}`,
        value: async () => keep("centsPerDay", await askForCents(skill, centsPerDay)),
      },
      {
        label: vscode.l10n.t("Invocations a day"),
        description: `${callsPerDay}`,
        value: async () => keep("callsPerDay", await askForCount(calls, "", callsPerDay)),
      },
      {
        label: vscode.l10n.t("Limits for all skills"),
        description: limitsText(limits, language),
        value: () => changeLimits(settings),
      },
      {
        label: vscode.l10n.t("No Longer Allow"),
        icon: endIcon,
        value: () => endAgreement(settings, agreement),
      },
    ],
    { title: vscode.l10n.t("What Agents May Do: {0}", `${skill}@${version}`) },
  );
  await act?.();
}

/** The icon for ending an agreement. */
export const endIcon = "circle-slash";

/** Ends the agreement about a skill, so that agents may no longer invoke it. */
export async function endAgreement(
  settings: KeptAgentSettings,
  { registry, skill }: Pick<AgentAgreement, "registry" | "skill">,
): Promise<void> {
  const isSaved = await changeOrReport(settings, (all) =>
    withoutAgreementsAbout(all, skill, registry),
  );
  if (isSaved) showStatus(endIcon, vscode.l10n.t("Agents may no longer invoke {0}.", skill));
}

/** Asks for agents' daily spending limit for a skill, in cents. Undefined if the user canceled. */
export function askForCents(slug: string, before: number): Promise<number | undefined> {
  return askForCount(
    vscode.l10n.t("How many cents may agents spend on {0} a day?", slug),
    vscode.l10n.t("The daily limit for all skills counts too."),
    before,
  );
}

async function askForCount(
  title: string,
  prompt: string,
  before: number,
): Promise<number | undefined> {
  const text = await ask({
    title,
    prompt,
    value: String(before),
    problemOf: (given) =>
      /^\d{1,9}$/.test(given.trim()) ? "" : vscode.l10n.t("Enter a whole number."),
  });
  return text === undefined ? undefined : Number(text);
}
