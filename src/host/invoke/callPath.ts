import * as vscode from "vscode";
import { contractHash } from "../../core/invocation/consent/contractHash";
import type { Invocation } from "../../core/invocation/invocation";
import { contradictsSkill } from "../../core/invocation/outcome/errorCodes";
import { alreadyRunningNotice } from "../../core/invocation/permission/gateNotices";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { SkillDetail } from "../../core/skill/skill";
import type { PayloadChecks } from "../author/payloadChecks";
import { showDocument } from "../author/payloadDocument";
import { askForProjectKey } from "../connect/askForProjectKey";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { hostLanguage } from "../words/hostLanguage";
import { present } from "../words/present";
import { type CallEnd, endOf } from "./callEnd";
import { type CallGates, passGates } from "./callGates";
import { withCallProgress, withCountdown, withWaiting } from "./callProgress";
import { CallTarget, type CallTargetParts } from "./callTarget";
import { type CallClaim, type CallClaims, claimCall } from "./claimCall";
import type { TriggerEnd } from "./joinedTriggers";
import { preparePayload } from "./preparePayload";
import {
  type CallTraces,
  latestEnd,
  placeOf,
  type SentCall,
  sendInvocation,
} from "./sendInvocation";
import { sha256 } from "./sha256";
import { tellHeld, tellOutcome } from "./tellOutcome";
import { untilLeft } from "./untilOver";

/** A cancelled call waits less for its record; what takes longer than this is the reading of a long answer. */
const leavingMs = 25;

/** What the user was asked about may have changed at the registry after this time. */
const answersHoldMs = 300_000;

/** What calling needs, and what its notices can open. */
export interface CallPathParts extends CallClaims, CallTargetParts {
  readonly checks: PayloadChecks;
  readonly details: CallGates["details"];
  readonly gates: CallGates;
  readonly traces: CallTraces;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly openRecord: (record: InvocationRecord) => Promise<void>;
}

/** A call whose input was checked, and where it came from. */
export interface CheckedCall {
  readonly skill: SkillDetail;
  readonly call: Invocation;
  /** The registry the skill was read from, and the only one it is called at. */
  readonly baseUrl: string;
  /** Names where the call was started: triggers from there join it. */
  readonly source: string;
  readonly showInput: () => Promise<unknown>;
}

type ClaimedCall = Extract<CallClaim, { kind: "mine" }>;

/** How the notices about a call start it anew. */
export interface CallAgain {
  /** Sends it again; `twice` also while the same call is under way in another window. */
  readonly now: (checked: CheckedCall, twice: boolean) => Promise<void>;
  readonly after: (checked: CheckedCall, seconds: number) => Promise<void>;
}

/**
 * The one path of every call: checked input → can it run → consent → cost → key → one call per
 * intent → rate clock → send → record → show. Whatever takes a while on it can be cancelled.
 */
export class CallPath {
  private readonly target: CallTarget;

  constructor(
    private readonly parts: CallPathParts,
    private readonly callAgain: CallAgain,
  ) {
    this.target = new CallTarget(parts);
  }

  /** Checks a document's input. Undefined, and told, where it cannot be sent. */
  async prepare(document: vscode.TextDocument, source: string): Promise<CheckedCall | undefined> {
    const registry = await this.target.connect();
    if (registry === undefined) return undefined;
    const prepared = await preparePayload(this.parts, document, () =>
      this.target.lookForKey(registry),
    );
    if (prepared === undefined) return undefined;
    const { skill, inputText } = prepared;
    const { slug: skillSlug, version } = skill.summary;
    const call = { skillSlug, version, inputText };
    const { baseUrl } = registry;
    return { skill, call, baseUrl, source, showInput: () => showDocument(document) };
  }

  /** Sends a call after a countdown that can be cancelled. */
  async sendAfter(checked: CheckedCall, seconds: number): Promise<TriggerEnd> {
    const title = vscode.l10n.t("{0} is sent when it is allowed", checked.call.skillSlug);
    return (await withCountdown(title, seconds)) ? this.send(checked, false) : "calledOff";
  }

  /** Sends a call, or tells why not. `twice` also while the same call is under way in another window. */
  async send(checked: CheckedCall, twice: boolean): Promise<TriggerEnd> {
    const { call } = checked;
    const registry = await this.target.connectTo(checked.baseUrl, call.skillSlug);
    if (registry === undefined) return "calledOff";
    const allowed = await this.allow(checked, registry, twice);
    if (allowed === undefined) return "calledOff";
    const endsBefore = latestEnd(Date.now());
    const claim = await withWaiting(
      vscode.l10n.t("Preparing the call of {0}", call.skillSlug),
      claimCall(this.parts, placeOf(registry, allowed.key, call), call, { twice, endsBefore }),
      (late) => late.kind === "mine" && late.release("notSent"),
    );
    switch (claim?.kind) {
      case "mine":
        return this.sendClaimed({ ...checked, skill: allowed.skill }, allowed.key, claim);
      case "held":
        tellHeld(call.skillSlug, claim.seconds, (wait) => this.callAgain.after(checked, wait));
        break;
      case "underWay":
        this.tellUnderWay(checked);
        break;
    }
    return "calledOff";
  }

  /**
   * Answers the skill as it was agreed to, and the key. Whoever took long to answer is asked about what
   * the registry says by then.
   */
  private async allow(
    checked: CheckedCall,
    registry: ConnectedRegistry,
    twice: boolean,
  ): Promise<{ readonly skill: SkillDetail; readonly key: string } | undefined> {
    const { showInput, call } = checked;
    const openSkill = () => this.parts.openSkill(call.skillSlug);
    const sendAgain = () => this.callAgain.now(checked, twice);
    for (;;) {
      const askedAt = performance.now();
      const judged = { skill: checked.skill, call, showInput, openSkill, sendAgain };
      const skill = await passGates(this.parts.gates, registry, judged);
      const key = skill && (await this.target.findKey(registry));
      if (skill === undefined || key === undefined) return undefined;
      if (performance.now() - askedAt < answersHoldMs) return { skill, key };
    }
  }

  /** Resolves when all is told, or soon after the user cancelled: what is left then follows by itself. */
  private async sendClaimed(
    checked: CheckedCall,
    key: string,
    claim: ClaimedCall,
  ): Promise<TriggerEnd> {
    const { skillSlug, version } = checked.call;
    // The settings may have changed while the user was asked: the answers were for this registry.
    const registry = await this.target.connectTo(checked.baseUrl, skillSlug);
    if (registry === undefined) {
      void claim.release("notSent");
      return "calledOff";
    }
    const name = version === "" ? skillSlug : `${skillSlug}@${version}`;
    let end: TriggerEnd = "calledOff";
    await withCallProgress(vscode.l10n.t("Invoking {0}", name), (signal) => {
      const sending = this.sendAndTell(checked, registry, key, claim, signal).then((ended) => {
        end = ended;
      });
      return untilLeft(sending, signal, leavingMs);
    });
    return end;
  }

  private async sendAndTell(
    checked: CheckedCall,
    registry: ConnectedRegistry,
    key: string,
    { sentAt, release }: ClaimedCall,
    signal: AbortSignal,
  ): Promise<TriggerEnd> {
    let end: CallEnd = "done";
    try {
      const { skill, call } = checked;
      const ready = { registry, call, key, contractHash: contractHash(skill, sha256), sentAt };
      const sent = await this.parts.connection.use(registry, () =>
        sendInvocation(ready, this.parts.traces, signal),
      );
      end = endOf(sent.outcome);
      this.tell(checked, registry, key, sent);
      return end === "done" ? "done" : "calledOff";
    } finally {
      void release(end);
    }
  }

  private tell(
    checked: CheckedCall,
    registry: ConnectedRegistry,
    key: string,
    { outcome, record, waitSeconds }: SentCall,
  ): void {
    const { keys, openSkill, openRecord } = this.parts;
    keys.noteAnswer(registry, key, outcome);
    if (outcome.kind === "refused" && contradictsSkill(outcome)) {
      const { skillSlug, version } = checked.call;
      // What is known here says otherwise, or the invocation would not have been sent.
      void this.parts.details.refresh(skillSlug, version === "" ? undefined : version);
    }
    tellOutcome(outcome, record, waitSeconds, {
      registry,
      openSkill: () => openSkill(checked.call.skillSlug),
      showInput: checked.showInput,
      showRecord: () => openRecord(record),
      sendAgain: () => this.callAgain.now(checked, false),
      sendWhenAllowed: (seconds) => this.callAgain.after(checked, seconds),
      setProjectKey: async () => {
        const fresh = await askForProjectKey(keys, registry);
        if (fresh !== undefined) await this.callAgain.now(checked, false);
      },
    });
  }

  private tellUnderWay(checked: CheckedCall): void {
    const sendAgain = () => this.callAgain.now(checked, true);
    void present(alreadyRunningNotice(checked.call.skillSlug, hostLanguage()), { sendAgain });
  }
}
