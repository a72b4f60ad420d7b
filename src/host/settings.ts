import * as vscode from "vscode";
import type { AgentDiscovery } from "../agents/sessionParts";
import { builtInRegistryName } from "../core/invocation/record/invocationRecord";
import { readRegistryOrigin } from "../core/registry/registryOrigin";
import { settingIds, settingSection } from "./ids";
import { ownSetting } from "./ownSetting";

/** The extension's settings at one moment. Defaults live in package.json alone. */
export interface Settings {
  /** As the user wrote it; empty means the built-in registry. */
  readonly baseUrl: string;
  readonly requestTimeoutSeconds: number;
  readonly invokeTimeoutSeconds: number;
  readonly maxResponseMegabytes: number;
  readonly historyMaxEntries: number;
  /** 0 keeps invocations of any age. */
  readonly historyMaxDays: number;
  readonly historyKeepTexts: KeepTexts;
  /** In hundredths of the registry's currency; 0 is no ceiling. */
  readonly dailyLimitCents: number;
  readonly agentsEnabled: boolean;
  readonly agentsDiscover: AgentDiscovery;
  /** Whether new terminals know the command `skill-registry`. */
  readonly terminalCommand: boolean;
  readonly auditExport: "off" | "otlp";
  /** As the user wrote it; empty leaves it to the variables of OpenTelemetry. */
  readonly auditEndpoint: string;
}

/**
 * Whether inputs and outputs are stored with an invocation. `ask`: for the built-in registry yes, for others
 * the user decides.
 */
type KeepTexts = "ask" | "always" | "never";

/**
 * Reads all settings from the user's own settings and the defaults, never from a workspace, so that
 * no folder can redirect a key or lift a limit. A value of the wrong type counts as not set.
 */
export function readSettings(): Settings {
  return {
    baseUrl: readOwn(settingIds.baseUrl, "").trim(),
    requestTimeoutSeconds: readOwn(settingIds.requestTimeoutSeconds, 0),
    invokeTimeoutSeconds: readOwn(settingIds.invokeTimeoutSeconds, 0),
    maxResponseMegabytes: readOwn(settingIds.maxResponseMegabytes, 0),
    historyMaxEntries: readOwn(settingIds.historyMaxEntries, 0),
    historyMaxDays: readOwn(settingIds.historyMaxDays, 0),
    historyKeepTexts: readKeepTexts(),
    dailyLimitCents: readOwn(settingIds.dailyCeilingCents, 0),
    agentsEnabled: readOwn<boolean>(settingIds.agentsEnabled, true),
    agentsDiscover: readDiscovery(),
    terminalCommand: readOwn<boolean>(settingIds.terminalCommand, true),
    auditExport: readOwn<string>(settingIds.auditExport, "off") === "otlp" ? "otlp" : "off",
    auditEndpoint: readOwn(settingIds.auditEndpoint, "").trim(),
  };
}

/** Names the registry in the settings, without connecting to it. Empty for an address that cannot be used. */
export function reviewedRegistryInUse(): string {
  const { baseUrl } = readSettings();
  if (baseUrl === "") return builtInRegistryName;
  const address = readRegistryOrigin(baseUrl);
  return address.ok ? address.value.origin : "";
}

/** Saves the registry's address in the user's settings; empty returns to the built-in registry. */
export async function writeBaseUrl(baseUrl: string): Promise<void> {
  await vscode.workspace
    .getConfiguration(settingSection)
    .update(settingIds.baseUrl, baseUrl === "" ? undefined : baseUrl, true);
}

/** Any other value counts as the one that tells least. */
function readDiscovery(): AgentDiscovery {
  const own = readOwn<string>(settingIds.agentsDiscover, "facts");
  return own === "facts" || own === "text" ? own : "allowed";
}

function readOwn<Value extends string | number | boolean>(name: string, sample: Value): Value {
  const found = vscode.workspace.getConfiguration(settingSection).inspect(name);
  const isUsable = (value: unknown): value is Value =>
    typeof value === typeof sample && (typeof value !== "number" || value >= minimum(name));
  return ownSetting(found, isUsable) ?? sample;
}

/** Any other value counts as `ask`, which may store less than intended, never more. */
function readKeepTexts(): KeepTexts {
  const own = readOwn<string>(settingIds.historyKeepTexts, "ask");
  return own === "always" || own === "never" ? own : "ask";
}

const mayBeZero: readonly string[] = [
  settingIds.historyMaxEntries,
  settingIds.historyMaxDays,
  settingIds.dailyCeilingCents,
];

function minimum(name: string): number {
  return mayBeZero.includes(name) ? 0 : 1;
}
