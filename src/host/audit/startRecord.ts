import * as vscode from "vscode";
import { readOtlpSettings } from "../../core/audit/otlpSettings";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { english, type LocalizableText, localize } from "../../core/text/language";
import { AuditExport } from "../../engine/audit/auditExport";
import { rejectedFolder } from "../../engine/files/machine";
import { settingsKeeper } from "../../engine/files/machineSettings";
import { InvocationHistory } from "../../engine/record/invocationHistory";
import type { RecordReports } from "../../engine/record/recordReports";
import { TrialRecord } from "../../engine/record/trialRecord";
import type { Store } from "../../engine/store/store";
import { openStoreThread } from "../../engine/store/thread/openStoreThread";
import { readNetworkSettings } from "../connect/readNetworkSettings";
import { type Settings, settingName, settingSection } from "../settingRows";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { warn } from "../ui/messages";
import type { OutputChannels } from "../ui/outputChannels";
import type { Register } from "../ui/owner";
import { warnWithLog } from "../ui/showNotice";
import { TextKeeping } from "./textKeeping";

interface RecordSources {
  /** The folder that all programs of this machine share. */
  readonly folder: string;
  /** The bundle of the store's thread. */
  readonly storeWorkerPath: string;
  readonly context: Pick<vscode.ExtensionContext, "globalState">;
  readonly version: string;
  readonly redactor: KeyRedactor;
  readonly channels: Pick<OutputChannels, "noteFailure">;
  readonly register: Register;
}

/** Opens the record, and shares its settings with all programs of this machine. */
export function startRecord(sources: RecordSources) {
  const { folder, context, channels, register } = sources;
  const keeping = register(new TextKeeping(context.globalState));
  const { store, close } = openStoreThread(
    folder,
    ({ kind, text }) => {
      channels.noteFailure(localize(text, english), kind === "slow" ? "warning" : "error");
      if (kind !== "slow") warnWithLog(localize(text, hostLanguage()));
    },
    sources.storeWorkerPath,
  );
  register({ dispose: () => void close() });
  shareSettings(store, keeping, channels, register);
  const reports = recordReports(channels);
  const history = register(new InvocationHistory(store, retention, reports));
  const trials = register(new TrialRecord(store, retention, reports));
  const audit = startAuditExport(store, sources);
  return { keeping, history, trials, store, audit };
}

function shareSettings(
  store: Store,
  keeping: TextKeeping,
  channels: Pick<OutputChannels, "noteFailure">,
  register: Register,
): void {
  const read = () => {
    const { dailyLimitCents, auditExport, auditEndpoint } = readSettings();
    return {
      ...{ ...retention(), ...keeping.settings },
      ...{ dailyLimitCents, auditExport, auditEndpoint },
    };
  };
  const keep = settingsKeeper(store, read);
  const share = () => {
    // A log entry is enough: the user is told when an invocation is not recorded.
    void keep().catch((error: unknown) =>
      channels.noteFailure(`The settings could not be shared: ${String(error)}`),
    );
  };
  share();
  register(keeping.onDidChange(share));
  register(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingSection)) share();
    }),
  );
}

function retention() {
  const { historyMaxEntries: maxEntries, historyMaxDays: maxDays } = readSettings();
  return { maxEntries, maxDays };
}

/** Logs problems with the record. Those that no command can report are shown as well. */
function recordReports(channels: Pick<OutputChannels, "noteFailure">): RecordReports {
  return {
    notWritten: (error, isFirst) => {
      channels.noteFailure(`An invocation could not be recorded: ${String(error)}`);
      if (!isFirst) return;
      warnWithLog(
        vscode.l10n.t(
          "Invocations cannot be recorded: the folder of the record cannot be written. They stay listed until this window closes, and in the output channel with their IDs.",
        ),
      );
    },
    notRead: (error) => channels.noteFailure(`The record could not be read: ${String(error)}`),
    notRetained: (error) =>
      channels.noteFailure(`Old invocations could not be removed: ${String(error)}`),
    notChanged: (error) => {
      channels.noteFailure(`The record could not be changed: ${String(error)}`);
      void warn(vscode.l10n.t("Not changed: the folder of the record cannot be written."));
    },
  };
}

/** Opens the audit export by the user's settings, and sends waiting entries. */
function startAuditExport(
  store: Store,
  { folder, version, redactor, channels, register }: RecordSources,
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
      store,
      folder: rejectedFolder(folder),
      version,
      settings: () => {
        const reading = read();
        return reading.kind === "on" ? reading.settings : undefined;
      },
      post: async (target, body, signal) => {
        const { postToCollector } = await import("../../registry/registryClient");
        return postToCollector(target, body, readNetworkSettings(), signal);
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
  const auditSettings: readonly (keyof Settings)[] = ["auditExport", "auditEndpoint"];
  register(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (auditSettings.some((name) => change.affectsConfiguration(settingName(name)))) restart();
    }),
  );
  restart();
  return audit;
}
