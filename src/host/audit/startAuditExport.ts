import * as vscode from "vscode";
import { readOtlpSettings } from "../../core/audit/otlpSettings";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { english, type LocalizableText, localize } from "../../core/text/language";
import { AuditExport } from "../../engine/audit/auditExport";
import { readNetworkSettings } from "../connect/readNetworkSettings";
import { type Settings, settingName } from "../settingRows";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import type { OutputChannels } from "../ui/outputChannels";
import { warnWithLog } from "../ui/showNotice";

/** The dependencies of the audit export in this window. */
interface AuditSources {
  /** The version of this extension. */
  readonly version: string;
  readonly redactor: KeyRedactor;
  readonly channels: Pick<OutputChannels, "noteFailure">;
  readonly register: <Part extends vscode.Disposable>(part: Part) => Part;
}

/** Opens the audit export as the user's settings say, and sends what is left in the outbox. */
export function startAuditExport(
  folder: string,
  { version, redactor, channels, register }: AuditSources,
): AuditExport {
  const report = (problem: LocalizableText) => {
    channels.noteFailure(localize(problem, english));
    warnWithLog(localize(problem, hostLanguage()));
  };
  const read = () => {
    const { auditExport, auditEndpoint } = readSettings();
    return auditExport === "otlp"
      ? readOtlpSettings(process.env, auditEndpoint)
      : ({ kind: "off" } as const);
  };
  const audit = register(
    new AuditExport({
      folder,
      version,
      settings: () => {
        const reading = read();
        return reading.kind === "on" ? reading.settings : undefined;
      },
      post: async (url, body, settings, signal) => {
        const { postToCollector } = await import("../../registry/registryClient");
        return postToCollector(url, body, settings, readNetworkSettings(), signal);
      },
      redact: (text) => redactor.redact(text),
      report,
    }),
  );
  const restart = () => {
    const reading = read();
    if (reading.kind === "unusable") report(reading.problem);
    audit.restart();
  };
  const ours: readonly (keyof Settings)[] = ["auditExport", "auditEndpoint"];
  register(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (ours.some((name) => change.affectsConfiguration(settingName(name)))) restart();
    }),
  );
  restart();
  return audit;
}
