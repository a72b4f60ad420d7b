import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import type { AgentClient } from "../../agents/agentAsker";
import { AgentRefusals } from "../../agents/agentRefusals";
import { AgentSession } from "../../agents/agentSession";
import {
  KeptAgentSettings,
  type SealSecrets,
  type SettingsGuard,
} from "../../agents/keptAgentSettings";
import { overviewNow } from "../../agents/overviewNow";
import type { AgentAgreement } from "../../core/agents/agentAgreements";
import { agentOverviewText } from "../../core/agents/agentOverview";
import { joinPolicies, type WorkspacePolicies } from "../../core/agents/agentPolicy";
import { maxOutputLength } from "../../core/agents/agentResults";
import {
  agentSetup,
  launcherProgram,
  otherClients,
  serverCommand,
  setupPlace,
} from "../../core/agents/agentSetup";
import { typedTools } from "../../core/agents/typedTools";
import type { RefusedCall } from "../../core/audit/auditEvent";
import { builtInRegistryName } from "../../core/registry/registryName";
import { inputSchemaOf } from "../../core/skill/skill";
import { utcDay } from "../../core/text/dates";
import { english } from "../../core/text/language";
import type { AuditTrail } from "../../engine/audit/auditExport";
import { homeVariable } from "../../engine/files/machine";
import type { Engine } from "../../engine/invoke";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { sha256 } from "../../engine/sha256";
import { storeName } from "../../engine/store/operations";
import type { Store } from "../../engine/store/store";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { currentRegistry, currentRegistryName } from "../connect/currentRegistry";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { withTimeout } from "../connect/secretStorageWait";
import { withRegistry } from "../connect/withRegistry";
import type { ThisSkill } from "../discover/thisSkill";
import type { WindowPlace } from "../environments/windowPlace";
import { commandIds } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import type { RunningInvocations } from "../invoke/runningInvocations";
import type { CommandHandlers } from "../registerCommands";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { readSettings } from "../settings";
import { writeLauncher } from "../terminal/launcherFile";
import type { TerminalAgents } from "../terminal/serveAgents";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform, offer, showError, warn } from "../ui/messages";
import type { OutputChannels } from "../ui/outputChannels";
import type { Register } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";
import { AgentStatus } from "./agentStatus";
import type { CallAgentTool } from "./agentTools";
import { type AllowParts, allowOrChange } from "./allowAgents";
import type { AllowedSkills } from "./allowedSkills";
import { PersonAsker } from "./askPerson";
import { changeLimits, stopAgents } from "./changeLimits";
import { showAgents } from "./showAgents";

/** The dependencies of everything about agents. */
interface AgentSources extends Pick<AllowParts, "callabilityFacts"> {
  readonly context: vscode.ExtensionContext;
  readonly connection: RegistryConnection;
  readonly place: Pick<WindowPlace, "address">;
  readonly details: SkillDetails;
  readonly checks: PayloadChecks;
  readonly bindings: PayloadBindings;
  readonly reviews: WorkspaceReviews;
  readonly engine: Engine<ConnectedRegistry>;
  readonly history: InvocationHistory;
  readonly audit: AuditTrail;
  readonly store: Store;
  /** The folder that all programs of this machine share. */
  readonly folder: string;
  readonly running: RunningInvocations;
  readonly channels: OutputChannels;
  /** Shows which skills agents may invoke. */
  readonly allowed: AllowedSkills;
  readonly register: Register;
  readonly thisSkill: ThisSkill;
}

/** Builds everything about agents in this window: their tools, and the commands that control them. */
export function startAgents(sources: AgentSources) {
  const { context, connection, details, checks, reviews, register, store, history } = sources;
  const refusals = new AgentRefusals(store, sources.audit);
  const mistakesIn = checks.mistakes;
  const shownRefusals = new Set<string>();
  const person = new PersonAsker(sources);
  const settings = register(
    new KeptAgentSettings(
      store,
      {
        path: join(sources.folder, storeName),
        stopFile: vscode.Uri.joinPath(context.globalStorageUri, "agents.stopped").fsPath,
      },
      sealIn(context.secrets, register),
      () => {
        void warn(
          vscode.l10n.t("The permissions of agents could not be read, so agents may do nothing."),
        );
      },
    ),
  );
  const status = register(new AgentStatus());
  const showAllowed = async () => {
    const all = await settings.get();
    status.show(all);
    sources.allowed.note(all);
  };
  void showAllowed();
  register(
    settings.onDidChange(() => {
      person.forget();
      void showAllowed();
    }),
  );
  const sessions = new Set<AgentSession<ConnectedRegistry>>();
  const openSession = (policies: () => Promise<WorkspacePolicies>) => {
    const opened = new AgentSession<ConnectedRegistry>({
      engine: sources.engine,
      history,
      store,
      refusals: {
        note: async (refused) => {
          await refusals.note(refused);
          showRefused(refused, shownRefusals);
        },
      },
      settings,
      isEnabled: () => readSettings().agentsEnabled,
      policies,
      suspended: showSuspended,
      connect: () => currentRegistry(connection),
      search: ({ client }, query, cursor, signal) => client.search(query, cursor, signal),
      readSkill: (_registry, slug, version) =>
        details.refresh(slug, version === "" ? undefined : version),
      check: (_registry, skill, text) =>
        checks.checkText(inputSchemaOf(skill), text, new AbortController().signal),
      sample: checks.sample,
      running: (record, cancel) => {
        const { id, skillSlug, version } = record;
        const uri = vscode.Uri.from({ scheme: "skill-agent", path: `/${id}` });
        const started = sources.running.start(uri, `${skillSlug}@${version}`, cancel);
        started.record(record);
        return () => started.end();
      },
      log: (text) => sources.channels.noteFailure(text),
    });
    sessions.add(opened);
    return opened;
  };
  const session = openSession(() => reviews.agentPolicies());
  const callTool: CallAgentTool = async (tool, input, { isChat, maxOutput }, token) => {
    const cancel = new AbortController();
    const subscription = token.onCancellationRequested(() => cancel.abort());
    const client: AgentClient = {
      caller: { kind: isChat ? "chat" : "extension", name: vscode.env.appName },
      askPerson: (question) => person.ask(vscode.l10n.t("An agent"), question, cancel.signal),
      maxOutput: Math.max(200, Math.min(maxOutputLength, maxOutput)),
    };
    return session.call(tool, input, client, cancel.signal).finally(() => subscription.dispose());
  };
  const cancelCalls = () => {
    person.forget();
    for (const one of sessions) one.cancelWaiting();
  };
  const stop = async () => {
    cancelCalls();
    await stopAgents(settings);
  };
  const commands = {
    allowAgents: (argument: unknown) =>
      withRegistry(connection, async (registry) => {
        const title = vscode.l10n.t("Allow Agents to Invoke");
        const slug = await sources.thisSkill.choose(argument, title);
        if (slug !== undefined) await allowOrChange(slug, registry, { ...sources, settings });
      }),
    showAgents: () =>
      showAgents(
        { settings, history, store, refusals, mistakesIn },
        () => currentRegistryName(connection),
        (title) => sources.thisSkill.pick(title),
      ),
    stopAgents: async () =>
      (await settings.get()).stopped === true ? resumeAgents(settings) : stop(),
    setAgentLimits: () => changeLimits(settings),
    copyAgentSetup: () => copySetup(context, sources.place),
  } satisfies Partial<CommandHandlers>;
  /** The tools for agents in terminals: the same list, limits and overview, in a separate session. */
  const ofTerminals: TerminalAgents = {
    onDidChange: settings.onDidChange,
    openSession: (policies) => {
      const opened = openSession(async () => {
        const [own, ofTerminal] = await Promise.all([reviews.agentPolicies(), policies()]);
        return joinPolicies(own, ofTerminal);
      });
      const close = () => {
        opened.cancelWaiting();
        sessions.delete(opened);
      };
      return { session: opened, close };
    },
    askPerson: (...asked) => person.ask(...asked),
    tools: async () => {
      const registry = await currentRegistryName(connection);
      const isOn = readSettings().agentsEnabled;
      return isOn ? typedTools(await settings.get(), registry, utcDay(Date.now()), sha256) : [];
    },
    overview: async () => {
      const registry = await currentRegistryName(connection);
      const files = { settings, history, store, refusals, mistakesIn };
      const overview = await overviewNow(files, registry);
      return agentOverviewText(overview, english);
    },
    stop: async () => {
      cancelCalls();
      return settings.stop();
    },
  };
  return { commands, callTool, ofTerminals };
}

const sealName = "skillRegistry.agents.seal";
const revisionName = "skillRegistry.agents.revision";
const storageMs = 5000;

/** Seals the settings with a key in the secret storage, where the number of their newest revision is stored too. */
function sealIn(storage: vscode.SecretStorage, register: Register): SettingsGuard {
  let known: Promise<SealSecrets | undefined> | undefined;
  register(
    storage.onDidChange(({ key }) => {
      if (key === sealName || key === revisionName) known = undefined;
    }),
  );
  return {
    kind: "seal",
    secrets: async () => {
      known ??= withTimeout(readSecrets(storage), storageMs).catch(() => undefined);
      const secrets = await known;
      // Try again the next time: the secret storage may respond then.
      if (secrets === undefined) known = undefined;
      return secrets;
    },
    note: async (revision) => {
      known = undefined;
      await withTimeout(storage.store(revisionName, String(revision)), storageMs).catch(
        () => undefined,
      );
    },
  };
}

/** Reads the key of the seal and the number of the newest revision. Creates the key at first use. */
async function readSecrets(storage: vscode.SecretStorage): Promise<SealSecrets> {
  const newest = Number((await storage.get(revisionName)) ?? 0);
  const known = await storage.get(sealName);
  if (known !== undefined) return { key: known, newest };
  const made = randomBytes(32).toString("hex");
  await storage.store(sealName, made);
  // Another window may have created a key at the same time.
  return { key: (await storage.get(sealName)) ?? made, newest };
}

function showSuspended({ skill }: AgentAgreement): void {
  const text = vscode.l10n.t("Agents can no longer invoke {0}: its contract changed.", skill);
  void offerToAllow(skill, text, vscode.l10n.t("Review Changes…"), warn);
}

function offerToAllow(skill: string, text: string, button: string, show: typeof inform) {
  const allow = () => vscode.commands.executeCommand(commandIds.allowAgents, skill);
  return offer(text, button, allow, show);
}

/**
 * Shows once per window and skill that an agent tried to invoke a skill that is not allowed. *Show What Agents May Do*
 * lists each refusal.
 */
function showRefused(
  { registry, skill, code }: Omit<RefusedCall, "id">,
  shownRefusals: Set<string>,
): void {
  const key = `${registry} ${skill}`;
  if ((code !== "notAllowed" && code !== "agreementExpired") || shownRefusals.has(key)) return;
  // An agent could invent any number of skill names.
  if (shownRefusals.size >= maxShownRefusals) return;
  shownRefusals.add(key);
  const text = vscode.l10n.t("An agent wanted to invoke {0}, which you have not allowed.", skill);
  void offerToAllow(skill, text, vscode.l10n.t("Allow…"), inform);
}

const maxShownRefusals = 5;

async function resumeAgents(settings: KeptAgentSettings): Promise<void> {
  const message = vscode.l10n.t("Agents are stopped. Let them invoke the allowed skills again?");
  const agree = vscode.l10n.t("Resume Agents");
  if (!(await confirm({ severity: "information", message, agree })) || (await settings.resume()))
    return;
  void showError(vscode.l10n.t("Agents stay stopped: {0} cannot be written.", settings.files.path));
}

async function copySetup(
  context: vscode.ExtensionContext,
  place: Pick<WindowPlace, "address">,
): Promise<void> {
  const title = vscode.l10n.t("Copy Agent Setup");
  const clients = otherClients.map((value) => ({
    label: value,
    detail: setupPlace(value, hostLanguage()),
    value,
  }));
  const name = await choose(clients, { title, closesOnBlur: true });
  if (name === undefined) return;
  const registry = place.address || builtInRegistryName;
  // An update deletes the extension's own folder.
  const program = launcherProgram(await writeLauncher(context), process.platform === "win32");
  const setup = agentSetup(name, serverCommand(registry, program, process.env[homeVariable]));
  await vscode.env.clipboard.writeText(setup);
  const copied = vscode.l10n.t("Setup for {0} copied, without a key.", name);
  // The status bar would cut the place.
  void inform(`${copied} ${setupPlace(name, hostLanguage())}`);
}
