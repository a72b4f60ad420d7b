import { version as programVersion } from "../../../package.json";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { Stopped } from "../../core/invocation/permission/question";
import type { Caller } from "../../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import type { CaseValues } from "../../core/suite/caseValues";
import type { CasePayload } from "../../core/suite/runSuite";
import type { Asker } from "../../engine/asker";
import type { EndingSummary, InvocationRequest, SentPayload } from "../../engine/attempt";
import type { TestRunTarget } from "../../registry/registryClient";
import type { LinkEnd } from "../../window/link";
import type { CommandInvocation, PayloadOfCommand } from "../../window/requests";
import { type Allowances, openEngine } from "../engine/cliEngine";
import { checkedBy, type PayloadChecker, type PayloadContext } from "../engine/payloadChecker";
import type { OpenRegistry } from "../registry/openRegistry";
import type { Terminal } from "../terminal";
import { type TerminalWindow, windowError } from "./terminalWindow";

type Wanted = InvocationRequest<OpenRegistry>;

/** Several invocations that a person agreed to together. */
export interface OpenedBatch {
  readonly kind: "batch";
  readonly invoke: (
    payload: SentPayload,
    signal: AbortSignal,
    asker?: Asker,
  ) => Promise<EndingSummary>;
  readonly invokeCase: (
    payload: CasePayload,
    check: PayloadCheck,
    source: string,
    signal: AbortSignal,
  ) => Promise<EndingSummary>;
}

/** Sends the invocations of a command: through its own engine, or through the window of its terminal. */
export interface Invocations {
  /** The command as the caller of an invocation. */
  readonly caller: Caller;
  readonly invoke: (
    wanted: Wanted,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ) => Promise<EndingSummary>;
  readonly open: (
    wanted: Wanted,
    asker: Asker,
    signal: AbortSignal,
  ) => Promise<OpenedBatch | Stopped>;
  /** Runs only the payload's checks. Resolves to why the payload must not be sent; undefined if it may be. */
  readonly check: (
    wanted: Wanted,
    payload: SentPayload,
    asker: Asker,
    signal: AbortSignal,
  ) => Promise<Stopped | undefined>;
  /** As `CliEngine.overDailyLimit`. A window answers nothing, since it asks its own person. */
  readonly overDailyLimit: (skill: SkillDetail, count: number) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** Opens the sender for a command's invocations; `target` is the destination of its own test runs. */
export async function openInvocations(
  registry: OpenRegistry,
  command: CommandInvocation["command"],
  allowed: Allowances,
  terminal: Terminal,
  target?: TestRunTarget,
): Promise<Invocations> {
  const { window } = registry;
  if (window !== undefined) return windowInvocations(window, command, terminal);
  const opened = await openEngine(registry, command, allowed, terminal, target);
  const { engine, caller, overDailyLimit, close } = opened;
  return {
    caller,
    overDailyLimit,
    close,
    invoke: (...given) => engine.invoke(...given),
    open: (...given) => engine.openBatch(...given),
    check: (...given) => engine.check(...given),
  };
}

/** Creates a payload that is checked here, or by the window that sends it. */
export function payloadFor(
  { window }: Pick<OpenRegistry, "window">,
  checker: PayloadChecker,
  text: string,
  source: string,
  context: PayloadContext,
  found: (check: PayloadCheck) => void = () => undefined,
): SentPayload {
  if (window === undefined) return checkedBy(checker, text, source, context, found);
  return {
    text,
    source,
    check: async (skill) => {
      const check = await window.check(skill, { text, source });
      found(check);
      return check;
    },
  };
}

function windowInvocations(
  window: TerminalWindow,
  command: CommandInvocation["command"],
  terminal: Terminal,
): Invocations {
  const reported = new Set<string>();
  const remote = window.link.invocations((skill) => {
    if (!reported.has(skill))
      terminal.err(`Answer in the window whether ${skill} may be invoked.\n`);
    reported.add(skill);
  });
  const { registry, environment } = window;
  const place = {
    ...{ folder: terminal.cwd, registry },
    ...(environment !== undefined && { environment }),
  };
  const wantedOf = (wanted: Wanted) => requestFor(command, wanted, place);
  const send = async (
    by: Wanted,
    // Placeholders stay in the text, because the window replaces them.
    { text, source, caseValues }: Pick<SentPayload, "source"> & CasePayload,
    asker: Asker,
    signal: AbortSignal,
    series?: number,
  ) => {
    const payload = { text, source, folder: terminal.cwd, ...valuesIn(caseValues) };
    const request = { wanted: await wantedOf(by), payload };
    const call = { ...request, ...(series !== undefined && { series }) };
    return requireWindow(await remote.invoke(call, asker, signal));
  };
  return {
    caller: { kind: "commandLine", name: `skill-registry ${command}`, version: programVersion },
    invoke: send,
    open: async (wanted, asker, signal) => {
      const opened = requireWindow(await remote.open({ wanted: await wantedOf(wanted) }, signal));
      if (opened.kind === "stopped") return opened;
      const { series } = opened;
      const invoke: OpenedBatch["invoke"] = (payload, stop, other = asker) =>
        send(wanted, payload, other, stop, series);
      return {
        kind: "batch",
        invoke,
        invokeCase: (payload, _check, source, stop) =>
          send(wanted, { ...payload, source }, asker, stop, series),
      };
    },
    check: async (wanted, payload) => {
      const check = await payload.check(wanted.skill);
      return check.state === "invalid"
        ? { kind: "stopped", stop: { kind: "invalid", check } }
        : undefined;
    },
    overDailyLimit: async () => undefined,
    close: async () => undefined,
  };
}

/** Returns the values of a case in the form that crosses the socket. */
export function valuesIn(values: CaseValues | undefined): Pick<PayloadOfCommand, "caseValues"> {
  return values === undefined ? {} : { caseValues: Object.fromEntries(values) };
}

/** Returns the window's answer. Throws a `CommandError` if the window is gone, or the payload is too long for it. */
function requireWindow<Answer extends { readonly kind: string; readonly why?: LinkEnd }>(
  answer: Answer,
): Exclude<Answer, { readonly kind: "windowEnded" | "tooLong" }> {
  if (answer.kind === "windowEnded") {
    const { message, exitCode } = windowError(answer.why ?? "gone");
    throw new CommandError(`Nothing was sent. ${message}`, exitCode);
  }
  if (answer.kind === "tooLong") {
    const why = "Nothing was sent: the payload is too long for the window.";
    throw new CommandError(`${why} Set a Project Key and add --no-window.`, exitCodes.findings);
  }
  return answer as Exclude<Answer, { readonly kind: "windowEnded" | "tooLong" }>;
}

async function requestFor(
  command: CommandInvocation["command"],
  wanted: Wanted,
  place: Pick<CommandInvocation, "folder" | "registry" | "environment">,
): Promise<CommandInvocation> {
  const { slug, version } = wanted.skill.summary;
  const { count, maxCents, allowance } = wanted;
  const perMinute = await wanted.perMinute?.();
  return {
    ...{ ...place, command, slug, version },
    isTestRun: wanted.isTestRun,
    isWaitedFor: wanted.isWaitedFor === true,
    isNumberChosen: wanted.isNumberChosen === true,
    ...(count !== undefined && { count }),
    ...(maxCents !== undefined && { maxCents }),
    ...(perMinute !== undefined && { perMinute }),
    ...(allowance !== undefined && { allowedCents: allowance.maxCents }),
  };
}
