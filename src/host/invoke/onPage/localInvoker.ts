import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { credentialsIn } from "../../../core/environment/resolvedPayload";
import { keptTrialOf } from "../../../core/invocation/output/keptTrials";
import {
  type LocalOutcome,
  localAddressOf,
  localEnd,
  localNotice,
  localRecord,
} from "../../../core/invocation/output/localTrial";
import { maySend, uncheckedQuestion } from "../../../core/invocation/permission/payloadQuestions";
import { newRecordId } from "../../../core/invocation/record/invocationRecord";
import { problemText } from "../../../core/payload/payloadCheck";
import type { KeyRedactor } from "../../../core/registry/redactSecrets";
import { outputSchemaOf, type SkillDetail } from "../../../core/skill/skill";
import type { Notice } from "../../../core/text/notice";
import type { TrialRecord } from "../../../engine/record/trialRecord";
import type { PayloadChecks } from "../../author/payloadChecks";
import { currentKey } from "../../connect/currentRegistry";
import { readNetworkSettings } from "../../connect/readNetworkSettings";
import type { RegistryConnection } from "../../connect/registryConnection";
import type { ProjectKeys } from "../../keys/projectKeys";
import { readSettings } from "../../settings";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm } from "../../ui/messages";
import type { OutputChannels } from "../../ui/outputChannels";
import type { InvocationOrigin } from "../invocationOrigin";
import type { PreparedPayload } from "../preparePayload";

/** The dependencies of sending a payload to code on this machine. */
export interface LocalInvokerParts {
  readonly checks: PayloadChecks;
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly redactor: KeyRedactor;
  readonly channels: OutputChannels;
  /** Keeps the facts of each trial. */
  readonly trials: Pick<TrialRecord, "add">;
}

/** The identity of no registry, for payloads that are sent to none. */
const noRegistry = { isBuiltIn: false, baseUrl: "" };

/**
 * Returns where the payloads of a manifest are sent. Undefined for nowhere: in an untrusted workspace, whoever wrote the
 * manifest would choose which program of this machine gets them.
 */
export function trialAddress(skill: SkillDetail): string | undefined {
  return vscode.workspace.isTrusted ? localAddressOf(skill) : undefined;
}

/**
 * Sends payloads of a manifest to its code on this machine, with the checks of every invocation. No registry, key or
 * limit takes part. The facts of a trial are kept apart from invocations.
 */
export class LocalInvoker {
  constructor(private readonly parts: LocalInvokerParts) {}

  /** Sends a payload, or shows why not. Resolves when the outcome is shown. */
  async invokeFrom(origin: InvocationOrigin): Promise<void> {
    const prepared = await origin.prepare(noRegistry);
    if (prepared === undefined) return;
    const { skill } = prepared;
    const address = trialAddress(skill);
    const sent = address && (await this.textToSend(prepared, origin));
    if (address === undefined || sent === undefined) return;
    const cancel = new AbortController();
    origin.began(() => cancel.abort());
    const startedAt = Date.now();
    const id = newRecordId(startedAt, randomUUID().slice(0, 13));
    const running = localRecord(skill, address, { id, startedAt });
    origin.started(running);
    const started = performance.now();
    const outcome = await this.send(address, sent, cancel.signal);
    const durationMs = Math.ceil(performance.now() - started);
    const language = hostLanguage();
    const notice =
      localNotice(skill.summary.slug, address, outcome, language) ??
      (await this.outputNotice(skill, outcome));
    const message = notice && { message: notice.message };
    const output = outcome.kind === "answered" ? outcome.outputText : undefined;
    const ended = { ...running, ...localEnd(outcome), durationMs, ...message };
    origin.ended(ended, output);
    await this.parts.trials.add(keptTrialOf(ended));
    if (notice !== undefined) await origin.notify(notice);
  }

  /** Returns the resolved text of a payload if it may be sent. Asks, or shows why not. */
  private async textToSend(
    prepared: PreparedPayload,
    origin: InvocationOrigin,
  ): Promise<string | undefined> {
    const { text, check, resolution } = prepared;
    const may = resolution.ok ? maySend(check, resolution.value.text) : "no";
    if (!resolution.ok || may === "no") {
      await origin.showInvalid(prepared);
      return undefined;
    }
    const question = uncheckedQuestion(check, hostLanguage(), true);
    if (may === "ask" && !(await confirm({ ...question, maxLineLength: 500 }))) return undefined;
    const agrees = await origin.agreesToSecrets(text, credentialsIn(resolution.value, []));
    return agrees ? resolution.value.text : undefined;
  }

  private async send(address: string, text: string, signal: AbortSignal): Promise<LocalOutcome> {
    const { connection, keys, redactor, channels } = this.parts;
    // The redactor knows each secret that was filled in, and the key once it is read. What contains one is not sent.
    await currentKey(connection, keys);
    const { invokeTimeoutSeconds: seconds, maxResponseMegabytes } = readSettings();
    const { invokeLocal } = await import("../../../registry/registryClient");
    const route = {
      network: readNetworkSettings(),
      limits: { seconds, maxBytes: maxResponseMegabytes * 1_000_000 },
      redactor,
      log: (line: string) => channels.noteRequest(line),
    };
    return invokeLocal(address, text, route, signal);
  }

  /** Reports a successful output that its schema rejects, or that could not be checked. */
  private async outputNotice(
    skill: SkillDetail,
    outcome: LocalOutcome,
  ): Promise<Notice | undefined> {
    const output = outcome.kind === "answered" ? outcome.outputText : undefined;
    if (output === undefined || skill.outputSchema === undefined) return undefined;
    const { signal } = new AbortController();
    const check = await this.parts.checks.checkText(outputSchemaOf(skill), output, signal);
    if (check.state === "valid") return undefined;
    const { slug } = skill.summary;
    const problem = check.problems.find(({ severity }) => severity === "error");
    const message =
      problem === undefined
        ? vscode.l10n.t("The output of {0} could not be checked. {1}", slug, check.reason ?? "")
        : vscode.l10n.t(
            "The output of {0} does not match the output schema. {1}",
            slug,
            problemText(problem),
          );
    return { severity: "warning", message: message.trim(), actions: [] };
  }
}
