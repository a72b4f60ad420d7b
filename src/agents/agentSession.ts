import { randomBytes } from "node:crypto";
import { agreementAbout } from "../core/agents/agentAgreements";
import { type AgentArguments, readAgentArguments } from "../core/agents/agentArguments";
import { type AgentResult, refusalResult } from "../core/agents/agentResults";
import type { AgentToolName } from "../core/agents/agentTools";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import { registryName } from "../core/registry/registryName";
import type { InvokedRegistry } from "../engine/attempt";
import type { AgentClient } from "./agentAsker";
import { AllowedSkills } from "./allowedSkills";
import { InvokeTools } from "./invokeTools";
import { ReadTools } from "./readTools";
import type { SessionParts } from "./sessionParts";
import { unexpected } from "./unexpected";

/** The five tools for the agents of one window or process. */
export class AgentSession<Registry extends InvokedRegistry> {
  /** Names the session in records, in 8 hex digits. */
  readonly id = randomBytes(4).toString("hex");
  private readonly skills: AllowedSkills<Registry>;
  private readonly reading: ReadTools<Registry>;
  private readonly invoking: InvokeTools<Registry>;

  constructor(private readonly parts: SessionParts<Registry>) {
    this.skills = new AllowedSkills(parts);
    this.reading = new ReadTools(parts, this.skills);
    this.invoking = new InvokeTools(parts, this.skills, this.id);
  }

  /** Runs a tool. Never rejects: an error could carry the input into a log. */
  call(
    tool: AgentToolName,
    input: unknown,
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    return this.answered(tool, () => this.run(tool, input, client, signal));
  }

  /** Invokes the skill of a typed tool (`typedTools`), with the contract that was agreed to. Never rejects. */
  invokeAllowed(
    slug: string,
    input: unknown,
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    return this.answered("invoke_skill", async () => {
      const registry = await this.parts.connect();
      const settings = await this.parts.settings.get();
      const agreement = registry && agreementAbout(settings, registryName(registry), slug);
      const contractHash = agreement?.contractHash ?? "none";
      return this.run("invoke_skill", { skill: slug, contractHash, input }, client, signal);
    });
  }

  /** Cancels invocations that wait to be sent. Sent ones continue. */
  cancelWaiting(): void {
    this.invoking.cancelWaiting();
  }

  /** Waits until every sent invocation has ended and is on record. */
  finish(): Promise<void> {
    return this.invoking.finish();
  }

  /** Returns the result of a tool, or a refusal if agents are turned off. An error becomes a result too. */
  private async answered(
    tool: AgentToolName,
    work: () => Promise<AgentResult>,
  ): Promise<AgentResult> {
    try {
      const off = await this.turnedOff();
      if (off !== undefined) return refusalResult(off);
      return await work();
    } catch (error) {
      const fate = tool === "read_output" ? "unread" : "notSent";
      return unexpected(tool, error, fate, this.parts.log);
    }
  }

  private async turnedOff(): Promise<AgentRefusal | undefined> {
    const gate = this.skills.gateFor("", "", "", "find_skill", "");
    const refusal = await gate.mayRead("");
    return refusal?.code === "agentsOff" ? refusal : undefined;
  }

  private run(
    tool: AgentToolName,
    input: unknown,
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    switch (tool) {
      case "find_skill":
        return this.withArguments(tool, input, (args) => this.reading.find(args, signal));
      case "inspect_skill":
        return this.withArguments(tool, input, (args) => this.reading.inspect(args));
      case "check_payload":
        return this.withArguments(tool, input, (args) => this.reading.check(args));
      case "invoke_skill":
        return this.withArguments(tool, input, (args) =>
          this.invoking.invoke(args, client, signal),
        );
      case "read_output":
        return this.withArguments(tool, input, (args) =>
          this.invoking.readOutput(args, client, signal),
        );
    }
  }

  private async withArguments<Tool extends AgentToolName>(
    tool: Tool,
    input: unknown,
    work: (args: AgentArguments[Tool]) => Promise<AgentResult>,
  ): Promise<AgentResult> {
    const read = readAgentArguments(tool, input);
    return read.ok ? work(read.value) : refusalResult(read.refusal);
  }
}
