import * as vscode from "vscode";
import { keyDiagnosis } from "../../core/invocation/permission/keyDiagnosis";
import {
  addressWithoutSecrets,
  maxReported,
  supportReport,
} from "../../core/invocation/record/supportReport";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { english, localize } from "../../core/text/language";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { readNetworkSettings } from "../connect/readNetworkSettings";
import type { RegistryConnection } from "../connect/registryConnection";
import type { WindowPlace } from "../environments/windowPlace";
import type { ProjectKeys } from "../keys/projectKeys";
import { readSettings } from "../settings";
import { copyText } from "../ui/messages";

/** The sources of a support report. */
interface ReportParts {
  readonly connection: RegistryConnection;
  readonly place: Pick<WindowPlace, "environment" | "isChosen">;
  readonly keys: ProjectKeys;
  readonly history: InvocationHistory;
  /** Knows the keys of this window. */
  readonly redactor: KeyRedactor;
  /** The extension's own version. */
  readonly version: string;
}

/**
 * Copies a support report, in English for every language of the editor: versions, settings without secrets, and the
 * last invocations, redacted.
 */
export async function copyReport(parts: ReportParts): Promise<void> {
  const connected = await parts.connection.current();
  const registry = connected.ok ? connected.registry : undefined;
  const found = registry && (await parts.keys.examine(registry));
  const keyText =
    registry === undefined || found === undefined
      ? "No registry to have a key for."
      : keyDiagnosis(parts.keys.factsOf(registry, found), english).message;
  const report = supportReport(
    {
      versions: versions(parts.version),
      settings: settings(),
      registry: connected.ok
        ? `${addressWithoutSecrets(connected.registry.baseUrl)} (${placeText(parts.place)})`
        : localize(connected.problem, english),
      projectKey: keyText,
      records: await parts.history.list({ limit: maxReported }).catch(() => undefined),
    },
    (text) => parts.redactor.redact(text),
  );
  await copyText(report, vscode.l10n.t("Report copied. Read it before you send it."));
}

function placeText({ environment, isChosen }: ReportParts["place"]): string {
  if (environment !== undefined) return `environment ${environment}`;
  return isChosen ? "chosen in this window" : "from the settings";
}

function versions(extension: string): Readonly<Record<string, string>> {
  return {
    "Skill Registry": extension,
    [vscode.env.appName]: vscode.version,
    Node: process.versions.node,
    System: `${process.platform} ${process.arch}`,
    Host: vscode.env.remoteName ?? vscode.env.appHost,
    Language: vscode.env.language,
  };
}

function settings(): Readonly<Record<string, string | number | boolean>> {
  const { baseUrl, auditEndpoint, ...rest } = readSettings();
  const { proxy, noProxy, proxySupport, strictSSL, ...network } = readNetworkSettings();
  return {
    baseUrl: addressWithoutSecrets(baseUrl),
    ...rest,
    auditEndpoint: addressWithoutSecrets(auditEndpoint),
    "http.proxy": addressWithoutSecrets(proxy),
    "http.noProxy entries": noProxy.length,
    "http.proxySupport": proxySupport,
    "http.proxyStrictSSL": strictSSL,
    "http.proxyAuthorization": network.proxyAuthorization === "" ? "not set" : "set",
    "http.systemCertificates": network.systemCertificates,
  };
}
