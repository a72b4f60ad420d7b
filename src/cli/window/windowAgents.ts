import { type AgentResult, resultOf } from "../../core/agents/agentResults";
import type { ServedAgents } from "../../mcp/serveMcp";
import type { AgentRequest } from "../../window/requests";
import { agentPolicies } from "../files/teamFolder";
import type { TerminalWindow } from "./terminalWindow";

/**
 * Creates the tools for agents that run in the window of a terminal, with its permissions and limits. The window asks
 * its user.
 */
export function windowAgents(
  window: TerminalWindow,
  folder: string,
): Pick<ServedAgents, "open" | "list" | "onDidChange"> {
  const { link, registry, baseUrl } = window;
  // Read at each check, since the policy may change while a person is asked.
  link.servePolicies(() => agentPolicies(folder));
  type Call = Parameters<Awaited<ReturnType<ServedAgents["open"]>>["session"]["call"]>;
  const ask = async (
    tool: string,
    isTyped: boolean,
    [input, { caller }, signal]: [Call[1], Call[2], Call[3]],
  ): Promise<AgentResult> => {
    if (link.isGone) return resultOf(gone.notSent, true);
    const { name, version, protocol, traceparent } = caller;
    const request: AgentRequest = {
      ...{ tool, isTyped, input, folder },
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
      ...(protocol !== undefined && { protocol }),
      ...(traceparent !== undefined && { traceparent }),
    };
    const answer = await link.callTool(request, signal);
    if (typeof answer !== "string") return answer;
    const mayHaveSent = isTyped || tool === "invoke_skill";
    return resultOf(mayHaveSent ? gone.unknown : gone.notSent, true);
  };
  const session = {
    call: (tool: Call[0], ...given: [Call[1], Call[2], Call[3]]) => ask(tool, false, given),
    invokeAllowed: (slug: string, ...given: [Call[1], Call[2], Call[3]]) => ask(slug, true, given),
  };
  const isBuiltIn = registry === "built-in";
  return {
    open: async () => ({
      session,
      registry: { baseUrl, origin: new URL(baseUrl).origin, isBuiltIn },
    }),
    list: async () => {
      const tools = await link.listTools();
      return typeof tools === "string" ? [] : tools;
    },
    onDidChange: (listener) => link.onToolsChanged(listener),
  };
}

const gone = {
  notSent: {
    status: "notSent",
    code: "canceled",
    message: "The editor window of this terminal no longer answers.",
    next: "Ask the user to start you again in a new terminal.",
  },
  unknown: {
    status: "outcome unknown",
    message:
      "The editor window of this terminal stopped answering meanwhile. The invocation may have run and may be billed. Do not repeat it; tell the user.",
  },
} as const;
