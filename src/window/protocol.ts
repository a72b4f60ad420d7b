import type { WorkspacePolicies } from "../core/agents/agentPolicy";
import type { AgentResult } from "../core/agents/agentResults";
import type { TypedTool } from "../core/agents/typedTools";
import type { InvocationOutcome } from "../core/invocation/invocation";
import type { QuestionOf, Stopped } from "../core/invocation/permission/question";
import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Result } from "../core/registry/registryFailure";
import type { SkillDetail } from "../core/skill/skill";
import type { EndingSummary } from "../engine/attempt";
import type {
  AgentRequest,
  CheckRequest,
  InvokeRequest,
  OpenRequest,
  SkillRequest,
} from "./requests";

/*
 * The messages between a command of a terminal and the window of that terminal. They never contain a Project Key, a user
 * token, the value of a secret, or the file with the permissions of agents.
 */

/** A method of the protocol, with the types of its parameters and its result. */
export interface Method<Asked, Told> {
  readonly name: string;
  /** Never set. Carries the types for the compiler. */
  readonly types?: (asked: Asked) => Told;
}

/** The maximum size of a message, in bytes. A longer message ends the connection. */
export const maxMessageBytes = 10_000_000;

/** How long a side may take to prove that it knows the token, in milliseconds. */
export const proofMs = 10_000;

const method = <Asked, Told>(name: string): Method<Asked, Told> => ({ name });

/** The parameters of methods without parameters. */
type Nothing = Record<string, never>;

/** The version of the protocol. Sides with different versions disconnect. */
export const linkProtocol = 1;

/**
 * Exchanges nonces and the window's proof. `prove` sends the command's proof. Before that, no other request is handled.
 */
export const hello = method<
  { readonly protocol: number; readonly nonce: string },
  { readonly protocol: number; readonly nonce: string; readonly proof: string }
>("hello");
export const prove = method<{ readonly proof: string }, boolean>("prove");

/** The registry and environment of the window. */
export type WindowEnvironment =
  | {
      readonly ok: true;
      /** The registry as records name it. */
      readonly registry: string;
      /** The registry's address. Only the window can reach the built-in registry. */
      readonly baseUrl: string;
      readonly environment?: string;
    }
  /** Why there is no registry, in English. */
  | { readonly ok: false; readonly problem: string };

/** Returns the registry and the environment of the window. */
export const windowEnvironment = method<Nothing, WindowEnvironment>("place");
export const readSkill = method<SkillRequest, Result<SkillDetail>>("readSkill");
export const check = method<CheckRequest, PayloadCheck>("check");
/**
 * Asks a person about several invocations of a skill. Returns the number of the batch, which this protocol calls a
 * series.
 */
export const open = method<
  OpenRequest,
  Stopped | { readonly kind: "series"; readonly series: number }
>("open");
/** Invokes once. The output arrives before the response, in parts. */
export const invoke = method<InvokeRequest, EndingSummary>("invoke");
/** Calls a tool for an agent. */
export const callTool = method<AgentRequest, AgentResult>("callTool");
/** Requests the current policies from the command, which reads them in the repository around its folder. */
export const policies = method<Nothing, WorkspacePolicies>("policies");
/** Lists the tools of skills that agents may invoke. */
export const listTools = method<Nothing, readonly TypedTool[]>("listTools");
/** Describes the permissions of agents, as the window shows them. */
export const agentOverview = method<Nothing, string>("agentOverview");
/** Stops agents without a question. Returns whether the stop is on the disk. */
export const stopAgents = method<Nothing, boolean>("stopAgents");

/**
 * Tells the command that its invocation `call` starts. The payload is sent after the response. If the command rejects,
 * nothing is sent.
 */
export const started = method<{ readonly call: number; readonly record: InvocationRecord }, null>(
  "started",
);
/** Requests the command's answer to a question about waiting. */
export const wait = method<
  { readonly call: number; readonly question: QuestionOf<"rateLimit" | "inProgress"> },
  "yes" | "later" | "no"
>("wait");

/** Notifies the command that the window shows a question. */
export const asking = method<{ readonly skill: string }, void>("asking");
/** Sends the command a part of the output of its invocation. */
export const outputPart = method<{ readonly call: number; readonly text: string }, void>(
  "outputPart",
);
/** Notifies the command that the permissions of agents changed. */
export const toolsChanged = method<Nothing, void>("toolsChanged");

/** The number of characters of an output in one message. Each may take six bytes. */
export const partLength = 1_000_000;

/** Separates an outcome from its output, which may be longer than a message. `outputText` is empty if there is none. */
export function withoutOutput(outcome: InvocationOutcome): {
  readonly outcome: InvocationOutcome;
  readonly outputText: string;
} {
  if (!("outputText" in outcome) || outcome.outputText === undefined) {
    return { outcome, outputText: "" };
  }
  return { outcome: { ...outcome, outputText: "" }, outputText: outcome.outputText };
}

/** Puts the output back into an outcome. */
export function withOutput(outcome: InvocationOutcome, outputText: string): InvocationOutcome {
  const hadOutput = "outputText" in outcome && outcome.outputText !== undefined;
  return hadOutput ? { ...outcome, outputText } : outcome;
}
