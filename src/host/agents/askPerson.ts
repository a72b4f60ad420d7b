import * as vscode from "vscode";
import type { AgentClient, CallAnswer } from "../../agents/agentAsker";
import { callQuestion } from "../../core/agents/agentQuestions";
import { invalidText } from "../../core/invocation/permission/payloadQuestions";
import { prettyJson } from "../../core/json/printJson";
import { registryName } from "../../core/registry/registryName";
import { inputSchemaOf, type SkillDetail } from "../../core/skill/skill";
import { openPayloadText } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { currentRegistry } from "../connect/currentRegistry";
import type { RegistryConnection } from "../connect/registryConnection";
import { hostLanguage } from "../ui/hostLanguage";
import { askModal, inform, warn } from "../ui/messages";

/** The dependencies of asking a person about an agent's invocation. */
interface PersonAskerParts {
  readonly connection: RegistryConnection;
  readonly bindings: PayloadBindings;
  readonly checks: PayloadChecks;
}

/** Asks a person in this window about the invocations of agents. */
export class PersonAsker {
  /** The skills that a person allowed for the rest of this window's session, by registry, skill and contract. */
  private readonly agreed = new Set<string>();

  constructor(private readonly parts: PersonAskerParts) {}

  /** Removes the permissions for this window. */
  forget(): void {
    this.agreed.clear();
  }

  /** Asks in a modal dialog of our own, since some chats invoke tools without asking. `client` names the agent. */
  async ask(
    client: string,
    { skill, call, payload }: Parameters<AgentClient["askPerson"]>[0],
    signal: AbortSignal,
  ): Promise<CallAnswer> {
    const registry = await currentRegistry(this.parts.connection);
    if (registry === undefined || signal.aborted) return "no";
    const agreed = `${registryName(registry)} ${skill.summary.slug} ${call.agreement}`;
    if (this.agreed.has(agreed)) return "yes";
    const once = vscode.l10n.t("Invoke Once");
    const session = vscode.l10n.t("This Session");
    const edit = vscode.l10n.t("Edit Payload…");
    const request = { client, reason: call.agentReason ?? "", payload };
    const { message, detail } = callQuestion(skill, request, registry, hostLanguage());
    const question = { message, detail: [detail], maxLineLength: 500 };
    const answer = await askModal(question, once, session, edit);
    // If the agent canceled its call meanwhile, the answer must not count for its next call.
    if (answer === undefined || signal.aborted) return "no";
    if (answer === edit) return this.askWithEditor(skill, payload, signal);
    if (answer === session) this.agreed.add(agreed);
    return "yes";
  }

  /**
   * Opens the payload in an editor that checks it while the person types. Asks again until the payload is valid or the
   * person decides not to send it.
   */
  private async askWithEditor(
    skill: SkillDetail,
    payload: string,
    signal: AbortSignal,
  ): Promise<CallAnswer> {
    const { bindings, checks } = this.parts;
    const { slug, version } = skill.summary;
    const text = prettyJson(payload, Number.POSITIVE_INFINITY).text;
    const { document } = await openPayloadText({ slug, version }, text, bindings);
    const send = vscode.l10n.t("Send for the Agent");
    const buttons = [send, vscode.l10n.t("Do Not Send")];
    const message = vscode.l10n.t("Change the payload for {0}, then send it for the agent.", slug);
    let answer = await inform(message, ...buttons);
    for (;;) {
      if (answer !== send || signal.aborted || document.isClosed) return "no";
      const changed = document.getText();
      const check = await checks.checkText(inputSchemaOf(skill), changed, signal);
      if (check.state !== "invalid") return { payload: changed };
      answer = await warn(invalidText(slug, check, hostLanguage()), ...buttons);
    }
  }
}
