import { windowVariable } from "../../core/agents/agentSetup";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import { projectKeyVariable } from "../../core/registry/credential";
import type { Result } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import type { SkillAddress } from "../../core/skill/skillAddress";
import { oneLine } from "../../core/text/plainText";
import type { LinkEnd } from "../../window/link";
import type { PayloadOfCommand } from "../../window/requests";
import type { CommandWindow, NoWindow } from "../../window/windowClient";
import type { Terminal } from "../terminal";

/** The editor window that a terminal belongs to, until `close`. The window has the registry, the keys and the user. */
export interface TerminalWindow {
  readonly link: CommandWindow;
  /** The registry as records name it. */
  readonly registry: string;
  readonly baseUrl: string;
  /** The environment in use in the window; undefined for none. */
  readonly environment: string | undefined;
  /** Reads a skill as the window does: the given version, or the one that its project runs. */
  readonly readSkill: (address: SkillAddress) => Promise<Result<SkillDetail>>;
  /** Checks a payload as the window would before sending it. */
  readonly check: (
    skill: SkillDetail,
    payload: Omit<PayloadOfCommand, "folder">,
  ) => Promise<PayloadCheck>;
  readonly close: () => void;
}

/** The facts that decide whether to ask the window. */
interface WindowQuestion {
  /** The registry that a person or CI names, as records name it; undefined for none. */
  readonly named: string | undefined;
  /** Whether the command needs more than public access. */
  readonly needsKey: boolean;
  readonly isIgnored: boolean;
}

/**
 * Connects to the window of the terminal. Undefined if there is none, or if the command does not need it: it has its
 * own registry and key, or a registry whose key the window does not have. Throws a `CommandError` if the window cannot
 * be asked, so that nothing silently works differently.
 */
export async function windowOf(
  { named, needsKey, isIgnored }: WindowQuestion,
  terminal: Terminal,
): Promise<TerminalWindow | undefined> {
  const { env, err } = terminal;
  const variable = env[windowVariable] ?? "";
  const hasKey = (env[projectKeyVariable] ?? "") !== "";
  const isAlone = named !== undefined && (!needsKey || hasKey);
  if (variable === "" || isIgnored || isAlone) return undefined;
  const window = await connect(variable, terminal);
  const where = `${window.registry}${window.environment === undefined ? "" : `, environment ${window.environment}`}`;
  if (named !== undefined && named !== window.registry) {
    window.close();
    err(`The window of this terminal uses ${where}, so it is not used.\n`);
    return undefined;
  }
  // The key was set without naming its registry, so it must not be sent to the window's registry.
  const unused = hasKey
    ? ` ${projectKeyVariable} is not used: a key goes only to a registry that you name.`
    : "";
  err(`Using the window of this terminal: ${oneLine(where, 300)}.${unused}\n`);
  return window;
}

/**
 * Connects to the window that a variable names. Throws a `CommandError` if the window cannot be asked or has no
 * registry.
 */
async function connect(variable: string, terminal: Terminal): Promise<TerminalWindow> {
  const { connectToWindow } = await import("../../window/windowClient");
  const link = await connectToWindow(variable);
  if (typeof link === "string") throw windowError(link);
  const close = () => link.close();
  const found = requireAnswer(await link.environment());
  if (!found.ok) {
    close();
    const why = oneLine(found.problem, 500);
    throw new CommandError(`The window has no registry. ${why}`, exitCodes.unknown);
  }
  return {
    link,
    registry: found.registry,
    baseUrl: found.baseUrl,
    environment: found.environment,
    readSkill: async (address) => requireAnswer(await link.readSkill(address)),
    check: async ({ summary }, given) => {
      const { slug, version } = summary;
      const payload = { ...given, folder: terminal.cwd };
      return requireAnswer(await link.check({ slug, version, payload }));
    },
    close,
  };
}

/** Returns the window's answer. Throws a `CommandError` if the connection ended before it. */
export function requireAnswer<Answer>(answer: Answer | LinkEnd): Exclude<Answer, LinkEnd> {
  if (answer === "gone") throw windowError("gone");
  if (answer === "silent") throw windowError("silent");
  return answer as Exclude<Answer, LinkEnd>;
}

/** Explains why the window cannot be asked, and what to do. */
export function windowError(why: NoWindow): CommandError {
  return new CommandError(
    `${reasons[why]} Open a new terminal, or add --no-window.`,
    exitCodes.unknown,
  );
}

const reasons: Readonly<Record<NoWindow, string>> = {
  gone: "The window of this terminal was closed or reloaded.",
  silent: "The window of this terminal does not answer.",
  foreign: "The program that answers for this terminal's window is not yours.",
  otherVersion: "The window of this terminal has another version of Skill Registry.",
};
