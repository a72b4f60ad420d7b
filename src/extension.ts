import * as vscode from "vscode";
import { unrestrictedQuery } from "./core/skillQueryWords";
import { chooseInvocation } from "./host/audit/chooseInvocation";
import { copyInvocationId } from "./host/audit/copyInvocationId";
import { exportInvocations } from "./host/audit/exportInvocations";
import { InvocationDocuments } from "./host/audit/invocationDocuments";
import { InvocationHistory } from "./host/audit/invocationHistory";
import { InvocationStore } from "./host/audit/invocationStore";
import { InvocationsView } from "./host/audit/invocationsView";
import { bindPayload, unbindPayload } from "./host/author/bindPayload";
import { openNewPayload, openNewPayloadFor } from "./host/author/newPayload";
import { PayloadBindings } from "./host/author/payloadBindings";
import { PayloadChecks } from "./host/author/payloadChecks";
import { PayloadCodeLens } from "./host/author/payloadCodeLens";
import { PayloadDiagnostics } from "./host/author/payloadDiagnostics";
import { PayloadStatus } from "./host/author/payloadStatus";
import { validatePayload } from "./host/author/validatePayload";
import { connectToRegistry } from "./host/connect/connectToRegistry";
import { EmbeddedRegistry } from "./host/connect/embeddedRegistry";
import { removeProjectKey, setProjectKey } from "./host/connect/projectKeyCommands";
import { ProjectKeys } from "./host/connect/projectKeys";
import { RegistryConnection } from "./host/connect/registryConnection";
import { chooseSkill } from "./host/discover/askForSkill";
import { filterSkills } from "./host/discover/filterSkills";
import { searchSkills } from "./host/discover/searchSkills";
import { SkillCatalog } from "./host/discover/skillCatalog";
import { SkillsView } from "./host/discover/skillsView";
import { slugArgument } from "./host/discover/slugArgument";
import { pageEffects } from "./host/inspect/pageEffects";
import { SkillDetails } from "./host/inspect/skillDetails";
import { SkillPages } from "./host/inspect/skillPages";
import { copyAsCurl } from "./host/invoke/copyAsCurl";
import { Invoker } from "./host/invoke/invoker";
import { invokeSkill } from "./host/invoke/invokeSkill";
import { rerunInvocation } from "./host/invoke/rerunInvocation";
import { registerCommands } from "./host/registerCommands";
import { OutputChannels } from "./host/words/outputChannels";

/** Builds every part of the extension in the order of the user's journey. Awaits nothing. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <Part extends vscode.Disposable>(part: Part): Part => {
    context.subscriptions.push(part);
    return part;
  };
  const bundle = (name: string) => vscode.Uri.joinPath(context.extensionUri, "dist", name).fsPath;
  const channels = own(new OutputChannels());

  // Connect
  const embedded = own(new EmbeddedRegistry(bundle("localRegistryWorker.js")));
  const connection = own(new RegistryConnection(embedded));
  const keys = new ProjectKeys(context.secrets);

  // Discover
  const catalog = own(new SkillCatalog(connection, unrestrictedQuery, channels));
  own(new SkillsView(catalog));
  const askWhich = (title: string) => chooseSkill(connection, title);
  const skillFor = async (argument: unknown, title: string) =>
    slugArgument(argument) ?? (await askWhich(title));

  // Inspect and author
  const details = own(new SkillDetails(connection));
  const bindings = own(new PayloadBindings(context.workspaceState));
  const payloads = { bindings, details };
  const effects = pageEffects((skill, example) => openNewPayload(skill, bindings, example));
  const { extensionUri } = context;
  const pages = own(new SkillPages({ extensionUri, connection, details, effects }));
  const checks = own(new PayloadChecks(bundle("validationWorker.js"), payloads));
  own(new PayloadDiagnostics(checks));
  own(new PayloadStatus(bindings, checks));
  own(new PayloadCodeLens(bindings, checks));

  // Audit and invoke
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "invocations").fsPath;
  const history = own(new InvocationHistory(new InvocationStore(folder), folder, channels));
  own(new InvocationsView(history));
  const documents = own(new InvocationDocuments(history));
  const invoker = new Invoker({
    connection,
    keys,
    checks,
    traces: { history, channels },
    openSkill: (slug) => pages.open(slug),
    openRecord: (record) => documents.open(record),
  });
  const recordFor = (argument: unknown, title: string) =>
    chooseInvocation(history, argument, title);

  own(
    connection.onDidChange(() => {
      pages.refresh();
      checks.checkAll();
    }),
  );
  own(
    registerCommands(
      {
        connect: connectToRegistry,
        search: (text) => searchSkills(catalog, connection, (slug) => pages.open(slug), text),
        filter: (filters) => filterSkills(catalog, filters),
        clearFilters: () => catalog.setQuery(unrestrictedQuery),
        refresh: async () => {
          if (!(await connection.current()).ok) return connection.reset();
          details.forgetAll();
          pages.refresh();
          checks.checkAll();
          await catalog.refresh();
        },
        loadMore: () => catalog.loadMore(),
        openSkill: async (argument, option) => {
          const slug = await skillFor(argument, "Open Skill");
          if (slug !== undefined) await pages.open(slug, option);
        },
        newPayload: async (argument) => {
          const slug = await skillFor(argument, "New Payload for Skill");
          if (slug !== undefined) await openNewPayloadFor(payloads, slug);
        },
        bindPayload: (argument) => bindPayload(bindings, askWhich, argument),
        unbindPayload: () => unbindPayload(bindings),
        validatePayload: (argument) => validatePayload(checks, argument),
        invoke: (argument) => invokeSkill({ ...payloads, invoker, askWhich }, argument),
        copyAsCurl: (argument) => copyAsCurl({ ...payloads, connection, askWhich }, argument),
        setProjectKey: () => setProjectKey(keys, connection),
        removeProjectKey: () => removeProjectKey(keys, connection),
        showOutput: () => channels.showOutput(),
        showLog: () => channels.showLog(),
        openInvocation: async (argument) => {
          const record = await recordFor(argument, "Open Invocation");
          if (record !== undefined) await documents.open(record);
        },
        rerunInvocation: async (argument) => {
          const record = await recordFor(argument, "Rerun Invocation");
          const parts = { connection, history, bindings, invoker };
          if (record !== undefined) await rerunInvocation(parts, record);
        },
        copyInvocationId: async (argument) => {
          const record = await recordFor(argument, "Copy Invocation ID");
          if (record !== undefined) await copyInvocationId(record);
        },
        exportInvocations: () => exportInvocations(history),
      },
      (text) => channels.note(text),
    ),
  );
}
