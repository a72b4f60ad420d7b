import * as vscode from "vscode";
import { contradictsSkill } from "../../core/invocation/errorCodes";
import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import { agreementMs } from "../../core/invocation/permission/agreement";
import { alreadyRunningNotice } from "../../core/invocation/permission/gateNotices";
import { type InvocationRecord, registryName } from "../../core/invocation/record/invocationRecord";
import { readContract } from "../../core/review/contract";
import { invocationPrice } from "../../core/skill/price";
import type { SkillDetail } from "../../core/skill/skill";
import {
  type ClaimParts,
  claimInvocation,
  endOf,
  type InvocationClaim,
  type InvocationResult,
} from "../../engine/claim";
import { orAbort } from "../../engine/settled";
import { sha256 } from "../../engine/sha256";
import type { PayloadChecks } from "../author/payloadChecks";
import { showDocument } from "../author/payloadDocument";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { hostLanguage } from "../messages/hostLanguage";
import { showNotice } from "../messages/showNotice";
import { readSettings } from "../settings";
import type { RemedyRunner } from "../workspace/blocked/remedyRunner";
import { type Gates, passGates } from "./gates";
import { InvocationTarget, type Sending, type TargetParts } from "./invocationTarget";
import { preparePayload } from "./preparePayload";
import { withCountdown, withProgress, withWaiting } from "./progress";
import type { RunningInvocations, StartedInvocation } from "./runningInvocations";
import {
  type InvocationTraces,
  outputOf,
  type SentInvocation,
  sendInvocation,
} from "./sendInvocation";
import { type ResultEditor, showOutcome, showRateLimited } from "./showOutcome";

/** How long a canceled invocation waits for its record; longer delays come from reading a long response. */
const leavingMs = 25;

/** The registry responds or times out within the limit; if a record has no end this much later, its window died. */
const slackMs = 10_000;

/** The dependencies of invoking, and the effects of its notices. */
export interface InvocationPathParts extends ClaimParts, TargetParts {
  readonly checks: PayloadChecks;
  readonly details: Gates["details"];
  readonly gates: Gates;
  readonly traces: InvocationTraces;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly openRecord: (record: InvocationRecord) => Promise<void>;
  /** Changes the project so that it no longer blocks the invocation. */
  readonly runRemedy: RemedyRunner["run"];
  /** Returns the slug of the project this workspace works with at a registry; undefined for none. */
  readonly projectAt: (registry: ConnectedRegistry) => string | undefined;
  /** Queries the registry about invocations whose outcome is unknown here, where a user is signed in. */
  readonly askForOutcome: () => unknown;
  readonly results: ResultEditor;
  readonly running: RunningInvocations;
}

/** An invocation whose payload was checked, and its origin. */
export interface CheckedInvocation {
  readonly skill: SkillDetail;
  readonly invocation: Invocation;
  readonly isTestRun: boolean;
  /** The registry the skill was read from, and the only one it is sent to. */
  readonly baseUrl: string;
  /** Identifies where it was started: triggers from there join it. */
  readonly source: string;
  /** The document it was started from. */
  readonly document: vscode.TextDocument;
  readonly showInput: () => Promise<unknown>;
}

type ClaimedInvocation = Extract<InvocationClaim, { kind: "acquired" }>;

/** An invocation that passed all checks. */
interface SendableInvocation {
  readonly checked: CheckedInvocation;
  readonly registry: ConnectedRegistry;
  readonly sending: Sending;
  readonly claim: ClaimedInvocation;
  readonly running: StartedInvocation;
}

/** How the notices of an invocation send it again. */
export interface SendAgain {
  /** Sends it again; with `twice` even while the same one is in progress in another window. */
  readonly now: (checked: CheckedInvocation, twice: boolean) => Promise<void>;
  readonly after: (checked: CheckedInvocation, seconds: number) => Promise<void>;
  /**
   * Invokes with the current text of its document. However soon, this is no double click: the version may be
   * another one.
   */
  readonly withCurrentPayload: (checked: CheckedInvocation) => Promise<unknown>;
}

/**
 * The one path of every invocation: checked payload → can it run → consent → cost → key → once in all windows
 * → rate limit → send → record → show. Every slow step can be canceled.
 */
export class InvocationPath {
  private readonly target: InvocationTarget;

  constructor(
    private readonly parts: InvocationPathParts,
    private readonly sendAgain: SendAgain,
  ) {
    this.target = new InvocationTarget(parts);
  }

  /** Checks a document's payload. Undefined where it cannot be sent; the reason is shown. */
  async prepare(
    document: vscode.TextDocument,
    source: string,
    isTestRun: boolean,
  ): Promise<CheckedInvocation | undefined> {
    const registry = await this.target.connect();
    if (registry === undefined) return undefined;
    const prepared = await preparePayload(this.parts, document, () =>
      this.target.lookForKey(registry),
    );
    if (prepared === undefined) return undefined;
    const { skill, inputText } = prepared;
    const { slug: skillSlug, version } = skill.summary;
    const invocation = { skillSlug, version, inputText };
    const { baseUrl } = registry;
    const showInput = () => showDocument(document);
    return { skill, invocation, isTestRun, baseUrl, source, document, showInput };
  }

  /** Sends it after a countdown that can be canceled. */
  async sendAfter(checked: CheckedInvocation, seconds: number): Promise<InvocationResult> {
    const title = vscode.l10n.t(
      "Waiting for the rate limit to send {0}…",
      checked.invocation.skillSlug,
    );
    return (await withCountdown(title, seconds)) ? this.send(checked, false) : "notSent";
  }

  /** Sends it, or shows why not. With `twice` even while the same one is in progress in another window. */
  async send(checked: CheckedInvocation, twice: boolean): Promise<InvocationResult> {
    const { invocation } = checked;
    const registry = await this.target.connectTo(checked.baseUrl, invocation.skillSlug);
    if (registry === undefined) return "notSent";
    const allowed = await this.allow(checked, registry, twice);
    if (allowed === undefined) return "notSent";
    const endsBefore = Date.now() + longestMs();
    const claim = await withWaiting(
      vscode.l10n.t("Preparing {0}…", invocation.skillSlug),
      claimInvocation(this.parts, allowed.sending.scope, invocation, { twice, endsBefore }),
      (late) => late.kind === "acquired" && late.release("notSent"),
    );
    switch (claim?.kind) {
      case "acquired":
        return this.sendClaimed({ ...checked, skill: allowed.skill }, allowed.sending, claim);
      case "rateLimited":
        showRateLimited(invocation.skillSlug, claim.seconds, (wait) =>
          this.sendAgain.after(checked, wait),
        );
        break;
      case "inProgress":
        this.showInProgress(checked);
        break;
    }
    return "notSent";
  }

  /**
   * Returns the skill that the user agreed to, and the sender. After a long wait, the question is repeated
   * with the registry's current data.
   */
  private async allow(
    checked: CheckedInvocation,
    registry: ConnectedRegistry,
    twice: boolean,
  ): Promise<{ readonly skill: SkillDetail; readonly sending: Sending } | undefined> {
    const { showInput, invocation, isTestRun } = checked;
    const openSkill = () => this.parts.openSkill(invocation.skillSlug);
    const sendAgain = () => this.sendAgain.now(checked, twice);
    for (;;) {
      const askedAt = performance.now();
      const askPublisher = () => {
        const { skillSlug: slug, version } = invocation;
        const stopped = this.stopped(checked, sendAgain);
        const code = "skill_not_verified";
        const name = registryName(registry);
        return this.parts.runRemedy("askPublisher", {
          registry: name,
          slug,
          version,
          code,
          stopped,
        });
      };
      const effects = { showInput, openSkill, sendAgain, askPublisher };
      const judged = { skill: checked.skill, invocation, isTestRun, ...effects };
      const skill = await passGates(this.parts.gates, registry, judged);
      const sending = skill && (await this.target.findSender(registry, checked));
      if (skill === undefined || sending === undefined) return undefined;
      if (performance.now() - askedAt < agreementMs) return { skill, sending };
    }
  }

  /**
   * Resolves when the outcome is shown, or soon after the user canceled: the rest then completes in the
   * background.
   */
  private async sendClaimed(
    checked: CheckedInvocation,
    sending: Sending,
    claim: ClaimedInvocation,
  ): Promise<InvocationResult> {
    const { skillSlug, version } = checked.invocation;
    // The settings may have changed during the questions: the answers were for this registry.
    const registry = await this.target.connectTo(checked.baseUrl, skillSlug);
    if (registry === undefined) {
      void claim.release("notSent");
      return "notSent";
    }
    const name = version === "" ? skillSlug : `${skillSlug}@${version}`;
    // Where the user cancels, this resolves before the result is known.
    let end: InvocationResult = "cancelled";
    const running = this.parts.running.start(checked.document.uri, name);
    const send = (signal: AbortSignal) => {
      const ready = { checked, registry, sending, claim, running };
      const showing = this.sendAndShow(ready, signal).then((ended) => {
        end = ended;
      });
      return orAbort(showing, signal, leavingMs);
    };
    try {
      const title = checked.isTestRun
        ? vscode.l10n.t("Test run of {0}: it really runs and is not billed", name)
        : vscode.l10n.t("Invoking {0}", name);
      await withProgress(title, send, running.controller);
    } finally {
      running.end();
    }
    return end;
  }

  private async sendAndShow(
    { checked, registry, sending, claim, running }: SendableInvocation,
    signal: AbortSignal,
  ): Promise<InvocationResult> {
    const { sentAt, release } = claim;
    let end: InvocationResult = "done";
    try {
      const { skill, invocation } = checked;
      const started = (record: InvocationRecord) => {
        running.record(record);
        this.parts.results.start(record, checked.document.uri);
      };
      const ended = (record: InvocationRecord, outcome: InvocationOutcome) =>
        void this.parts.results.show(record, outputOf(outcome), checked.document.uri);
      const contract = readContract(skill, sha256);
      const ready = {
        registry,
        invocation,
        sender: sending.sender,
        scope: sending.scope,
        longestMs: longestMs(),
        ...(contract.ok && { contractHash: contract.hash }),
        payload: checked.document.uri.toString(),
        price: invocationPrice(skill),
        sentAt,
        started,
        ended,
      };
      const sent = await this.parts.connection.use(registry, () =>
        sendInvocation(ready, this.parts.traces, signal),
      );
      end = endOf(sent.outcome);
      sending.noteOutcome(sent.outcome);
      const key = sending.sender.kind === "projectKey" ? sending.sender.key : undefined;
      this.show(checked, registry, sent, key);
      return end;
    } finally {
      void release(end);
    }
  }

  private show(
    checked: CheckedInvocation,
    registry: ConnectedRegistry,
    { outcome, record, waitSeconds }: SentInvocation,
    key: string | undefined,
  ): void {
    const { openSkill, openRecord } = this.parts;
    if (outcome.kind === "outcomeUnknown") this.parts.askForOutcome();
    if (outcome.kind === "refused" && contradictsSkill(outcome)) {
      const { skillSlug, version } = checked.invocation;
      // The cached skill contradicts the response, or the invocation would not have been sent.
      void this.parts.details.refresh(skillSlug, version === "" ? undefined : version);
    }
    showOutcome(outcome, record, waitSeconds, {
      registry,
      project: this.parts.projectAt(registry),
      openSkill: () => openSkill(checked.invocation.skillSlug),
      showInput: checked.showInput,
      showRecord: () => openRecord(record),
      sendAgain: () => this.sendAgain.now(checked, false),
      runRemedy: (remedy) => {
        const { skillSlug: slug, version } = checked.invocation;
        const code = (outcome.kind === "refused" && outcome.code) || "";
        // The blocked invocation is over, however recent: this is no double click.
        const goOn = () => this.sendAgain.now(checked, true);
        const stopped = { ...this.stopped(checked, goOn), ...(key !== undefined && { key }) };
        return this.parts.runRemedy(remedy, {
          registry: record.registry,
          slug,
          version,
          code,
          stopped,
        });
      },
      invoke: () => this.sendAgain.now({ ...checked, isTestRun: false }, false),
      sendWhenAllowed: (seconds) => this.sendAgain.after(checked, seconds),
      setProjectKey: async () => {
        const fresh = await this.parts.askForKey(registry);
        if (fresh !== undefined) await this.sendAgain.now(checked, false);
      },
    });
  }

  /** What a remedy needs to continue an invocation, unchanged or with its payload's current text. */
  private stopped(checked: CheckedInvocation, goOn: () => unknown) {
    return {
      payload: checked.document.uri,
      goOn,
      invokeAnew: () => this.sendAgain.withCurrentPayload(checked),
    };
  }

  private showInProgress(checked: CheckedInvocation): void {
    const sendAgain = () => this.sendAgain.now(checked, true);
    void showNotice(alreadyRunningNotice(checked.invocation.skillSlug, hostLanguage()), {
      sendAgain,
    });
  }
}

/** The maximum duration of an invocation, in milliseconds. */
export function longestMs(): number {
  return readSettings().invokeTimeoutSeconds * 1000 + slackMs;
}
