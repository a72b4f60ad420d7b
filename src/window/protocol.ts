import type { AgentResult } from "../core/agents/agentResults";
import type { TypedTool } from "../core/agents/typedTools";
import type { InvocationOutcome } from "../core/invocation/invocation";
import type { QuestionOf, Stopped } from "../core/invocation/permission/question";
import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Result } from "../core/registry/registryFailure";
import type { SkillDetail } from "../core/skill/skill";
import type { ToldEnding } from "../engine/passage";
import type { Method } from "./link";
import type {
  AgentRequest,
  CheckRequest,
  InvokeRequest,
  OpenRequest,
  SkillRequest,
} from "./requests";

/*
 * What a command of a terminal and the window that it was opened in say to each other. Never a Project Key, a user
 * token, the value of a secret, or the file of what agents may do.
 */

const method = <Asked, Told>(name: string): Method<Asked, Told> => ({ name });

/** What needs nothing to be said. */
type Nothing = Record<string, never>;

/** Both sides have the same, or say nothing more to each other. */
export const linkProtocol = 1;

/** Proves from both sides that they know the token; nothing else is answered before. */
export const hello = method<
  { readonly protocol: number; readonly nonce: string },
  { readonly protocol: number; readonly nonce: string; readonly proof: string }
>("hello");
export const prove = method<{ readonly proof: string }, boolean>("prove");

/** Where the window works. */
export type PlaceOfWindow =
  | {
      readonly ok: true;
      /** The registry as records name it. */
      readonly registry: string;
      /** Where it answers: of the built-in one, the window's own. */
      readonly baseUrl: string;
      readonly environment?: string;
    }
  /** Why there is no registry, in English. */
  | { readonly ok: false; readonly problem: string };

/** Asked of the window. */
export const place = method<Nothing, PlaceOfWindow>("place");
export const readSkill = method<SkillRequest, Result<SkillDetail>>("readSkill");
export const check = method<CheckRequest, PayloadCheck>("check");
/** Asks a person about several invocations of a skill. */
export const open = method<
  OpenRequest,
  Stopped | { readonly kind: "series"; readonly series: number }
>("open");
/** Invokes once. The output comes before, in parts. */
export const invoke = method<InvokeRequest, ToldEnding>("invoke");
/** Calls a tool for an agent. */
export const callTool = method<AgentRequest, AgentResult>("callTool");
/** Lists the tools of skills that agents may invoke. */
export const listTools = method<Nothing, readonly TypedTool[]>("listTools");
/** Describes what agents may do, as the window shows it. */
export const agentOverview = method<Nothing, string>("agentOverview");
/** Stops agents, which needs nobody's consent. Answers whether that is on the disk. */
export const stopAgents = method<Nothing, boolean>("stopAgents");

/** Asked of the command, by the number of its `invoke`: it leaves once this is answered, and not where it fails. */
export const started = method<{ readonly call: number; readonly record: InvocationRecord }, null>(
  "started",
);
/** Asks the command whether to wait. */
export const wait = method<
  { readonly call: number; readonly question: QuestionOf<"rateLimit" | "inProgress"> },
  "yes" | "later" | "no"
>("wait");

/** Tells the command that the window shows a question. */
export const asking = method<{ readonly skill: string }, void>("asking");
/** A part of the output of the command's `invoke`. */
export const outputPart = method<{ readonly call: number; readonly text: string }, void>(
  "outputPart",
);
/** What agents may do changed. */
export const toolsChanged = method<Nothing, void>("toolsChanged");

/** Characters of an output in one message, each of which may take six bytes. */
export const partLength = 1_000_000;

/** Splits an outcome from its output, which may be longer than a message; empty where it has none. */
export function withoutOutput(outcome: InvocationOutcome): {
  readonly outcome: InvocationOutcome;
  readonly outputText: string;
} {
  if (!("outputText" in outcome) || outcome.outputText === undefined) {
    return { outcome, outputText: "" };
  }
  return { outcome: { ...outcome, outputText: "" }, outputText: outcome.outputText };
}

/** Puts an output back. */
export function withOutput(outcome: InvocationOutcome, outputText: string): InvocationOutcome {
  const hadOutput = "outputText" in outcome && outcome.outputText !== undefined;
  return hadOutput ? { ...outcome, outputText } : outcome;
}
