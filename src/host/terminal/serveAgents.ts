import * as vscode from "vscode";
import type { AgentClient, CallAnswer } from "../../agents/agentAsker";
import type { AgentSession } from "../../agents/agentSession";
import type { WorkspacePolicies } from "../../core/agents/agentPolicy";
import { type AgentResult, maxOutputLength, resultOf } from "../../core/agents/agentResults";
import { agentToolNames } from "../../core/agents/agentTools";
import type { TypedTool } from "../../core/agents/typedTools";
import { oneLine } from "../../core/text/plainText";
import type { Link } from "../../window/link";
import {
  agentOverview,
  callTool,
  listTools,
  policies,
  stopAgents,
  toolsChanged,
} from "../../window/protocol";
import type { QuestionGate } from "../../window/questionGate";
import { type AgentRequest, readAgentRequest, readPolicies } from "../../window/requests";
import type { ConnectedRegistry } from "../connect/registryConnection";
import type { Answer } from "./serveLink";

type CallQuestion = Parameters<AgentClient["askPerson"]>[0];

/** Serves agents in terminals with the permissions of this window's own agents. */
export interface TerminalAgents {
  readonly onDidChange: (listener: () => void) => { readonly dispose: () => void };
  /** Opens a session for a process. `policies` restrict it in addition to the workspace's own. */
  readonly openSession: (policies: () => Promise<WorkspacePolicies>) => {
    readonly session: AgentSession<ConnectedRegistry>;
    readonly close: () => void;
  };
  readonly askPerson: (
    client: string,
    question: CallQuestion,
    signal: AbortSignal,
  ) => Promise<CallAnswer>;
  readonly tools: () => Promise<readonly TypedTool[]>;
  /** Describes in English the permissions, calls and refusals of agents. */
  readonly overview: () => Promise<string>;
  /** Stops all agents. Resolves to whether the stop is stored on disk. */
  readonly stop: () => Promise<boolean>;
}

/** Serves an agent in a terminal with this window's permissions. The person at this window answers its questions. */
export function serveAgents(
  link: Link,
  agents: TerminalAgents,
  gate: QuestionGate,
  answer: Answer,
): void {
  const policiesNow = () =>
    link.sendRequest(policies, {}).then(readPolicies, () => "unreadable" as const);
  let opened: ReturnType<TerminalAgents["openSession"]> | undefined;
  const call = (request: AgentRequest, { signal }: AbortController): Promise<AgentResult> => {
    const { tool, isTyped, input } = request;
    opened ??= agents.openSession(policiesNow);
    const { session } = opened;
    const client = clientOf(request, agents, gate, signal);
    if (isTyped) return session.invokeAllowed(tool, input, client, signal);
    const known = agentToolNames.find((agentToolName) => agentToolName === tool);
    return known === undefined
      ? Promise.resolve(resultOf({ status: "notSent", code: "badArguments" }, true))
      : session.call(known, input, client, signal);
  };
  answer(callTool, readAgentRequest, call);
  link.onRequest(listTools, () => agents.tools());
  link.onRequest(agentOverview, () => agents.overview());
  link.onRequest(stopAgents, () => agents.stop());
  const changed = agents.onDidChange(() => void link.sendNotification(toolsChanged, {}));
  const end = () => {
    changed.dispose();
    opened?.close();
  };
  link.closed.addEventListener("abort", end, { once: true });
}

/** Describes an agent to the tools: its own name, and how to ask the person at this window, one question at a time. */
function clientOf(
  { name, version, protocol, traceparent, folder }: AgentRequest,
  agents: TerminalAgents,
  gate: QuestionGate,
  signal: AbortSignal,
): AgentClient {
  const program = name === undefined ? vscode.l10n.t("An agent") : oneLine(name, 100);
  const where = oneLine(folder, 200);
  const shown = vscode.l10n.t("{0}, in a terminal in {1},", program, where);
  return {
    caller: {
      kind: "mcp",
      ...(name !== undefined && { name: oneLine(name, 100) }),
      ...(version !== undefined && { version: oneLine(version, 100) }),
      ...(protocol !== undefined && { protocol: oneLine(protocol, 40) }),
      ...(traceparent !== undefined && { traceparent }),
    },
    askPerson: async (question) => {
      const ask = () => agents.askPerson(shown, question, signal);
      const said = await gate.ask(ask, (answer) => answer === "no");
      return said === "refused" ? "no" : said;
    },
    maxOutput: maxOutputLength,
  };
}
