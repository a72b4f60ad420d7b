import { builtInRegistryName } from "../../registry/registryName";
import type { RowIcon } from "../../skill/verification";
import { durationText, type Language } from "../../text/language";
import { costText } from "../cost";
import type { InvocationStatus } from "../outcome";
import {
  type CallerKind,
  type InvocationKind,
  type InvocationRecord,
  kindOf,
} from "./invocationRecord";

/** Chooses the icon of an invocation by its status. A registry's unknown status gets a neutral icon. */
export function statusIcon(status: string): RowIcon {
  return Object.hasOwn(statusIcons, status)
    ? statusIcons[status as InvocationStatus]
    : { id: "question" };
}

const statusIcons: Readonly<Record<InvocationStatus, RowIcon>> = {
  running: { id: "loading~spin" },
  success: { id: "pass", color: "charts.green" },
  "not executed": { id: "info", color: "list.warningForeground" },
  error: { id: "error", color: "testing.iconFailed" },
  blocked: { id: "lock", color: "list.warningForeground" },
  refused: { id: "circle-slash", color: "list.warningForeground" },
  "not sent": { id: "debug-disconnect" },
  cancelled: { id: "debug-stop" },
  "outcome unknown": { id: "question", color: "list.warningForeground" },
};

/** Returns the localized name of a status. The output channel and exports keep the English word for scripts. */
export function statusText(status: InvocationStatus, { t }: Language): string {
  switch (status) {
    case "running":
      return t("running");
    case "success":
      return t("success");
    case "not executed":
      return t("accepted, not executed");
    case "error":
      return t("error");
    case "blocked":
      return t("blocked");
    case "refused":
      return t("refused");
    case "not sent":
      return t("not sent");
    case "cancelled":
      return t("canceled");
    case "outcome unknown":
      return t("outcome unknown");
  }
}

/** Describes how a recorded invocation ended, or that it is running, and whether it was a test run or a trial. */
export function endingText(
  record: Pick<InvocationRecord, "status" | "kind">,
  language: Language,
): string {
  const ending = statusText(record.status, language);
  if (record.kind === "trial") return language.t("trial of a manifest, {ending}", { ending });
  return kindOf(record) === "testRun" ? language.t("test run, {ending}", { ending }) : ending;
}

/** Names a kind of invocation in the filter. */
export function kindText(kind: InvocationKind, { t }: Language): string {
  return kind === "testRun" ? t("test run") : t("with a Project Key");
}

/** Names a kind of caller in the filter. */
export function callerText(caller: CallerKind, { t }: Language): string {
  switch (caller) {
    case "person":
      return t("by a person");
    case "suite":
      return t("by a suite in the Test Explorer");
    case "test":
      return t("by a suite on the command line");
    case "commandLine":
      return t("by the command line");
    case "chat":
      return t("by an agent in a chat");
    case "extension":
      return t("by another extension");
    case "mcp":
      return t("by an agent over MCP");
  }
}

/** Describes on one line how an invocation ended, with its cost and invocation ID, for the status bar. */
export function endSummary(record: InvocationRecord, language: Language): string {
  const { skillSlug, durationMs, invocationId = "" } = record;
  const took = durationText(durationMs, language);
  const ending = `${skillSlug}: ${endingText(record, language)}, ${took}`;
  return [ending, costText(record, language), invocationId]
    .filter((part) => part !== "")
    .join(" · ");
}

/** Formats a number of invocations: `1 invocation`, `3 invocations`. */
export function invocationCountText(count: number, { t }: Language): string {
  return count === 1 ? t("1 invocation") : t("{count} invocations", { count });
}

/** Formats the registry's ID of an invocation for people. The output channel uses English text instead. */
export function invocationIdText({ invocationId: id }: InvocationRecord, { t }: Language): string {
  return id === undefined ? t("Invocation ID: none") : t("Invocation ID: {id}", { id });
}

/** The registry and environment that a window uses now, as records name them. */
export interface WindowTarget {
  readonly registry: string;
  readonly environment?: string | undefined;
}

/** Names the environment and registry of an invocation; empty if the window uses the same ones now. */
export function otherTargetText(
  target: WindowTarget,
  window: WindowTarget,
  language: Language,
): string {
  const isSame = target.registry === window.registry && target.environment === window.environment;
  return isSame ? "" : targetText(target, language);
}

/** Names an environment, and its registry in words. */
export function targetText({ registry, environment }: WindowTarget, { t }: Language): string {
  const name = registry === builtInRegistryName ? t("built-in registry") : registry;
  return environment === undefined ? name : `${environment} (${name})`;
}
