import type * as vscode from "vscode";
import type { InvocationRow } from "../../core/invocation/record/invocationList";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { KeptTexts } from "../../engine/record/keptTexts";
import type { TrialRecord } from "../../engine/record/trialRecord";
import type { Store } from "../../engine/store/store";
import type { LazyLanguageClient } from "../author/payloadChecks";
import type { RegistryConnection } from "../connect/registryConnection";
import type { WindowPlace } from "../environments/windowPlace";
import { logArgument } from "../ids";
import type { PageFrame } from "../inspect/pageFrame";
import type { SkillDetails } from "../inspect/skillDetails";
import type { RunningInvocations } from "../invoke/runningInvocations";
import type { ProjectKeys } from "../keys/projectKeys";
import type { LazyTreeDataProvider } from "../lazyProviders";
import type { CommandHandlers } from "../registerCommands";
import { InvocationLinks } from "../terminal/invocationLinks";
import type { OutputChannels } from "../ui/outputChannels";
import type { Register } from "../ui/owner";
import type { CurrentProject } from "../workspace/currentProject";
import { auditCommands } from "./auditCommands";
import { copyReport } from "./copyReport";
import { InvocationsView } from "./invocationsView";
import {
  InvocationDocuments,
  OutputChannelLinks,
  OutputCodeLens,
  OutputDocuments,
} from "./outputDocuments";
import { OutputProblems } from "./outputProblems";
import { SpendingStatus } from "./spendingStatus";
import { UsagePage } from "./usagePage";

/** The dependencies of showing the record. */
interface AuditSources {
  readonly history: InvocationHistory;
  readonly trials: TrialRecord;
  readonly store: Store;
  readonly running: RunningInvocations;
  readonly project: CurrentProject;
  readonly connection: RegistryConnection;
  readonly place: WindowPlace;
  readonly keys: ProjectKeys;
  readonly details: SkillDetails;
  readonly language: LazyLanguageClient;
  readonly redactor: KeyRedactor;
  readonly channels: OutputChannels;
  readonly frame: PageFrame;
  readonly tree: LazyTreeDataProvider<InvocationRow>;
  readonly context: Pick<vscode.ExtensionContext, "extension">;
  /** Opens a JSON text as a new payload of a skill that accepts it, chosen by the user. */
  readonly usePayload: (text: string) => Promise<void>;
  /** The editor and its profile, as records name them. */
  readonly profile: string;
  readonly version: string;
  readonly register: Register;
}

/** Builds everything that shows past invocations: their view, documents, costs and the Usage page. */
export function startAudit(sources: AuditSources) {
  const { history, project, details, redactor, channels, register } = sources;
  register(new SpendingStatus(sources.store, history));
  const texts = new KeptTexts(history, (text) => redactor.redact(text));
  const { trials, running, tree, profile, place } = sources;
  const view = register(
    new InvocationsView({ history, trials, running, project, tree, profile, place, texts }),
  );
  const documents = register(new InvocationDocuments(history));
  const outputs = register(new OutputDocuments(history, redactor, texts));
  register(new OutputCodeLens(history, outputs, place));
  register(new InvocationLinks(history, (record) => documents.open(record)));
  register(new OutputChannelLinks(history, sources.context.extension.id));
  register(new OutputProblems({ history, outputs, details, language: sources.language }));
  const usagePage = register(new UsagePage({ history, project, frame: sources.frame }));
  const commands = {
    ...auditCommands({ ...sources, view, documents, outputs }),
    showUsage: () => usagePage.open(),
    showOutput: (what) => (what === logArgument ? channels.showLog() : channels.showOutput()),
    copyReport: () => copyReport(sources),
  } satisfies Partial<CommandHandlers>;
  return { view, documents, outputs, usagePage, commands };
}
