import * as vscode from "vscode";
import type { AgentResult } from "../../core/agents/agentResults";
import { type AgentToolName, agentToolMessage, agentToolNames } from "../../core/agents/agentTools";
import { agentToolPrefix } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";

/** Runs a tool with an agent's input, for a chat or another extension. Never rejects. */
export type CallAgentTool = (
  tool: AgentToolName,
  input: unknown,
  from: { readonly isChat: boolean; readonly maxOutput: number },
  token: vscode.CancellationToken,
) => Promise<AgentResult>;

const charactersPerToken = 3;

/**
 * Registers the tools that agents call. Each returns one text. A failure is a result too, since the editor logs the
 * whole input of a tool that throws.
 */
export function registerAgentTools(call: CallAgentTool): vscode.Disposable {
  const tools = agentToolNames.map((name) =>
    vscode.lm.registerTool<unknown>(`${agentToolPrefix}${name}`, {
      // Only announces the call. Our own dialog asks whether it may happen.
      prepareInvocation: ({ input }) => ({
        invocationMessage: agentToolMessage(name, input, hostLanguage()),
      }),
      invoke: async ({ input, toolInvocationToken, tokenizationOptions }, token) => {
        const budget =
          (tokenizationOptions?.tokenBudget ?? Number.POSITIVE_INFINITY) * charactersPerToken;
        const from = { isChat: toolInvocationToken !== undefined, maxOutput: budget };
        const { text } = await call(name, input, from, token).catch(() => failed);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    }),
  );
  return vscode.Disposable.from(...tools);
}

const failed = { text: `{"status":"notSent","message":"An unexpected error occurred."}` };
