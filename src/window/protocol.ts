import { NotificationType, RequestType, RequestType0 } from "vscode-jsonrpc/node";
import type { AgentResult } from "../core/agents/agentResults";
import type { TypedTool } from "../core/agents/typedTools";
import type { InvocationOutcome } from "../core/invocation/invocation";
import type { QuestionOf, Stopped } from "../core/invocation/permission/question";
import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Result } from "../core/registry/registryFailure";
import type { SkillDetail } from "../core/skill/skill";
import type { ToldEnding } from "../engine/passage";
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

/** Both sides have the same, or say nothing more to each other. */
export const linkProtocol = 1;

/** Proves from both sides that they know the token; nothing else is answered before. */
export const hello = new RequestType<
  { readonly protocol: number; readonly nonce: string },
  { readonly protocol: number; readonly nonce: string; readonly proof: string },
  void
>("hello");
export const prove = new RequestType<{ readonly proof: string }, boolean, void>("prove");

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
export const place = new RequestType0<PlaceOfWindow, void>("place");
export const readSkill = new RequestType<SkillRequest, Result<SkillDetail>, void>("readSkill");
export const check = new RequestType<CheckRequest, PayloadCheck, void>("check");
/** Asks a person about several invocations of a skill. */
export const open = new RequestType<
  OpenRequest,
  Stopped | { readonly kind: "series"; readonly series: number },
  void
>("open");
/** Invokes once. The output comes before, in parts. */
export const invoke = new RequestType<InvokeRequest, ToldEnding, void>("invoke");
/** Calls a tool for an agent. */
export const callTool = new RequestType<AgentRequest, AgentResult, void>("callTool");
/** Lists the tools of skills that agents may invoke. */
export const listTools = new RequestType0<readonly TypedTool[], void>("listTools");
/** Describes what agents may do, as the window shows it. */
export const agentOverview = new RequestType0<string, void>("agentOverview");
/** Stops agents, which needs nobody's consent. Answers whether that is on the disk. */
export const stopAgents = new RequestType0<boolean, void>("stopAgents");

/** Asked of the command, by the number of its `invoke`: it leaves once this is answered, and not where it fails. */
export const started = new RequestType<
  { readonly call: number; readonly record: InvocationRecord },
  null,
  void
>("started");
/** Asks the command whether to wait. */
export const wait = new RequestType<
  { readonly call: number; readonly question: QuestionOf<"rateLimit" | "inProgress"> },
  "yes" | "later" | "no",
  void
>("wait");

/** Tells the command that the window shows a question. */
export const asking = new NotificationType<{ readonly skill: string }>("asking");
/** A part of the output of the command's `invoke`. */
export const outputPart = new NotificationType<{ readonly call: number; readonly text: string }>(
  "outputPart",
);
/** What agents may do changed. */
export const toolsChanged = new NotificationType<Record<string, never>>("toolsChanged");

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
