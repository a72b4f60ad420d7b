import * as vscode from "vscode";
import type { InvocationRow } from "../core/invocation/record/invocationList";
import type { ProjectRow } from "../core/project/projectRows";
import { KeyRedactor } from "../core/registry/redactSecrets";
import type { SkillRow } from "../core/skillList/skillRows";
import { machineFiles, machineFolder } from "../engine/files/machine";
import { keepMachineSettings } from "../engine/files/machineSettings";
import { SpendingLedger } from "../engine/gates/spendingLedger";
import { InvocationHistory } from "../engine/record/invocationHistory";
import type { UserSessions } from "./account/userSessions";
import type { CallAgentTool } from "./agents/agentTools";
import { AllowedSkills } from "./agents/allowedSkills";
import { startAgents } from "./agents/startAgents";
import { auditCommands, chooseInvocation } from "./audit/auditCommands";
import { copyReport } from "./audit/copyReport";
import { InvocationsView } from "./audit/invocationsView";
import {
  InvocationDocuments,
  OutputChannelLinks,
  OutputCodeLens,
  OutputDocuments,
} from "./audit/outputDocuments";
import { OutputProblems } from "./audit/outputProblems";
import { recordReports } from "./audit/recordReports";
import { SpendingStatus } from "./audit/spendingStatus";
import { startAuditExport } from "./audit/startAuditExport";
import { TextKeeping } from "./audit/textKeeping";
import { UsagePage } from "./audit/usagePage";
import { openNewPayload } from "./author/newPayload";
import type { PayloadBindings } from "./author/payloadBindings";
import { LazyLanguageClient } from "./author/payloadChecks";
import { startAuthoring } from "./author/startAuthoring";
import { connectToRegistry } from "./connect/connectToRegistry";
import { currentKey, currentRegistry } from "./connect/currentRegistry";
import { KeyVersions } from "./connect/keyVersions";
import { RegistryOffer } from "./connect/offerRegistry";
import { PolicyCache } from "./connect/policyCache";
import { askForProjectKey, projectKeyCommands } from "./connect/projectKeyCommands";
import { ProjectKeys } from "./connect/projectKeys";
import {
  type ConnectedRegistry,
  EmbeddedRegistry,
  RegistryConnection,
} from "./connect/registryConnection";
import { discoverCommands, refreshList } from "./discover/discoverCommands";
import { ListMemory } from "./discover/listMemory";
import { pickSkill as pickSkillOf, type SkillAction } from "./discover/pickSkill";
import { RowDetails } from "./discover/rowDetails";
import { SkillCatalog } from "./discover/skillCatalog";
import { SkillMarking } from "./discover/skillMarking";
import { SkillsView } from "./discover/skillsView";
import { FirstSteps } from "./firstSteps";
import { commandIds, editorCommandIds } from "./ids";
import { callabilityFacts } from "./inspect/callabilityFacts";
import { ComparisonPages } from "./inspect/comparisonPages";
import { copyTypeScriptClient } from "./inspect/copyClient";
import { inspectCommands, openSkillLink, thisSkill } from "./inspect/inspectCommands";
import { ManifestDocuments } from "./inspect/manifestDocuments";
import { pageEffects } from "./inspect/pageEffects";
import { PageFrame } from "./inspect/pageFrame";
import { SkillDetails, versionsInUse } from "./inspect/skillDetails";
import { SkillPages } from "./inspect/skillPages";
import { copyCommands, copyPayloadLink } from "./invoke/copyInvocation";
import { ExampleTrials, type TrialParts } from "./invoke/exampleTrials";
import { TestRunOffer } from "./invoke/invocationTarget";
import {
  invokeLast,
  invokeSkill,
  openPayload,
  openSavedPayload,
  rerunInvocation,
  showPayload,
  startInvoker,
} from "./invoke/invokeCommands";
import { RunningInvocations } from "./invoke/runningInvocations";
import { ResultEditor } from "./invoke/showOutcome";
import type { FileContents, LazyTestController, LazyTreeDataProvider } from "./lazyProviders";
import type { CommandHandlers } from "./registerCommands";
import { ReadinessDocuments } from "./review/checkReadiness";
import { ReviewProblems } from "./review/checkReviews";
import { ContractDocuments } from "./review/contractDocuments";
import { reviewCommands } from "./review/reviewCommands";
import { WorkspaceReviews } from "./review/workspaceReviews";
import { settingSection } from "./settingRows";
import { readSettings } from "./settings";
import { SkillFiles } from "./skillFiles";
import { PayloadTests } from "./suites/payloadTests";
import { suiteCommands } from "./suites/saveAsTest";
import { SkillItems, SkillTests } from "./suites/skillTests";
import { acceptOutput, runSuite, SuiteTests } from "./suites/suiteTests";
import { offerTerminalCommand } from "./terminal/terminalCommand";
import { hostLanguage } from "./ui/hostLanguage";
import { OutputChannels } from "./ui/outputChannels";
import { CurrentProject } from "./workspace/currentProject";
import { startWorkspace } from "./workspace/startWorkspace";

/** The parts that activation has registered. */
export interface ActivationHandlers {
  readonly bindings: PayloadBindings;
  readonly skills: LazyTreeDataProvider<SkillRow>;
  readonly project: LazyTreeDataProvider<ProjectRow>;
  readonly invocations: LazyTreeDataProvider<InvocationRow>;
  readonly sessions: UserSessions;
  readonly tests: Pick<LazyTestController, "runSuite">;
}

/** The parts of the extension that the registered entry points use. */
export interface App {
  readonly commands: CommandHandlers;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  readonly usagePage: UsagePage;
  /** Shows the skill that a link into the editor names, and the payload that it brings. */
  readonly openLink: (link: vscode.Uri) => Promise<void>;
  /** Runs a tool for an agent. Never rejects. */
  readonly callAgentTool: CallAgentTool;
  /** Returns the contents of the Test Explorer's entry, the same one each time. */
  readonly tests: (controller: vscode.TestController) => SkillTests;
  /** Signs a user in for the editor's Accounts menu. Rejects where the user canceled. */
  readonly signIn: () => Promise<vscode.AuthenticationSession>;
  readonly signOut: (sessionId: string) => Promise<void>;
  /** The policies of the project in use, as documents. */
  readonly policies: FileContents;
  /** Writes a line to the log channel. */
  readonly note: (text: string) => void;
}

/**
 * Builds every part of the extension, on the first use of any of them, each of what was built before it: nothing here
 * uses a name that is defined further down. Awaits nothing; everything it builds is disposed with the extension. Long
 * because it is the one place where the parts are connected: it only builds and connects.
 */
export function composeExtension(
  context: vscode.ExtensionContext,
  handlers: ActivationHandlers,
): App {
  const register = <Part extends vscode.Disposable>(part: Part): Part => {
    context.subscriptions.push(part);
    return part;
  };
  const { bindings } = handlers;
  const bundle = (name: string) => vscode.Uri.joinPath(context.extensionUri, "dist", name).fsPath;
  const redactor = new KeyRedactor();
  const channels = register(new OutputChannels(redactor));
  const files = machineFiles(machineFolder(process.env));
  const retention = () => {
    const { historyMaxEntries: maxEntries, historyMaxDays: maxDays } = readSettings();
    return { maxEntries, maxDays };
  };
  const keeping = register(new TextKeeping(context.globalState));
  const shareSettings = () => {
    const { dailyLimitCents, auditExport, auditEndpoint } = readSettings();
    const settings = {
      ...{ ...retention(), ...keeping.settings },
      ...{ dailyLimitCents, auditExport, auditEndpoint },
    };
    void keepMachineSettings(files.settings, settings);
  };
  shareSettings();
  register(keeping.onDidChange(shareSettings));
  register(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingSection)) shareSettings();
    }),
  );
  const reports = recordReports(channels);
  const history = register(new InvocationHistory(files.invocations, retention, reports));
  const audit = startAuditExport(files.outbox, {
    version: versionOf(context),
    redactor,
    channels,
    register,
  });

  register(
    offerTerminalCommand(context, (error) =>
      channels.noteFailure(
        `The command for terminals could not be written: ${String(error)}`,
        "warning",
      ),
    ),
  );

  // Connect
  const embedded = register(new EmbeddedRegistry(bundle("localRegistryWorker.js")));
  const { secrets, globalState } = context;
  const keys = register(new ProjectKeys({ secrets, origins: globalState, redactor }));
  const { sessions } = handlers;
  const redactKey: typeof keys.redactKey = async (registry, learnedLate) => {
    await Promise.all([
      keys.redactKey(registry, learnedLate),
      sessions.redactTokens(redactor, learnedLate),
    ]);
  };
  const connection = register(new RegistryConnection(embedded, { redactKey }, redactor, channels));
  const policies = register(new PolicyCache(context.globalState));
  const callabilityChanged = register(new vscode.EventEmitter<void>());
  const project = register(
    new CurrentProject({
      connection,
      sessions,
      workspaceMemory: context.workspaceState,
      userMemory: globalState,
      findKey: (registry) => keys.find(registry),
      // The cached policies of the key may be outdated after a change of the project.
      changeMade: (registry) => policies.forget(registry),
    }),
  );
  keys.follow(project);

  // Discover
  const memory = new ListMemory(context.workspaceState, context.globalState);
  const catalog = register(new SkillCatalog(connection, memory, channels));
  const marking = register(new SkillMarking(memory));
  const language = hostLanguage();
  const rowDetails = register(new RowDetails(connection));
  const details = register(
    new SkillDetails(
      connection,
      language,
      (skill) => rowDetails.learn(skill.summary, skill),
      versionsInUse(project, register(new KeyVersions({ connection, keys, policies }))),
    ),
  );
  const firstSteps = register(new FirstSteps(globalState, history, bindings));
  const reviews = register(new WorkspaceReviews());
  const allowed = register(new AllowedSkills());
  const skillFiles = register(new SkillFiles(bindings));
  const skills = {
    catalog,
    marking,
    details: rowDetails,
    firstSteps,
    reviews,
    files: skillFiles,
    allowed,
    tree: handlers.skills,
  };
  const view = register(new SkillsView(skills));
  const source = { connection, details: rowDetails };
  const pickSkill = (title: string, actions?: readonly SkillAction[]) =>
    pickSkillOf(source, title, actions);

  // Author
  const callabilitySources = {
    connection,
    keys,
    policies,
    invocations: () => history.list(),
    project: (slug: string, key: string | undefined) => project.predictionOf(slug, "", key),
    isOfUnknownProject: (key: string) => project.isOfUnknownProject(key),
  };
  const factsOf = (slug: string) => callabilityFacts(callabilitySources, slug);
  const foretellingFactsOf = async (slug: string) => ({
    ...(await factsOf(slug)),
    foretells: true,
  });
  const languageClient = register(new LazyLanguageClient(bundle("languageWorker.js")));
  const running = register(new RunningInvocations());
  const testRuns = register(new TestRunOffer());
  const author = startAuthoring({
    running,
    testRuns,
    callability: { facts: foretellingFactsOf, onDidChange: callabilityChanged.event },
    bindings,
    details,
    connection,
    keys,
    register,
    language: languageClient,
    source,
    pickSkill,
  });
  const { checks } = author;
  const payloads = { bindings, details, sample: checks.sample, files: skillFiles };
  const openAsPayload: TrialParts["openAsPayload"] = (skill, example) =>
    openNewPayload(skill, payloads, example);

  // Sign in
  register(keys.onDidChange(() => void project.followKey()));
  const workspace = startWorkspace({
    connection,
    keys,
    project,
    payloads: { files: skillFiles, details, checks },
    history,
    tree: handlers.project,
    pickSkill,
    testRuns,
    register,
  });
  const askForKey = async (registry: ConnectedRegistry) =>
    askForProjectKey(keys, registry, await workspace.keyOffer(registry));

  // Audit and invoke
  const ledger = register(new SpendingLedger(files.spending));
  register(new SpendingStatus(ledger));
  const invocationsView = register(
    new InvocationsView(history, running, project, handlers.invocations, (text) =>
      redactor.redact(text),
    ),
  );
  const documents = register(new InvocationDocuments(history));
  const outputs = register(new OutputDocuments(history, redactor));
  register(new OutputCodeLens(history, outputs));
  register(new OutputChannelLinks(history, context.extension.id));
  register(new OutputProblems({ history, outputs, details, language: languageClient }));
  const { engine, invoker, openCases } = startInvoker({
    connection,
    keys,
    askForKey,
    testRunPlace: (registry) => workspace.testRunPlace(registry),
    checks,
    details,
    callabilityFacts: factsOf,
    objectionTo: (skill, asked) => reviews.objectionTo(skill, asked),
    acceptObjection: (skill, objection) => reviews.accept(skill, objection),
    ledger,
    history,
    audit,
    channels,
    keeping,
    files,
    openSkill: async (slug) => vscode.commands.executeCommand(commandIds.openSkill, slug),
    openRecord: (record) => documents.open(record),
    runRemedy: (remedy, blocked) => workspace.remedies.run(remedy, blocked),
    projectAt: (registry) => project.chosenAt(registry)?.slug,
    askForOutcome: () => project.state.kind === "project" && project.refresh(),
    results: new ResultEditor(outputs, channels),
    running,
  });

  // Inspect
  const pageHandlers = pageEffects({
    manifests: register(new ManifestDocuments(details, language)),
    newPayload: openAsPayload,
    showPayload: (skill) => showPayload({ ...payloads, history }, skill),
    listSkills: (filters) => catalog.setQuery({ text: "", filters }),
  });
  const frame = new PageFrame(context.extensionUri);
  const pages = register(
    new SkillPages({
      frame,
      language,
      connection,
      details,
      handlers: pageHandlers,
      callabilityFacts: foretellingFactsOf,
      reviewOf: (skill) => reviews.noteOn(skill),
      agentsOf: async (slug) => {
        const registry = await currentRegistry(connection);
        return registry && allowed.noteOn(registry, slug);
      },
      outline: checks.outline,
      sample: checks.sample,
      trialsOf: (page) =>
        new ExampleTrials({ invoker, checks, outputs, details, openAsPayload }, page),
    }),
  );
  const comparisons = register(
    new ComparisonPages({ frame, language, connection, details, outline: checks.outline }),
  );
  const usagePage = register(new UsagePage({ history, project, frame }));
  const chooseThis = async (title: string) =>
    thisSkill({ pages, bindings, view }) ?? (await pickSkill(title));

  const agents = startAgents({
    context,
    connection,
    details,
    checks,
    reviews,
    engine,
    history,
    audit,
    ledger,
    files,
    running,
    channels,
    allowed,
    register,
    chooseThis,
  });

  // What is shown anew, and in which order: first what is kept is forgotten, of the registry (skills, rows) and of the
  // workspace (files, reviews), then what is drawn from it, then the payloads, whose checks may take seconds, last what
  // takes requests of its own (the project, the list). Another registry has a connection of its own, which empties the
  // list and the details, and by which the project is read again.
  const startOver = () => {
    reviews.forget();
    pages.refresh();
    comparisons.refresh();
    checks.checkAll();
  };
  const refresh = async () => {
    if (!(await connection.current()).ok) return connection.reset();
    details.forgetAll();
    rowDetails.forget();
    skillFiles.reread();
    startOver();
    await Promise.all([project.refresh(), refreshList(catalog)]);
  };
  register(connection.onDidChange(startOver));
  register(
    details.onDidChange((slug) => {
      pages.refresh(slug);
      comparisons.refresh(slug);
      author.checkAgain(slug);
    }),
  );
  for (const { onDidChange } of [keys, policies, history, project, reviews, allowed]) {
    register(onDidChange(() => callabilityChanged.fire()));
  }
  register(callabilityChanged.event(() => pages.refreshCallability()));

  const invoking = { ...payloads, connection, history, invoker, running, pickSkill };
  register(
    new RegistryOffer({
      reviews,
      memory: context.workspaceState,
      connect: async (address) => {
        await connectToRegistry(address);
        const registry = await currentRegistry(connection);
        if (registry?.origin !== address) return;
        const who = (await project.signedIn()) ?? (await workspace.signIn());
        // Without an account, the first invocation asks for a key.
        const needsKey = (await keys.find(registry)) === undefined;
        if (who !== undefined && needsKey) await workspace.createKey({ isAgreed: true });
        if (who !== undefined || !needsKey) await openSavedPayload(invoking);
      },
    }),
  );
  let filledTests: SkillTests | undefined;
  const commands: CommandHandlers = {
    connect: connectToRegistry,
    ...discoverCommands({
      catalog,
      source,
      marking,
      memory,
      view,
      pickSkill,
      chooseThis,
      openSkill: (slug) => pages.open(slug),
      openPayload: (slug) => openPayload(invoking, slug),
      noteList: () => firstSteps.noteList(),
    }),
    refresh,
    ...inspectCommands({ source, pages, comparisons, pickSkill, view }),
    ...author.commands,
    invoke: (argument) => invokeSkill(invoking, argument),
    testRun: (argument) => invokeSkill(invoking, argument, true),
    openPayload: (argument) => openPayload(invoking, argument),
    invokeLast: () => invokeLast(invoking),
    cancelInvocation: (argument) => running.cancel(argument),
    ...copyCommands({ ...payloads, connection, keys, pages, chooseThis }),
    copyAsTypeScript: (argument) =>
      copyTypeScriptClient({ details, bindings, chooseThis, shapes: checks.shapes }, argument),
    ...projectKeyCommands({ connection, keys, policies, askForKey }),
    ...workspace.commands,
    ...reviewCommands({
      connection,
      contracts: register(new ContractDocuments()),
      problems: register(new ReviewProblems(skillFiles)),
      readiness: {
        documents: register(new ReadinessDocuments()),
        keys,
        policies,
        records: () => history.list(),
        projectFacts: workspace.projectFacts,
      },
      extension: context.extensionUri,
      chooseThis,
    }),
    ...agents.commands,
    showOutput: () => channels.showOutput(),
    showLog: () => channels.showLog(),
    ...auditCommands({ history, view: invocationsView, documents, outputs, details }),
    runSuite: (argument) => runSuite(handlers.tests, argument),
    acceptOutput: (argument) => acceptOutput(filledTests?.suites, argument),
    ...suiteCommands({
      history,
      files: skillFiles,
      outputs,
      details,
      sample: checks.sample,
      projectKey: () => currentKey(connection, keys),
      chooseThis,
    }),
    rerunInvocation: async (argument) => {
      const title = vscode.l10n.t("Rerun Invocation");
      const record = await chooseInvocation(history, argument, { title });
      if (record !== undefined) await rerunInvocation(invoking, record);
    },
    showUsage: () => usagePage.open(),
    copyReport: () =>
      copyReport({ connection, keys, history, redactor, version: versionOf(context) }),
  };
  register(
    vscode.commands.registerCommand(editorCommandIds.copyPayloadLink, (uri) =>
      copyPayloadLink({ connection, keys, bindings }, context.extension.id, uri),
    ),
  );
  const openLink = (link: vscode.Uri) => openSkillLink({ pages, details, bindings }, link);
  const tests = (controller: vscode.TestController) => {
    if (filledTests !== undefined) return filledTests;
    const items = new SkillItems(controller);
    const tested = { details, checks, files: skillFiles };
    filledTests = new SkillTests(
      controller,
      register(new PayloadTests(controller, items, { bindings, ...tested })),
      register(new SuiteTests(controller, items, { openCases, ...tested })),
    );
    return filledTests;
  };
  return {
    commands,
    pages,
    comparisons,
    usagePage,
    openLink,
    callAgentTool: agents.callTool,
    tests,
    signIn: async () => {
      const id = await workspace.signIn();
      const session = (await sessions.asEditorSessions()).find((one) => one.id === id);
      if (session === undefined) throw new vscode.CancellationError();
      return session;
    },
    signOut: workspace.signOut,
    policies: workspace.policies,
    note: (text) => channels.noteFailure(text),
  };
}

function versionOf(context: vscode.ExtensionContext): string {
  return String((context.extension.packageJSON as { version?: unknown }).version ?? "");
}
