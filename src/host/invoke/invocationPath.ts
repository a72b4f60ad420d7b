import * as vscode from "vscode";
import { contradictsSkill } from "../../core/invocation/errorCodes";
import type { RunRemedy } from "../../core/invocation/permission/gateNotices";
import { uncheckedQuestion } from "../../core/invocation/permission/payloadQuestions";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { errorCount } from "../../core/payload/payloadCheck";
import type { RemedyName } from "../../core/project/gateway/codes";
import { registryName } from "../../core/registry/registryName";
import { inputSchemaOf } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import type { Asker } from "../../engine/asker";
import type { Ending, InvocationRequest, SentPayload } from "../../engine/attempt";
import type { Engine } from "../../engine/invoke";
import { endOf, type InvocationResult, outputOf } from "../../engine/sendInvocation";
import { orAbort } from "../../registry/wait";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { registryInUse } from "../connect/withRegistry";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm } from "../ui/messages";
import { withCountdown } from "../ui/progress";
import type { RemedyRunner } from "../workspace/blocked/remedyRunner";
import { askAboutSkill, cancelGraceMs, showStep } from "./editorAsker";
import type { InvocationOrigin } from "./invocationOrigin";
import type { InvocationTarget, TargetParts } from "./invocationTarget";
import type { PreparationParts, PreparedPayload } from "./preparePayload";
import type { RunningInvocations, StartedInvocation } from "./runningInvocations";
import { type OutcomeEffects, type ResultEditor, showOutcome, showStop } from "./showOutcome";

/** The dependencies of invoking a payload, and the effects of its notices. */
export interface InvocationPathParts
  extends PreparationParts,
    Pick<TargetParts, "connection" | "askForKey"> {
  readonly engine: Engine<ConnectedRegistry>;
  readonly target: InvocationTarget;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly openRecord: (record: InvocationRecord) => Promise<void>;
  /** Changes the project so that it no longer blocks the invocation. */
  readonly runRemedy: RemedyRunner["run"];
  /** Returns the slug of the project of this workspace at a registry; undefined for none. */
  readonly projectAt: (registry: ConnectedRegistry) => string | undefined;
  /** Asks the registry about invocations with an unknown outcome, if a user is signed in. */
  readonly askForOutcome: () => unknown;
  readonly results: ResultEditor;
  readonly running: RunningInvocations;
}

/** An invocation whose payload was checked. */
export interface CheckedInvocation {
  readonly prepared: PreparedPayload;
  readonly isTestRun: boolean;
  /** The registry from which the skill was read. Invocations are sent only there. */
  readonly baseUrl: string;
  /** Identifies the origin of the invocation. Other triggers from the same origin join it. */
  readonly source: string;
  readonly origin: InvocationOrigin;
}

/** How the notices of an invocation send it again. */
export interface SendAgain {
  /** Sends the invocation again; with `twice`, even while an equal one is in progress in another window. */
  readonly now: (checked: CheckedInvocation, twice: boolean) => Promise<void>;
  readonly after: (checked: CheckedInvocation, seconds: number) => Promise<void>;
  /**
   * Invokes with the current text of the payload. Never counts as a double click, since the payload may have another
   * version by now.
   */
  readonly withCurrentPayload: (checked: CheckedInvocation) => Promise<unknown>;
}

/**
 * The path from a payload to the engine and back: asks in dialogs, shows every slow step with a button that cancels it,
 * and shows the result.
 */
export class InvocationPath {
  constructor(
    private readonly parts: InvocationPathParts,
    private readonly sendAgain: SendAgain,
  ) {}

  /** Checks a payload. Undefined if it cannot be checked, with the reason shown. */
  async prepare(
    origin: InvocationOrigin,
    source: string,
    isTestRun: boolean,
  ): Promise<CheckedInvocation | undefined> {
    const registry = await registryInUse(this.parts.connection);
    if (registry === undefined) return undefined;
    const prepared = await origin.prepare(registry);
    if (prepared === undefined) return undefined;
    return { prepared, isTestRun, baseUrl: registry.baseUrl, source, origin };
  }

  /** Sends an invocation after a countdown that the user can cancel. */
  async sendAfter(checked: CheckedInvocation, seconds: number): Promise<InvocationResult> {
    const { slug } = checked.prepared.skill.summary;
    const title = vscode.l10n.t("Waiting for the rate limit to send {0}…", slug);
    return (await withCountdown(title, seconds)) ? this.send(checked, false) : "notSent";
  }

  /**
   * Sends an invocation, or shows why it was not sent. With `twice`, sends it even while an equal one is in progress in
   * another window. Resolves when the outcome is shown, or soon after a cancellation; the rest then completes in the
   * background.
   */
  async send(prepared: CheckedInvocation, twice: boolean): Promise<InvocationResult> {
    const checked = await this.withCurrentValues(prepared);
    const { baseUrl, isTestRun, origin } = checked;
    const { skill, resolution } = checked.prepared;
    const environment = resolution.ok ? resolution.value.environment : undefined;
    const registry = await this.parts.target.connectTo(baseUrl, skill.summary.slug);
    if (registry === undefined) return "notSent";
    const caller = { kind: "person" } as const;
    const { asksTerms } = origin;
    const request: InvocationRequest<ConnectedRegistry> = {
      ...{ registry, skill, environment, isTestRun, caller, asksTerms },
      allowsDuplicate: twice,
    };
    const cancel = new AbortController();
    origin.began(() => cancel.abort());
    let end: InvocationResult = "cancelled";
    let step = Promise.resolve();
    const asker = this.askerFor(checked, registry, cancel, (shown) => {
      step = shown;
    });
    const showing = this.parts.engine
      .invoke(request, this.payloadOf(checked), asker, cancel.signal)
      .then(async (ending) => {
        end = ending.kind === "sent" ? endOf(ending.outcome) : "notSent";
        await this.show(checked, registry, ending, twice);
      });
    await orAbort(showing, cancel.signal, cancelGraceMs);
    await step;
    return end;
  }

  /**
   * Replaces placeholders with their current values, since the user may act on a notice hours later. The payload stays
   * as it was when the notice appeared.
   */
  private async withCurrentValues(checked: CheckedInvocation): Promise<CheckedInvocation> {
    const { prepared, origin } = checked;
    const { text, skill, resolution: before } = prepared;
    if (before.ok && before.value.written === undefined) return checked;
    const { signal } = new AbortController();
    const { environmentUri: uri } = origin;
    const now = await this.parts.checks.checkIn(uri, inputSchemaOf(skill), text, signal);
    return { ...checked, prepared: { ...prepared, ...now } };
  }

  private payloadOf({ prepared, origin }: CheckedInvocation): SentPayload {
    const never = new AbortController().signal;
    const { resolution } = prepared;
    return {
      // If a placeholder has no value, the check reports it, and nothing is sent.
      ...(resolution.ok ? resolution.value : { text: prepared.text }),
      source: origin.uri.toString(),
      check: async (skill) =>
        skill === prepared.skill
          ? prepared.check
          : this.parts.checks.checkResolution(resolution, inputSchemaOf(skill), never),
    };
  }

  /**
   * Creates the asker of an invocation. For each step it calls `shows` with a promise that resolves when the step is no
   * longer shown.
   */
  private askerFor(
    checked: CheckedInvocation,
    registry: ConnectedRegistry,
    cancel: AbortController,
    shows: (shown: Promise<void>) => void,
  ): Asker {
    const { prepared, origin, isTestRun } = checked;
    const { slug, version } = prepared.skill.summary;
    const { running } = this.parts;
    const skill = addressText(slug, version);
    const sending = isTestRun
      ? vscode.l10n.t("Test run of {0}: it really runs and is not billed", skill)
      : vscode.l10n.t("Invoking {0}", skill);
    let started: StartedInvocation | undefined;
    const aboutSkill = askAboutSkill(
      () => this.parts.openSkill(slug),
      (remedy) => this.solve(checked, registry, remedy),
    );
    return {
      isPerson: true,
      answers: {
        ...aboutSkill,
        terms: async (question) => {
          const answer = await aboutSkill.terms(question);
          if (answer === "yes") origin.agreed();
          return answer;
        },
        unchecked: async ({ check }) => {
          if (errorCount(check) > 0) await origin.showProblem(prepared);
          const question = uncheckedQuestion(check, hostLanguage());
          return (await confirm({ ...question, maxLineLength: 500 })) ? "yes" : "no";
        },
        secrets: async ({ found }) =>
          (await origin.agreesToSecrets(prepared.text, found)) ? "yes" : "no",
        // Answer no, because the notice that follows offers both: to send twice, and to send when the rate limit allows
        // it.
        inProgress: () => "no",
        rateLimit: () => "no",
        agentCall: () => "noPerson",
      },
      agreedBefore: () => undefined,
      waiting: (step, work) => {
        if (step === "send") started = running.start(origin.uri, skill, cancel);
        const shown = showStep(step, work, { skill: slug, sending }, cancel);
        shows(shown.finally(() => step === "send" && started?.end()));
      },
      started: (record) => {
        started?.record(record);
        origin.started(record);
      },
      ended: (record, outcome) => origin.ended(record, outputOf(outcome)),
    };
  }

  private async show(
    checked: CheckedInvocation,
    registry: ConnectedRegistry,
    ending: Ending,
    twice: boolean,
  ): Promise<void> {
    const { slug, version } = checked.prepared.skill.summary;
    const { origin } = checked;
    const effects = {
      openSkill: () => this.parts.openSkill(slug),
      showInput: () => origin.show(),
      sendWhenAllowed: (seconds: number) => this.sendAgain.after(checked, seconds),
    };
    if (ending.kind === "stopped") {
      const { stop } = ending;
      if (stop.kind === "invalid") {
        await origin.showInvalid({ ...checked.prepared, check: stop.check });
        return;
      }
      const sendAgain = () => this.sendAgain.now(checked, twice || stop.kind === "declined");
      const blocked = { registry, code: "skill_not_verified", twice };
      const askPublisher = () => this.runRemedy(checked, "askPublisher", blocked);
      showStop(slug, stop, { ...effects, sendAgain, askPublisher }, origin.notify);
      return;
    }
    const { outcome, record, sender } = ending;
    if (outcome.kind === "outcomeUnknown") this.parts.askForOutcome();
    if (outcome.kind === "refused" && contradictsSkill(outcome)) {
      // The response contradicts the cached skill, which allowed the invocation.
      void this.parts.details.refresh(slug, version === "" ? undefined : version);
    }
    const code = (outcome.kind === "refused" && outcome.code) || "";
    const key = sender.kind === "projectKey" ? sender.key : undefined;
    const outcomeEffects: OutcomeEffects = {
      ...effects,
      registry,
      project: this.parts.projectAt(registry),
      showRecord: () => this.parts.openRecord(record),
      sendAgain: () => this.sendAgain.now(checked, false),
      runRemedy: (remedy) => this.runRemedy(checked, remedy, { registry, code, key }),
      invoke: () => this.sendAgain.now({ ...checked, isTestRun: false }, false),
      setProjectKey: async () => {
        const fresh = await this.parts.askForKey(registry);
        if (fresh !== undefined) await this.sendAgain.now(checked, false);
      },
    };
    showOutcome(ending, outcomeEffects, origin.notify);
  }

  /** Removes an obstacle of an invocation, and then sends it. */
  private async solve(
    checked: CheckedInvocation,
    registry: ConnectedRegistry,
    found: RunRemedy,
  ): Promise<void> {
    if (found.kind === "useVersion") {
      const isPayloadOfIt = await checked.origin.useVersion(found.version);
      if (isPayloadOfIt) await this.sendAgain.withCurrentPayload(checked);
      return;
    }
    const { remedy, code } = found;
    if (checked.isTestRun) return this.runRemedy(checked, remedy, { registry, code });
    // The remedy changes the project of this invocation's key. If the user does not wait for the key, change nothing.
    const reading = await this.parts.target.lookForKey(registry);
    if (reading === undefined) return;
    await this.runRemedy(checked, remedy, { registry, code, key: reading.key });
  }

  /**
   * Removes a block and then sends the invocation again, unchanged or with its payload's current text. Since the
   * blocked invocation has ended, this is no double click, however soon it happens.
   */
  private runRemedy(
    checked: CheckedInvocation,
    remedy: RemedyName,
    { registry, code, key, twice = true }: BlockedAt,
  ): Promise<void> {
    const { slug, version } = checked.prepared.skill.summary;
    const stopped = {
      useVersion: checked.origin.useVersion,
      resume: () => this.sendAgain.now(checked, twice),
      invokeCurrentPayload: () => this.sendAgain.withCurrentPayload(checked),
      ...(key !== undefined && { key }),
    };
    const blocked = { registry: registryName(registry), slug, version, code, stopped };
    return this.parts.runRemedy(remedy, blocked);
  }
}

/**
 * A block to remove: the error code, the key of the invocation, and whether to send again even while an equal
 * invocation is in progress.
 */
interface BlockedAt {
  readonly registry: ConnectedRegistry;
  readonly code: string;
  readonly key?: string | undefined;
  readonly twice?: boolean;
}
