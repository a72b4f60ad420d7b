import { createConnection, type Socket } from "node:net";
import type { WorkspacePolicies } from "../core/agents/agentPolicy";
import type { AgentResult } from "../core/agents/agentResults";
import type { TypedTool } from "../core/agents/typedTools";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Result } from "../core/registry/registryFailure";
import type { SkillDetail } from "../core/skill/skill";
import { WindowInvocations } from "./invocations";
import type { Link, LinkEnd } from "./link";
import { isProofOf, newNonce, proofOf } from "./proof";
import {
  agentOverview,
  callTool,
  check,
  hello,
  linkProtocol,
  listTools,
  policies,
  proofMs,
  prove,
  readSkill,
  stopAgents,
  toolsChanged,
  type WindowEnvironment,
  windowEnvironment,
} from "./protocol";
import type { AgentRequest, CheckRequest, SkillRequest } from "./requests";
import { isOwnSocket, readWindowAddress, type WindowAddress } from "./windowAddress";

/** Why there is no connection to a window. */
export type NoWindow =
  /** The window was closed or reloaded, or it is there and does not answer. */
  | LinkEnd
  /** A program that is not this user's window listens at the address. */
  | "foreign"
  /** The window's extension uses another version of the protocol. */
  | "otherVersion";

/**
 * Connects to the window of a terminal, by the value of its environment variable. Both sides first prove that they know
 * the token. Never rejects.
 */
export async function connectToWindow(variable: string): Promise<CommandWindow | NoWindow> {
  const address = readWindowAddress(variable);
  if (address === undefined) return "otherVersion";
  const { linkOver } = await import("./link");
  const socket = await connected(address.path);
  if (socket === undefined) return "gone";
  if (!(await isOwnSocket(address.path))) {
    socket.destroy();
    return "foreign";
  }
  const link = linkOver(socket);
  link.listen();
  const late = setTimeout(() => link.close("silent"), proofMs);
  const proven = await authenticate(link, address).catch((): NoWindow => link.end());
  clearTimeout(late);
  if (proven === "proven") {
    link.trust();
    return new CommandWindow(link);
  }
  link.close();
  return proven;
}

/** A connection from a command to the window of its terminal. After it ended, every request resolves to the reason. */
export class CommandWindow {
  constructor(private readonly link: Link) {}

  environment(): Promise<WindowEnvironment | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(windowEnvironment, {}));
  }

  readSkill(skill: SkillRequest): Promise<Result<SkillDetail> | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(readSkill, skill));
  }

  check(payload: CheckRequest): Promise<PayloadCheck | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(check, payload));
  }

  /** Creates invocations through the window. `onQuestion` is called when the window shows a question about a skill. */
  invocations(onQuestion: (skill: string) => void): WindowInvocations {
    return new WindowInvocations(this.link, onQuestion);
  }

  /** Whether the connection to the window has ended. */
  get isGone(): boolean {
    return this.link.closed.aborted;
  }

  callTool(request: AgentRequest, signal: AbortSignal): Promise<AgentResult | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(callTool, request, signal));
  }

  listTools(): Promise<readonly TypedTool[] | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(listTools, {}));
  }

  /** Sets the function that reads the policies of the command's folder when the window requests them. */
  servePolicies(read: () => Promise<WorkspacePolicies>): void {
    this.link.onRequest(policies, read);
  }

  /** Calls the listener when the permissions of agents changed. */
  onToolsChanged(listener: () => void): { readonly dispose: () => void } {
    return this.link.onNotification(toolsChanged, listener);
  }

  agentOverview(): Promise<string | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(agentOverview, {}));
  }

  stopAgents(): Promise<boolean | LinkEnd> {
    return this.unlessGone(() => this.link.sendRequest(stopAgents, {}));
  }

  close(): void {
    this.link.close();
  }

  private async unlessGone<Answer>(ask: () => Promise<Answer>): Promise<Answer | LinkEnd> {
    try {
      return await ask();
    } catch (error) {
      if (this.link.closed.aborted) return this.link.end();
      throw error;
    }
  }
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => resolve(undefined));
  });
}

async function authenticate(link: Link, { token }: WindowAddress) {
  const nonce = newNonce();
  const answer = await link.sendRequest(hello, { protocol: linkProtocol, nonce });
  if (answer.protocol !== linkProtocol) return "otherVersion" as const;
  const nonces = { window: String(answer.nonce), command: nonce };
  if (!isProofOf("window", token, nonces, String(answer.proof))) return "foreign" as const;
  const isTaken = await link.sendRequest(prove, {
    proof: proofOf("command", token, nonces),
  });
  return isTaken ? ("proven" as const) : ("gone" as const);
}
