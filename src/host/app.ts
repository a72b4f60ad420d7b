import * as vscode from "vscode";
import { editorProfile } from "../core/invocation/profile";
import type { InvocationRow } from "../core/invocation/record/invocationList";
import type { RecordQuery } from "../core/invocation/record/recordQuery";
import type { ProjectRow } from "../core/project/projectRows";
import { KeyRedactor } from "../core/registry/redactSecrets";
import type { SkillRow } from "../core/skillList/rows/skillRows";
import { hasRelativeHome, homeVariable, machineFolder } from "../engine/files/machine";
import { runYielding } from "../registry/wait";
import type { Link } from "../window/link";
import { QuestionGate } from "../window/questionGate";
import type { CallAgentTool } from "./agents/agentTools";
import { AllowedSkills } from "./agents/allowedSkills";
import { startAgents } from "./agents/startAgents";
import { chooseInvocation } from "./audit/auditCommands";
import { startAudit } from "./audit/startAudit";
import { startRecord } from "./audit/startRecord";
import type { PayloadBindings } from "./author/payloadBindings";
import { LazyLanguageClient } from "./author/payloadChecks";
import { startAuthoring } from "./author/startAuthoring";
import {
  connectToOffered,
  connectToRegistry,
  connectToReviewed,
} from "./connect/connectToRegistry";
import { currentKey, currentRegistry } from "./connect/currentRegistry";
import { RegistryOffer } from "./connect/offerRegistry";
import { RecentRegistries } from "./connect/recentRegistries";
import type { ConnectedRegistry } from "./connect/registryConnection";
import { discoverCommands } from "./discover/discoverCommands";
import { FirstInvocation } from "./discover/firstInvocation";
import { startDiscover } from "./discover/startDiscover";
import { ThisSkill } from "./discover/thisSkill";
import { EnvironmentSecrets } from "./environments/environmentSecrets";
import { WindowPlace } from "./environments/windowPlace";
import { WorkspaceEnvironments } from "./environments/workspaceEnvironments";
import {
  commandIds,
  type DocumentScheme,
  editorCommandIds,
  type PageKind,
  unlistedCommands,
  type viewIds,
} from "./ids";
import { callabilityFacts } from "./inspect/callabilityFacts";
import { PageFrame } from "./inspect/pageFrame";
import { SkillDetails, versionsInUse } from "./inspect/skillDetails";
import { startInspect } from "./inspect/startInspect";
import { copyCommands, copyPayloadLink } from "./invoke/copyInvocation";
import { TestRunOffer } from "./invoke/invocationTarget";
import { invokeCommands, openPayload, openSavedPayload } from "./invoke/invokeCommands";
import { RunningInvocations } from "./invoke/runningInvocations";
import { ResultEditor } from "./invoke/showOutcome";
import { startInvoker } from "./invoke/startInvoker";
import { budgetLeft } from "./keys/keyProject";
import { askForProjectKey, projectKeyCommands } from "./keys/projectKeyCommands";
import { startConnect } from "./keys/startConnect";
import type { FileContents, LazyTreeDataProvider } from "./lazyProviders";
import { ManifestChecks } from "./publish/manifestChecks";
import { publishCommands } from "./publish/publishCommands";
import { tryCommands } from "./publish/tryAsSkill";
import { startRefreshing } from "./refreshing";
import {
  type CommandHandlers,
  commandRunner,
  type RunCommand,
  registerCommands,
  slugArgument,
} from "./registerCommands";
import { startReviews } from "./review/startReviews";
import { WorkspaceReviews } from "./review/workspaceReviews";
import { SkillFiles } from "./skillFiles";
import { contextFacts } from "./state/contextFacts";
import { ContextKeys } from "./state/contextKeys";
import type { LazyTestController } from "./suites/lazyTestController";
import type { SkillTests } from "./suites/skillTests";
import { startSuiteFiles, startSuites } from "./suites/startSuites";
import { caseStarter } from "./suites/suiteCases";
import { serveLink } from "./terminal/serveLink";
import { hostLanguage } from "./ui/hostLanguage";
import { OutputChannels } from "./ui/outputChannels";
import type { Register } from "./ui/owner";
import type { UserSessions } from "./workspace/account/userSessions";
import { CurrentProject } from "./workspace/currentProject";
import { startWorkspace } from "./workspace/startWorkspace";

/** The row type of each view. */
interface ViewRows {
  readonly skills: SkillRow;
  readonly project: ProjectRow;
  readonly invocations: InvocationRow;
}

/** The trees of all views. */
export type ViewTrees = {
  readonly [View in keyof typeof viewIds]: LazyTreeDataProvider<ViewRows[View]>;
};

/** The entry points that activation has registered. */
export interface ActivationHandlers {
  readonly bindings: PayloadBindings;
  readonly trees: ViewTrees;
  readonly sessions: UserSessions;
  readonly tests: Pick<LazyTestController, "runSuite">;
}

/** The parts of the extension that the registered entry points use. */
export interface App {
  readonly runCommand: RunCommand;
  /** Restores the pages of each kind after a restart of the window. */
  readonly pages: Readonly<Record<PageKind, vscode.WebviewPanelSerializer>>;
  /** Shows the skill of a link into the editor, and its payload if it has one. */
  readonly openLink: (link: vscode.Uri) => Promise<void>;
  /** Runs a tool for an agent. Never rejects. */
  readonly callAgentTool: CallAgentTool;
  /** Returns the contents of the Test Explorer, the same object at each call. */
  readonly tests: (controller: vscode.TestController) => SkillTests;
  /** Signs a user in. Resolves to the session's id; undefined if the user canceled. */
  readonly signIn: () => Promise<string | undefined>;
  readonly signOut: (sessionId: string) => Promise<void>;
  /** Serves a command of a terminal of this window. */
  readonly serveCommand: (link: Link) => void;
  /** Writes a failure into the log. */
  readonly noteFailure: (text: string) => void;
  /** The documents of each scheme of this extension. */
  readonly files: Readonly<Record<DocumentScheme, FileContents>>;
}

/**
 * Builds every part of the extension when the first one is needed, each from those built before. Awaits nothing.
 * Everything that it builds is disposed of with the extension.
 */
export function composeExtension(
  context: vscode.ExtensionContext,
  handlers: ActivationHandlers,
): App {
  const register: Register = (part) => {
    context.subscriptions.push(part);
    return part;
  };
  const { bindings, sessions } = handlers;
  const { globalState, workspaceState } = context;
  const bundle = (name: string) => vscode.Uri.joinPath(context.extensionUri, "dist", name).fsPath;
  const redactor = new KeyRedactor();
  const channels = register(new OutputChannels(redactor));
  if (hasRelativeHome(process.env)) {
    channels.noteFailure(`Ignored, since it is not an absolute path: ${homeVariable}`, "warning");
  }
  const folder = machineFolder(process.env);
  const version = String((context.extension.packageJSON as { version?: unknown }).version ?? "");
  const profile = editorProfile(vscode.env.appName, context.globalStorageUri.fsPath);
  const basics = { context, version, profile, redactor, channels, folder, register };
  const record = startRecord({ ...basics, storeWorkerPath: bundle("storeWorker.js") });
  const { history } = record;

  const place = register(new WindowPlace(workspaceState));
  const secrets = register(new EnvironmentSecrets(context.secrets, redactor));
  const environments = register(new WorkspaceEnvironments(place, secrets));
  const workerPath = bundle("localRegistryWorker.js");
  const { keyVersions, ...connected } = startConnect({ ...basics, sessions, place, workerPath });
  const { connection, keys, policies } = connected;
  const project = register(
    new CurrentProject({
      connection,
      sessions,
      workspaceMemory: workspaceState,
      userMemory: globalState,
      findKey: (registry) => keys.find(registry),
      namedProject: () => place.project,
      // The cached policies of the key may be outdated after a change of the project.
      changeMade: (registry) => policies.forget(registry),
    }),
  );
  keys.follow(project);

  const firstInvocation = register(new FirstInvocation(globalState, history));
  const reviews = register(new WorkspaceReviews(place));
  const allowed = register(new AllowedSkills());
  const skillFiles = register(new SkillFiles(bindings));
  const discover = startDiscover({
    ...{ ...basics, connection, project, firstInvocation, reviews, allowed, place },
    files: skillFiles,
    tree: handlers.trees.skills,
  });
  const { catalog, rowDetails, source, pickSkill } = discover;
  const thisSkill = new ThisSkill({ ...discover, bindings });
  const details = register(
    new SkillDetails(
      connection,
      hostLanguage(),
      (skill) => rowDetails.learn(skill.summary, skill),
      versionsInUse(project, keyVersions),
    ),
  );

  const callabilitySources = {
    ...connected,
    // If the record cannot be read, the key and the project decide alone.
    invocations: (selected: RecordQuery) => history.list(selected).catch(() => []),
    project: (slug: string, key: string | undefined) => project.predictionOf(slug, "", key),
    isOfUnknownProject: (key: string) => project.isOfUnknownProject(key),
  };
  const factsOf = (slug: string) => callabilityFacts(callabilitySources, slug);
  const callabilityChanged = register(new vscode.EventEmitter<void>());
  const languageClient = register(new LazyLanguageClient(bundle("languageWorker.js")));
  const running = register(new RunningInvocations());
  const testRuns = register(new TestRunOffer());
  const manifests = register(new ManifestChecks(languageClient, { details, project }));
  const author = startAuthoring({
    ...{ ...basics, ...connected, bindings, details, pickSkill, thisSkill, running },
    ...{ testRuns, environments, manifests, language: languageClient },
    suitesOf: startSuiteFiles({
      ...{ register, source, details, environments, bindings, files: skillFiles },
    }),
    callability: { facts: factsOf, onDidChange: callabilityChanged.event },
  });
  const { checks } = author;
  const payloads = { ...author.payloads, history, files: skillFiles };

  const frame = new PageFrame(context.extensionUri);
  const read = { project, place, bindings, details, checks, running, frame };
  const parts = { ...basics, ...connected, ...record, ...read };
  const audit = startAudit({
    ...parts,
    usePayload: author.usePayload,
    language: languageClient,
    tree: handlers.trees.invocations,
  });
  const { documents, outputs } = audit;

  const workspace = startWorkspace({
    ...{ ...connected, place, project, history, outputs, thisSkill, testRuns, register },
    payloads: { files: skillFiles, details, checks },
    tree: handlers.trees.project,
    memory: workspaceState,
  });
  const askForKey = async (registry: ConnectedRegistry) =>
    askForProjectKey(keys, registry, await workspace.keyOffer(registry));

  const openSkill = async (slug: string): Promise<void> =>
    vscode.commands.executeCommand(commandIds.openSkill, slug);
  const { engine, invoker } = startInvoker({
    keyProject: async (registry, slug) => {
      const key = await keys.find(registry);
      if (key === undefined) return undefined;
      const policy = policies.policyFor(registry, key, slug);
      const listed = policy?.kind === "listed" ? policy.listed.projectSlug : undefined;
      const found = await project.ofKeyInUse(registry, key);
      return found ?? (listed === undefined ? undefined : { text: listed });
    },
    ...parts,
    askForKey,
    testRunProject: () => workspace.testRunProject(),
    callabilityFacts: factsOf,
    budget: async (registry: ConnectedRegistry, slug: string) => {
      const key = await keys.find(registry);
      return key === undefined ? undefined : budgetLeft(project, registry, slug, key);
    },
    objectionTo: (skill, asked) => reviews.objectionTo(skill, asked),
    acceptObjection: (skill, objection) => reviews.accept(skill, objection),
    openSkill,
    openRecord: (item) => documents.open(item),
    runRemedy: (remedy, blocked) => workspace.remedies.run(remedy, blocked),
    projectAt: (registry) => project.chosenAt(registry)?.slug,
    askForOutcome: () => project.state.kind === "project" && project.refresh(),
    results: new ResultEditor(outputs, channels),
  });
  const startCases = caseStarter({ engine, connection, openSkill });

  const inspect = startInspect({
    ...{ ...parts, ...discover, thisSkill, payloads, outputs, invoker, reviews, allowed },
    callabilityFacts: factsOf,
  });
  const { pages, comparisons } = inspect;
  const trying = tryCommands(manifests, inspect.localPages);
  const suites = startSuites({
    ...{ ...parts, outputs, startCases, thisSkill, environments, place },
    files: skillFiles,
    explorer: handlers.tests,
    projectKey: () => currentKey(connection, keys),
  });
  const agents = startAgents({
    ...{ ...parts, reviews, allowed, engine, thisSkill },
    callabilityFacts: factsOf,
  });
  register(
    new ContextKeys(
      contextFacts({
        ...{ catalog, reviews, history, project, testRuns, bindings, running },
        invocationsView: audit.view,
      }),
      { user: globalState, workspace: workspaceState },
    ),
  );

  const { all: refresh, skill: readAgain } = startRefreshing({
    ...{ ...parts, pages, comparisons, catalog, rowDetails, reviews, allowed, author },
    files: skillFiles,
    callability: callabilityChanged,
  });

  const recent = new RecentRegistries(globalState);
  const connecting = {
    ...{ place, environments, recent, connection, keys, sessions },
    memory: workspaceState,
    chooseProject: workspace.chooseNamedProject,
  };
  const invoking = {
    ...payloads,
    ...{ connection, invoker, running, thisSkill, environments },
    chooseInvocation: (argument: unknown, title: string) =>
      chooseInvocation(history, argument, { title, words: (item) => outputs.words(item) }),
  };
  register(
    new RegistryOffer({
      reviews,
      memory: workspaceState,
      environments,
      connect: async (offered) => {
        await connectToOffered(connecting, offered);
        const registry = await currentRegistry(connection);
        if (registry?.baseUrl !== offered.address) return;
        const who = (await project.accounts.inUse()) ?? (await workspace.signIn());
        if (place.project !== undefined) await workspace.chooseNamedProject(place.project);
        // Without an account, the first invocation asks for a key.
        const needsKey = (await keys.find(registry)) === undefined;
        if (who !== undefined && needsKey) await workspace.createKey({ isAgreed: true });
        if (who !== undefined || !needsKey) await openSavedPayload(invoking);
      },
    }),
  );
  const review = startReviews({
    ...{ ...parts, reviews, thisSkill, projectFacts: workspace.projectFacts },
    files: skillFiles,
  });
  const commands: CommandHandlers = {
    connect: (given) => connectToRegistry(connecting, given),
    connectToReviewed: async (argument) => {
      const there = reviews.elsewhere(slugArgument(argument) ?? "");
      if (there !== undefined) await connectToReviewed(connecting, there);
    },
    refresh,
    ...discoverCommands({
      ...discover,
      thisSkill,
      openSkill: (slug) => pages.open(slug),
      openPayload: (slug) => openPayload(invoking, slug),
    }),
    ...inspect.commands,
    ...author.commands,
    ...invokeCommands(invoking),
    ...copyCommands({ ...payloads, ...connected, thisSkill, environments }),
    ...projectKeyCommands({ ...connected, askForKey }),
    ...workspace.commands,
    ...review.commands,
    ...trying.commands,
    ...publishCommands({ ...workspace.accounts, manifests, history, outputs, readAgain }),
    ...agents.commands,
    ...audit.commands,
    ...suites.commands,
  };
  register(
    vscode.commands.registerCommand(editorCommandIds.copyPayloadLink, (uri) =>
      copyPayloadLink({ connection, keys, bindings, environments }, context.extension.id, uri),
    ),
  );
  const commandParts = {
    ...{ engine, connection, details, checks, environments, running, version },
    agents: agents.ofTerminals,
    openSkill: (slug: string) => pages.open(slug),
    gate: new QuestionGate(() => performance.now()),
    allowedSkills: new Set<string>(),
  };
  const runCommand = commandRunner(commands, (text) => channels.noteFailure(text));
  register(registerCommands(unlistedCommands, runCommand));
  return {
    runCommand,
    pages: { skillPage: pages, comparisonPage: comparisons, usagePage: audit.usagePage },
    openLink: inspect.openLink,
    callAgentTool: agents.callTool,
    tests: suites.tests,
    signIn: workspace.signIn,
    signOut: workspace.signOut,
    serveCommand: (link) => {
      link.redactWith((text) => runYielding(redactor.redactChunked(text)));
      serveLink(link, commandParts);
    },
    noteFailure: (text) => channels.noteFailure(text, "warning"),
    files: {
      "skill-invocation": documents,
      "skill-output": outputs,
      "skill-schema": author.schemas,
      "skill-sent": author.sent,
      "skill-readiness": review.readiness,
      "skill-contract": review.contracts,
      "skill-manifest": inspect.manifests,
      "skill-policy": workspace.policies,
    },
  };
}
