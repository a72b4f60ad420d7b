import { userInfo } from "node:os";
import { AgentRefusals } from "../../agents/agentRefusals";
import type { KeptAgentSettings } from "../../agents/keptAgentSettings";
import { overviewNow } from "../../agents/overviewNow";
import {
  type AgentAgreement,
  type AgentLimits,
  agreementFor,
  agreementsAbout,
  defaultCallsPerDay,
  raisesLimits,
  withAgreementAbout,
  withoutAgreementsAbout,
} from "../../core/agents/agentAgreements";
import { agentOverviewText, limitsText } from "../../core/agents/agentOverview";
import { allowQuestion } from "../../core/agents/agentQuestions";
import { agentClients, agentSetup, serverCommand, setupPlace } from "../../core/agents/agentSetup";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { skillMistakes } from "../../core/findings/skillMistakes";
import { type CallabilityFacts, recentOf } from "../../core/invocation/permission/callabilityFacts";
import { policyIn } from "../../core/invocation/permission/canInvoke";
import { unknownContractText } from "../../core/review/driftText";
import { permissionLevels } from "../../core/skill/permissions";
import type { SkillDetail } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { homeVariable } from "../../engine/files/machine";
import { sha256 } from "../../engine/sha256";
import { command } from "../command";
import { openRecord } from "../engine/cliEngine";
import { openChecker } from "../engine/payloadChecker";
import { requirePerson } from "../engine/person";
import { openAgentSettings } from "../files/agentFiles";
import { contractInFolder } from "../files/teamFolder";
import { type OptionTable, type OptionValues, rowsWith } from "../options";
import {
  builtIn,
  findWindow,
  nameRegistry,
  type OpenRegistry,
  openRegistry,
  registryOptions,
  urlVariable,
} from "../registry/openRegistry";
import { projectOption } from "../registry/project";
import { addressOf, requireSkill } from "../registry/readSkill";
import { type Terminal, UsageError } from "../terminal";
import { requireAnswer, type TerminalWindow } from "../window/terminalWindow";

const actions = ["list", "allow", "stop", "resume", "limits", "log", "setup"] as const;
/** The actions on all skills, which take no operand. */
const withoutOperand: readonly string[] = ["list", "resume", "limits", "log"];
/** The mode of `stop` with a skill. Without `--registry`, it applies to every registry. */
const stopOne = "stop SLUG";

const options = {
  mode: {
    value: "MODE",
    text: "Whether agents invoke the skill without asking, or ask before each invocation.",
    oneOf: ["auto", "ask"],
    default: "ask",
    needs: ["allow"],
  },
  "cents-per-day": {
    value: "N",
    text: "The maximum cents that agents may spend a day: on the skill with allow, in total with limits.",
    count: { min: 0 },
    needs: ["allow", "limits"],
  },
  "calls-per-day": {
    value: "N",
    text: "The maximum invocations of the skill a day.",
    count: { min: 0 },
    default: defaultCallsPerDay,
    needs: ["allow"],
  },
  "calls-per-session": {
    value: "N",
    text: "The maximum invocations of one server process, so that an agent in a loop stops.",
    count: { min: 0 },
    needs: ["limits"],
  },
  "max-level": {
    value: "LEVEL",
    text: "The highest permission level.",
    oneOf: permissionLevels,
    needs: ["limits"],
  },
  format: {
    value: "FORMAT",
    text: "How the list is written.",
    oneOf: ["text", "json"],
    default: "text",
    needs: ["list", "log"],
  },
  registry: { ...registryOptions.registry, needs: ["allow", stopOne, "setup"] },
  timeout: { ...registryOptions.timeout, needs: ["allow"] },
  "no-window": registryOptions["no-window"],
  ...rowsWith(projectOption, { needs: ["allow"] }),
} as const satisfies OptionTable;

type Options = OptionValues<typeof options>;

export const agents = command({
  name: "agents",
  operands: `${actions.join("|")} [SLUG|CLIENT]`,
  summary: "Decide what agents may invoke over `skill-registry mcp`.",
  details: [
    "In a terminal of the editor, the list of its window applies to agents: list shows it, stop also stops the window's agents, and everything else is decided in the window.",
    "stop SLUG removes the permission at every registry, or at that of --registry.",
    "Nothing is allowed at first, and agents may spend 0 cents a day. allow, resume and higher limits require a person at a terminal; stop and lower limits do not.",
    `setup writes the configuration of a client (${agentClients.join(", ")}). It passes on the variables of the key and of the window, and contains no key.`,
  ],
  options,
  words: actions,
  modes: [...actions, stopOne],
  modeOf: ([action = "list", operand]) =>
    action === "stop" && operand !== undefined ? stopOne : action,
  examples: [
    [
      "Let agents invoke a skill without asking",
      "skill-registry agents allow text-stats --mode auto",
    ],
    ["Let them spend money", "skill-registry agents limits --cents-per-day 100"],
    ["Configure a client", `skill-registry agents setup "Claude Code"`],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const [action = "list", operand, ...more] = operands;
    if (more.length > 0) throw new UsageError("There are too many operands.");
    if (operand !== undefined && withoutOperand.includes(action)) {
      throw new UsageError(`${action} concerns all skills: leave out "${oneLine(operand, 40)}".`);
    }
    // Agents in a terminal of a window use the permissions of that window.
    const window = await findWindow(given, terminal, { windowUse: "forKey" });
    const { settings, close } = openAgentSettings(terminal);
    try {
      if (window !== undefined) {
        const code = await runInWindow(window, action, operand, { settings, given, terminal });
        if (code !== undefined) return code;
      }
      switch (action) {
        case "list":
        case "log":
          return await list(settings, given, terminal);
        case "allow":
          return await allow(operand, settings, given, terminal);
        case "stop":
          return await stop(operand, settings, given, terminal);
        case "resume":
          await requireTypedWord("Type resume to let agents go on: ", "resume", terminal);
          if (!(await settings.resume())) throw notWrittenError(settings);
          return exitCodes.good;
        case "limits":
          return await limit(settings, given, terminal);
        case "setup":
          return setup(operand, given, window?.registry, terminal);
        default:
          throw new UsageError(`There is no action "${oneLine(action, 40)}".`);
      }
    } finally {
      window?.close();
      await close();
    }
  },
});

/** What an action on the window's agents needs besides its operand. */
interface WindowAction {
  readonly settings: KeptAgentSettings;
  readonly given: Options;
  readonly terminal: Terminal;
}

/**
 * Lists the window's permissions for agents, or stops its agents. Undefined for `setup`, which does not depend on them.
 * Throws a `CommandError` for any other action.
 */
async function runInWindow(
  { link }: TerminalWindow,
  action: string,
  operand: string | undefined,
  { settings, given, terminal }: WindowAction,
): Promise<number | undefined> {
  if (action === "list" || action === "log") {
    if (given.format === "json") {
      throw new CommandError(
        "The list of the window is text. Use --no-window for the command line's own list.",
      );
    }
    terminal.print(requireAnswer(await link.agentOverview()));
    return exitCodes.good;
  }
  if (action === "setup") return undefined;
  if (action !== "stop" || operand !== undefined) {
    throw new CommandError(
      "The list of its window applies to agents of this terminal. Change it there with “Skill Registry: Show What Agents May Do”, or change the command line's own list with --no-window.",
    );
  }
  const [here, there] = await Promise.all([settings.stop(), link.stopAgents()]);
  if (!requireAnswer(there))
    throw new CommandError(
      "Agents of the window are stopped only until it closes: the stop could not be stored.",
    );
  if (!here) throw notWrittenError(settings);
  terminal.print("Agents are stopped, including those of the window.\n");
  return exitCodes.good;
}

async function list(
  settings: KeptAgentSettings,
  { format }: Options,
  terminal: Terminal,
): Promise<number> {
  const { history, store, close } = await openRecord(terminal);
  const checker = await openChecker(terminal);
  try {
    const refusals = new AgentRefusals(store);
    // Mistakes are told to people only.
    const mistakesIn = format === "json" ? async () => [] : checker.mistakes;
    const files = { settings, history, store, refusals, mistakesIn };
    const overview = await overviewNow(files, "");
    if (format === "json") {
      const { settings: allowed, today, records, refused } = overview;
      const value = { ...allowed, today, invocations: records, refused };
      terminal.out(`${JSON.stringify(value, undefined, 2)}\n`);
    } else terminal.print(agentOverviewText(overview, english));
    return exitCodes.good;
  } finally {
    checker.close();
    await close();
  }
}

async function allow(
  operand: string | undefined,
  settings: KeptAgentSettings,
  given: Options,
  terminal: Terminal,
): Promise<number> {
  const address = addressOf(operand);
  requirePerson(terminal);
  const registry = await openRegistry(given, terminal);
  const checker = await openChecker(terminal);
  try {
    const skill = await requireSkill(registry, address, terminal.signal);
    const chosen = {
      registry: registry.name,
      mode: given.mode,
      centsPerDay: given["cents-per-day"] ?? 0,
      callsPerDay: given["calls-per-day"],
      who: userInfo().username,
      now: Date.now(),
    } as const;
    const reviewed = await contractInFolder(terminal.cwd, registry.reviewName, skill);
    const agreement = agreementFor(skill, chosen, sha256, reviewed);
    const { slug, version } = skill.summary;
    if ("unknown" in agreement) {
      const why = unknownContractText(addressText(slug, version), agreement.unknown, english);
      throw new CommandError(why, exitCodes.findings);
    }
    const known = await factsOf(skill, registry, terminal);
    const all = await settings.get();
    const { message, detail } = allowQuestion(skill, agreement, registry, all, known, english);
    const mistakes = await skillMistakes(skill, checker.mistakes, english);
    const lines = [message, ...mistakes, ...detail].map((line) => oneLine(line, 1000));
    terminal.err(`${lines.join("\n")}\n`);
    await requireTypedWord(`Type ${slug} to allow it: `, slug, terminal);
    const isWritten = await settings.change((now) => withAgreementAbout(now, agreement));
    if (!isWritten) throw notWrittenError(settings);
    return exitCodes.good;
  } finally {
    checker.close();
    registry.close();
  }
}

async function factsOf(
  { summary: { slug } }: SkillDetail,
  { name, isBuiltIn, keyList }: OpenRegistry,
  terminal: Terminal,
): Promise<CallabilityFacts> {
  const { history, close } = await openRecord(terminal);
  try {
    const list = await keyList(terminal.signal);
    const invocations = await history.list(recentOf(name, slug));
    const now = Date.now();
    const policy = list && policyIn(list, slug, now);
    return { hasKey: true, invocations, isBuiltIn, now, ...(policy !== undefined && { policy }) };
  } finally {
    await close();
  }
}

async function stop(
  operand: string | undefined,
  settings: KeptAgentSettings,
  given: Options,
  terminal: Terminal,
): Promise<number> {
  if (operand === undefined) {
    if (!(await settings.stop())) throw notWrittenError(settings);
    terminal.print("Agents are stopped.\n");
    return exitCodes.good;
  }
  const { slug } = addressOf(operand);
  const registry = given.registry === undefined ? undefined : nameRegistry(given, terminal);
  let removed: readonly AgentAgreement[] = [];
  const isWritten = await settings.change((all) => {
    removed = agreementsAbout(all, slug, registry);
    return withoutAgreementsAbout(all, slug, registry);
  });
  if (!isWritten) throw notWrittenError(settings);
  for (const { skill, version, registry: at } of removed) {
    terminal.print(
      `Agents may no longer invoke ${oneLine(`${skill}@${version} at ${at}`, 300)}.\n`,
    );
  }
  if (removed.length > 0) return exitCodes.good;
  const where = registry === undefined ? "" : ` at ${registry}`;
  throw new CommandError(
    `Nothing was removed: agents were not allowed to invoke ${oneLine(slug + where, 300)}.`,
    exitCodes.nothing,
  );
}

function notWrittenError({ files: { path } }: KeptAgentSettings): CommandError {
  return new CommandError(
    `Nothing was changed. ${path} cannot be written, or others may write it or its folder.`,
    exitCodes.broken,
  );
}

async function limit(
  settings: KeptAgentSettings,
  given: Options,
  terminal: Terminal,
): Promise<number> {
  const wanted = requestedLimits(given);
  const { limits } = await settings.get();
  const isRaised = raisesLimits(limits, { ...limits, ...wanted });
  if (isRaised)
    await requireTypedWord("Type raise to raise the limits of agents: ", "raise", terminal);
  let now = limits;
  let isLowered = true;
  const isWritten = await settings.change((all) => {
    // Do not raise a limit that was lowered while the question was open.
    isLowered = isRaised || !raisesLimits(all.limits, { ...all.limits, ...wanted });
    now = isLowered ? { ...all.limits, ...wanted } : all.limits;
    return { ...all, limits: now };
  });
  if (!isWritten) throw notWrittenError(settings);
  if (!isLowered) throw new CommandError("Nothing was changed.", exitCodes.findings);
  terminal.print(`${limitsText(now, english)}.\n`);
  return exitCodes.good;
}

function requestedLimits(given: Options): Partial<AgentLimits> {
  const calls = given["calls-per-session"];
  const cents = given["cents-per-day"];
  const level = given["max-level"];
  return {
    ...(calls !== undefined && { callsPerSession: calls }),
    ...(cents !== undefined && { centsPerDay: cents }),
    ...(level !== undefined && { maxPermissionLevel: level }),
  };
}

function setup(
  operand: string | undefined,
  given: Options,
  ofWindow: string | undefined,
  terminal: Terminal,
): number {
  const client = agentClients.find(
    (agentClient) => agentClient.toLowerCase() === operand?.toLowerCase(),
  );
  if (client === undefined) {
    throw new UsageError(`setup expects one of ${agentClients.join(", ")}.`);
  }
  const { env, program } = terminal;
  const registry = ofWindow ?? (given.registry || env[urlVariable] || builtIn);
  terminal.out(agentSetup(client, serverCommand(registry, program, env[homeVariable])));
  terminal.err(`${setupPlace(client, english)}\n`);
  return exitCodes.good;
}

async function requireTypedWord(
  prompt: string,
  expected: string,
  terminal: Terminal,
): Promise<void> {
  const readLine = requirePerson(terminal);
  terminal.err(prompt);
  const typed = await readLine(terminal.signal);
  if (typed.trim() !== expected) throw new CommandError("Nothing was changed.", exitCodes.findings);
}
