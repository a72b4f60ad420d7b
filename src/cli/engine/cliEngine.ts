import { version as programVersion } from "../../../package.json";
import { readOtlpSettings } from "../../core/audit/otlpSettings";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import { recentOf } from "../../core/invocation/permission/callabilityFacts";
import { type Question, type Stop, stopText } from "../../core/invocation/permission/question";
import { commandLineProfile } from "../../core/invocation/profile";
import { type Caller, isAgent } from "../../core/invocation/record/invocationRecord";
import { errorCount } from "../../core/payload/payloadCheck";
import { minRemainingBudget } from "../../core/project/gateway/budget";
import { installOf } from "../../core/project/project";
import { skillAtRegistry } from "../../core/review/checkTeam";
import { standingLines } from "../../core/review/driftText";
import type { TeamStanding } from "../../core/review/standing";
import { teamStanding } from "../../core/review/teamStanding";
import type { SkillDetail } from "../../core/skill/skill";
import { utcDay } from "../../core/text/dates";
import { english, localize } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { rateScopeOf } from "../../engine/attempt";
import { AuditExport, type AuditTrail } from "../../engine/audit/auditExport";
import { machineFolder, rejectedFolder } from "../../engine/files/machine";
import {
  keepsTexts,
  type MachineSettings,
  readMachineSettings,
} from "../../engine/files/machineSettings";
import { pricedCall } from "../../engine/gates/gates";
import type { ProjectBudget } from "../../engine/gates/skillQueue";
import { Engine } from "../../engine/invoke";
import { InvocationHistory } from "../../engine/record/invocationHistory";
import { TrialRecord } from "../../engine/record/trialRecord";
import { sha256 } from "../../engine/sha256";
import { spentBefore } from "../../engine/store/spentToday";
import type { RetentionSettings, Store } from "../../engine/store/store";
import type { TestRunTarget } from "../../registry/registryClient";
import { brokenFolder, findTeamRoot, readTeamFolder } from "../files/teamFolder";
import type { OptionTable, OptionValues } from "../options";
import { networkOf, type OpenRegistry } from "../registry/openRegistry";
import { readSkill } from "../registry/readSkill";
import type { Terminal } from "../terminal";
import { openMachineStore } from "./machineStore";
import type { Questions } from "./person";

/** The option that turns the audit export on. */
export const auditOption = {
  otlp: {
    text: "Export invocations and refusals by OTLP, to the collector of the OTEL_EXPORTER_OTLP_* variables. Default: the editor's settings.",
    group: "Output",
  },
} as const satisfies OptionTable;

const gate = "What is allowed";

/** Options by which a person consents in advance. */
export const gateOptions = {
  yes: {
    text: "Accept the skill's permissions and price. Default: ask on a terminal.",
    group: gate,
  },
  unchecked: { text: "Send payloads that could not be checked.", group: gate },
  secrets: { text: "Send payloads that appear to contain a credential.", group: gate },
  unexecuted: {
    text: "Send even if the registry accepted the skill's last invocation and did not execute it.",
    group: gate,
  },
  unreviewed: {
    text: "Send even if the skill is unreviewed or differs from its review.",
    group: gate,
  },
  "exceed-daily-limit": { text: "Send even if it exceeds the daily spending limit.", group: gate },
  "keep-texts": {
    text: "Keep payloads and outputs with the record. Default: the editor's setting.",
    group: gate,
  },
  ...auditOption,
} as const satisfies OptionTable;

/** The consents that a person gave by options. */
export interface Allowances {
  readonly terms: boolean;
  readonly unchecked: boolean;
  readonly secrets: boolean;
  readonly unexecuted: boolean;
  readonly unreviewed: boolean;
  readonly dailyLimit: boolean;
  /** Whether a payload is sent although the same one is already being sent. */
  readonly inProgress: boolean;
  /** Whether payloads and outputs are stored in the record. */
  readonly keptTexts: boolean;
  /** Whether invocations and refusals are exported. */
  readonly export: boolean;
}

/** Reads the consents from a command's options. Only some commands have `twice`. */
export function readAllowances(
  options: Partial<OptionValues<typeof gateOptions>> & { readonly twice?: boolean },
): Allowances {
  return {
    terms: options.yes ?? false,
    unchecked: options.unchecked ?? false,
    secrets: options.secrets ?? false,
    unexecuted: options.unexecuted ?? false,
    unreviewed: options.unreviewed ?? false,
    dailyLimit: options["exceed-daily-limit"] ?? false,
    inProgress: options.twice ?? false,
    keptTexts: options["keep-texts"] ?? false,
    export: options.otlp ?? false,
  };
}

const allowingOptions: Readonly<Partial<Record<Question["kind"], string>>> = {
  terms: "Accept them with --yes.",
  unreviewed: "Send it anyway with --unreviewed.",
  unchecked: "Send it anyway with --unchecked.",
  secrets: "Send it anyway with --secrets.",
  notExpectedToRun: "Send it anyway with --unexecuted.",
  dailyLimit: "Send it anyway with --exceed-daily-limit.",
  uncounted: "Send it anyway with --exceed-daily-limit.",
  inProgress: "Send it anyway with --twice.",
};

/** Returns the option that would allow a stopped invocation; undefined for none. */
export function remedyOf(stop: Stop): string | undefined {
  if (stop.kind !== "declined") return undefined;
  const { question } = stop;
  const isInvalid = question.kind === "unchecked" && errorCount(question.check) > 0;
  return isInvalid ? undefined : allowingOptions[question.kind];
}

/** Explains why nothing was sent, and which option allows it unless a person declined. */
export function stopError(slug: string, stop: Stop, questions?: Questions): CommandError {
  const refusal = stop.kind === "declined" ? questions?.refusal() : undefined;
  if (refusal !== undefined) return refusal;
  const { message, detail } = stopText(slug, stop, english);
  const option = remedyOf(stop);
  const lines = [
    oneLine(message, 1000),
    ...detail.map((line) => `  ${oneLine(line, 500)}`),
    ...(option ? [option] : []),
  ];
  return new CommandError(
    lines.join("\n"),
    stop.kind === "canceled" ? exitCodes.unknown : exitCodes.findings,
  );
}

/** The engine of a command until `close`. Like the editor's, it uses the shared folder of this machine. */
interface CliEngine {
  readonly engine: Engine<OpenRegistry>;
  /** The command, as the caller of its invocations. */
  readonly caller: Caller;
  readonly history: InvocationHistory;
  readonly store: Store;
  readonly audit: AuditTrail;
  /** Explains how many of several invocations the daily limit leaves for today. Undefined if all, or if unknown. */
  readonly overDailyLimit: (skill: SkillDetail, count: number) => Promise<string | undefined>;
  /** Waits a few seconds for the audit export. The next command sends the rest. */
  readonly close: () => Promise<void>;
}

/** Opens the engine of a command. `target` is the destination of test runs. */
export async function openEngine(
  registry: OpenRegistry,
  command: string,
  allowed: Allowances,
  terminal: Terminal,
  target?: TestRunTarget,
): Promise<CliEngine> {
  const { signal } = terminal;
  const { store, close: closeStore } = openMachineStore(terminal);
  const settings = await readMachineSettings(store);
  const reported = new Set<string>();
  const history = historyOf(store, settings, terminal, (error) => {
    const text = `The record cannot be read. ${reasonOf(error)}\n`;
    if (!reported.has(text)) terminal.err(text);
    reported.add(text);
  });
  const audit = auditOf(store, settings, allowed.export, terminal);
  const ignore = () => undefined;
  const engine = new Engine<OpenRegistry>({
    language: english,
    profile: commandLineProfile,
    history,
    audit,
    // The command prints the messages that the editor shows in its channels.
    channels: { write: ignore, noteFailure: ignore },
    keeping: {
      mayKeep: (name) => allowed.keptTexts || (keepsTexts(settings, name) ?? false),
      ask: async () => false,
    },
    store,
    dailyLimitCents: () => settings.dailyLimitCents,
    timeoutSeconds: () => registry.timeouts.invoke,
    readSkill: (at, slug, version) => readSkill(at, { slug, version }, signal),
    callabilityFacts: async (slug) => ({
      hasKey: true,
      // If the record cannot be read, the registry's response still gives the reason.
      invocations: await history.list(recentOf(registry.name, slug)).catch(() => []),
      isBuiltIn: registry.isBuiltIn,
      now: Date.now(),
    }),
    objectionTo: (skill) => objectionTo(skill, registry, terminal),
    acceptObjection: ignore,
    keyProject: async (at, slug) => {
      const pin = await at.pinOf(slug, signal);
      return pin?.isOfKey && pin.project ? { text: pin.project } : undefined;
    },
    budget: (at, slug) => readBudget(at, slug, signal),
    findKey: async (at) => at.findKey(),
    findSender: async ({ isTestRun, caller: by }, slug) => {
      if (isTestRun) return target && testRunSender(target, registry, slug);
      // An agent gets a refusal instead: nobody would read an error about the key.
      return isAgent(by.kind) && registry.findKey() === undefined
        ? undefined
        : keySender(registry, slug);
    },
    stillInUse: async (at) => at,
    using: (_at, work) => work(),
  });
  const kind = command === "test" ? "test" : "commandLine";
  const caller = { kind, name: `skill-registry ${command}`, version: programVersion } as const;
  const close = async () => {
    history.dispose();
    await audit.finish(exportMs);
    await closeStore();
  };
  const overDailyLimit = async (skill: SkillDetail, count: number) => {
    const call = pricedCall({ request: { registry, caller } }, { skill }, count);
    // If the store cannot tell, the gate of each invocation says so.
    const spent = await spentBefore(store, call).catch(() => undefined);
    return spent?.question(settings.dailyLimitCents, english);
  };
  return { engine, caller, history, store, audit, overDailyLimit, close };
}

/** Reads the budget of the Project Key's project for a skill; undefined if unknown. Never rejects. */
async function readBudget(
  registry: OpenRegistry,
  slug: string,
  signal: AbortSignal,
): Promise<ProjectBudget | undefined> {
  const pin = await registry.pinOf(slug, signal).catch(() => undefined);
  const project = pin?.isOfKey ? pin.slug : "";
  if (project === "") return undefined;
  const detail = await registry.signedIn()?.routes.project(project, signal);
  const skill = detail?.ok === true ? installOf(detail.value, slug) : undefined;
  return { project, left: minRemainingBudget(skill) };
}

/** The maximum time in milliseconds to wait for the collector, so that a slow one does not delay a command. */
const exportMs = 3_000;

/**
 * Opens the audit export, and sends the events that earlier commands could not send. Throws a `CommandError` for
 * unusable variables.
 */
function auditOf(
  store: Store,
  { auditExport, auditEndpoint }: MachineSettings,
  isOn: boolean,
  { env, err, redactor }: Terminal,
): AuditExport {
  const isSet = auditExport === "otlp";
  const reading =
    isOn || isSet ? readOtlpSettings(env, isSet ? auditEndpoint : "") : ({ kind: "off" } as const);
  if (reading.kind === "unusable") {
    const problem = localize(reading.problem, english);
    // An option that cannot be followed is an error; a setting of the editor is not.
    if (isOn) throw new CommandError(problem);
    err(`${problem}\n`);
  }
  const audit = new AuditExport({
    store,
    folder: rejectedFolder(machineFolder(env)),
    version: programVersion,
    settings: () => (reading.kind === "on" ? reading.settings : undefined),
    post: async (target, body, signal) => {
      const { postToCollector } = await import("../../registry/registryClient");
      return postToCollector(target, body, networkOf(env), signal);
    },
    redact: (text) => redactor.redact(text),
    report: (problem) => err(`${localize(problem, english)}\n`),
  });
  audit.wake();
  return audit;
}

/** The record of this machine, until `close`. */
interface OpenedRecord {
  readonly history: InvocationHistory;
  readonly trials: TrialRecord;
  readonly store: Store;
  readonly close: () => Promise<void>;
}

/** Opens the record of this machine. */
export async function openRecord(terminal: Terminal): Promise<OpenedRecord> {
  const { store, close } = openMachineStore(terminal);
  const settings = await readMachineSettings(store);
  const history = historyOf(store, settings, terminal);
  const ignore = () => undefined;
  const reports = { notRead: ignore, notWritten: ignore, notChanged: ignore };
  const trials = new TrialRecord(store, () => settings, reports);
  const closeAll = () => {
    history.dispose();
    return close();
  };
  return { history, trials, store, close: closeAll };
}

function historyOf(
  store: Store,
  retention: RetentionSettings,
  { err }: Terminal,
  notRead: (error: unknown) => void = () => undefined,
): InvocationHistory {
  const ignore = () => undefined;
  return new InvocationHistory(store, () => retention, {
    notRead,
    notRetained: ignore,
    notChanged: ignore,
    notWritten: (error, isFirst) => {
      if (isFirst) err(`Invocations cannot be recorded. ${reasonOf(error)}\n`);
    },
  });
}

function reasonOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error), 300);
}

function keySender(registry: OpenRegistry, slug: string) {
  const key = registry.projectKey();
  return {
    sender: { kind: "projectKey", key } as const,
    scope: rateScopeOf(registry, key, slug),
    noteOutcome: (_: InvocationOutcome) => undefined,
  };
}

function testRunSender(target: TestRunTarget, registry: OpenRegistry, slug: string) {
  return {
    sender: { kind: "testRun", target } as const,
    scope: rateScopeOf(registry, target.project, slug),
    noteOutcome: (_: InvocationOutcome) => undefined,
  };
}

async function objectionTo(
  skill: SkillDetail,
  registry: OpenRegistry,
  { cwd }: Terminal,
): Promise<TeamStanding | undefined> {
  const folder = await readTeamFolder(await findTeamRoot(cwd));
  if (folder.kind === "broken") throw brokenFolder();
  if (folder.kind === "none") return undefined;
  const reviews = { files: [folder.files], broken: [], registry: registry.reviewName };
  const { slug } = skill.summary;
  const standing = teamStanding(reviews, slug, skillAtRegistry(skill, sha256), utcDay(Date.now()));
  return standingLines(standing, english).length > 0 ? standing : undefined;
}

/** The number of parallel invocations for a registry that states no limit. */
export const defaultJobs = 8;
