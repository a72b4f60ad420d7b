import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/invocationRecord";
import type { InvocationStatus } from "../../core/invocation/invocationStatus";
import { moneyWords } from "../../core/skill/priceWords";
import { labelText, markdownText } from "../../core/text/plainText";
import { commandIds } from "../ids";

/** Draws a past call as a row of the Invocations view. Selecting it opens the record. */
export function invocationTreeItem(record: InvocationRecord): vscode.TreeItem {
  const skill = record.version === "" ? record.skillSlug : `${record.skillSlug}@${record.version}`;
  const time = new Date(record.startedAt);
  const item = new vscode.TreeItem(labelText(skill, 80));
  item.id = record.id;
  const status = record.acceptedNotRun ? "accepted, not run" : record.status;
  item.description = labelText(`${status} · ${timeWords(time)}${duration(record)}`, 120);
  item.iconPath = statusIcon(record.status);
  item.contextValue = contextOf(record);
  item.tooltip = tooltip(record, skill, time);
  item.accessibilityInformation = { label: `${skill}, ${status}, ${time.toLocaleString()}` };
  item.command = {
    command: commandIds.openInvocation,
    title: "Open Invocation",
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

/** The day stands above, except over pinned calls, whose tooltip has it. */
function timeWords(time: Date): string {
  return time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

function duration(record: InvocationRecord): string {
  return record.durationMs > 0 ? ` · ${Math.round(record.durationMs)} ms` : "";
}

function statusIcon(status: InvocationStatus): vscode.ThemeIcon {
  switch (status) {
    case "running":
      return new vscode.ThemeIcon("loading~spin");
    case "success":
      return new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
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

function tooltip(record: InvocationRecord, skill: string, time: Date): vscode.MarkdownString {
  const lines = [
    `**${markdownText(skill, 80)}**: ${record.status}`,
    markdownText(record.message ?? "", 400),
    costWords(record),
    `Invocation ID: ${markdownText(record.invocationId ?? "(none)", 200)}`,
    `${markdownText(time.toLocaleString(), 60)} · ${markdownText(record.registry, 120)}`,
  ];
  return new vscode.MarkdownString(lines.filter(Boolean).join("\n\n"));
}

function costWords({ amountCents, currency }: InvocationRecord): string {
  if (amountCents === undefined || amountCents === 0) return "";
  return `Cost: ${markdownText(moneyWords(amountCents, currency), 60)}`;
}
