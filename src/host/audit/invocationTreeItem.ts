import * as vscode from "vscode";
import { endingText } from "../../core/invocation/outcome/invocationStatus";
import { invocationIdText } from "../../core/invocation/record/invocationIdText";
import {
  builtInRegistryName,
  type InvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import { moneyText, sampleText } from "../../core/skill/description/priceText";
import type { Language } from "../../core/text/language";
import { labelText, markdownText } from "../../core/text/plainText";
import type { TimeFormats } from "../../core/text/timeFormats";
import { commandIds } from "../ids";

/** How a row is drawn. */
export interface InvocationRowLook {
  readonly language: Language;
  readonly times: TimeFormats;
  /** This window is making the call. */
  readonly canCancel: boolean;
}

/** Draws a past call as a row of the Invocations view. Selecting it opens the record. */
export function invocationTreeItem(
  record: InvocationRecord,
  { language, times, canCancel }: InvocationRowLook,
): vscode.TreeItem {
  const { moment, timeOfDay } = times;
  const skill = record.version === "" ? record.skillSlug : `${record.skillSlug}@${record.version}`;
  const item = new vscode.TreeItem(labelText(skill, 80));
  item.id = record.id;
  const status = endingText(record, language);
  // The day stands above, except over pinned calls, whose tooltip has it.
  const time = timeOfDay(record.startedAt);
  item.description = labelText(`${status} · ${time}${duration(record)}`, 120);
  item.iconPath = statusIcon(record);
  item.contextValue = canCancel ? `${contextOf(record)} cancelable` : contextOf(record);
  item.tooltip = tooltip(record, skill, moment(record.startedAt), language);
  item.accessibilityInformation = {
    label: `${skill}, ${status}, ${moment(record.startedAt)}`,
  };
  item.command = {
    command: commandIds.openInvocation,
    title: vscode.l10n.t("Open Invocation"),
    arguments: [record],
  };
  return item;
}

/** What the menus of a row depend on. */
function contextOf({ invocationId, status, pinned }: InvocationRecord): string {
  const hasOutput = status === "success" || status === "error";
  return [
    "invocation",
    ...(invocationId === undefined ? [] : ["withId"]),
    ...(hasOutput ? ["withOutput"] : []),
    pinned ? "pinned" : "loose",
  ].join(" ");
}

function duration(record: InvocationRecord): string {
  return record.durationMs > 0 ? ` · ${Math.round(record.durationMs)} ms` : "";
}

function statusIcon({ status, acceptedNotRun }: InvocationRecord): vscode.ThemeIcon {
  switch (status) {
    case "running":
      return new vscode.ThemeIcon("loading~spin");
    case "success":
      // Metered and not run is no success to whoever waits for an output.
      if (acceptedNotRun === true) {
        return new vscode.ThemeIcon("info", new vscode.ThemeColor("list.warningForeground"));
      }
      return new vscode.ThemeIcon("pass", new vscode.ThemeColor("charts.green"));
    case "error":
      return new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed"));
    case "blocked":
      return new vscode.ThemeIcon("lock", new vscode.ThemeColor("list.warningForeground"));
    case "refused":
      return new vscode.ThemeIcon("circle-slash", new vscode.ThemeColor("list.warningForeground"));
    case "cancelled":
      return new vscode.ThemeIcon("debug-stop");
    case "outcome unknown":
      return new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground"));
  }
}

function tooltip(
  record: InvocationRecord,
  skill: string,
  time: string,
  language: Language,
): vscode.MarkdownString {
  const lines = [
    `**${markdownText(skill, 80)}**: ${markdownText(endingText(record, language), 80)}`,
    markdownText(record.message ?? "", 400),
    costText(record, language),
    markdownText(invocationIdText(record, language), 250),
    `${markdownText(time, 60)} · ${markdownText(record.registry, 120)}`,
  ];
  return new vscode.MarkdownString(lines.filter(Boolean).join("\n\n"));
}

function costText(
  { amountCents, currency, registry }: InvocationRecord,
  language: Language,
): string {
  if (amountCents === undefined || amountCents === 0) return "";
  const isSample = registry === builtInRegistryName;
  const cost = sampleText(moneyText(amountCents, currency, language), isSample, language);
  return markdownText(language.t("Cost: {cost}", { cost }), 80);
}
