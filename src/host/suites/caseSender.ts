import * as vscode from "vscode";
import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import { readContract } from "../../core/review/contract";
import type { SkillDetail } from "../../core/skill/skill";
import {
  type CaseLevel,
  caseCost,
  caseCostText,
  type PlannedCases,
} from "../../core/suite/runSuite";
import { notificationText } from "../../core/text/plainText";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { claimInvocation, endOf } from "../invoke/claimInvocation";
import { passGates } from "../invoke/gates";
import {
  type InvocationPathParts,
  InvocationTarget,
  longestMs,
  type Sending,
} from "../invoke/invocationPath";
import { sendInvocation } from "../invoke/sendInvocation";
import { hostLanguage } from "../messages/hostLanguage";
import { sha256 } from "../sha256";

/** How cases are sent: every question of an invocation is asked, once for all cases of a skill. */
export type SentLevel = Exclude<CaseLevel, "offline">;

/** The skill as it was agreed to, and what sends it payloads. */
export interface OpenedSkill {
  readonly skill: SkillDetail;
  /** Waits where the rate limit asks for it; `payload` names the case. Rejects where `signal` fires before it is sent. */
  readonly send: (
    invocation: Invocation,
    payload: string,
    signal: AbortSignal,
  ) => Promise<InvocationOutcome>;
}

/** Sends the cases of suites by the path of every invocation, as far as it needs no editor of its own. */
export class CaseSender {
  private readonly target: InvocationTarget;

  constructor(private readonly parts: InvocationPathParts) {
    this.target = new InvocationTarget(parts);
  }

  /** Says how many cases are sent and what they cost. Resolves to whether the user wants it. */
  async agrees(planned: readonly PlannedCases[], level: SentLevel): Promise<boolean> {
    const isLive = level === "live";
    const agree = isLive ? vscode.l10n.t("Invoke All") : vscode.l10n.t("Run All");
    const message = isLive
      ? vscode.l10n.t("Run the cases by invoking their skills?")
      : vscode.l10n.t("Run the cases in the project?");
    const cost = notificationText(caseCostText(caseCost(planned), level, hostLanguage()));
    const detail = isLive
      ? cost
      : `${cost} ${vscode.l10n.t("The skills really run, and count toward the rate limit.")}`;
    const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, agree);
    return answer === agree;
  }

  /** Asks what is asked before an invocation; `first` is one of `count`. Undefined where not; the user has then seen why. */
  async open(
    skill: SkillDetail,
    { first, count, level }: { readonly first: string; readonly count: number; level: SentLevel },
  ): Promise<OpenedSkill | undefined> {
    const registry = await this.target.connect();
    if (registry === undefined) return undefined;
    const { slug: skillSlug, version } = skill.summary;
    const invocation = { skillSlug, version, inputText: first };
    const isTestRun = level === "testRun";
    const nothing = () => undefined;
    const agreed = await passGates(this.parts.gates, registry, {
      skill,
      invocation,
      count,
      isTestRun,
      showInput: nothing,
      openSkill: () => this.parts.openSkill(skillSlug),
      sendAgain: nothing,
    });
    const sending = agreed && (await this.target.findSender(registry, { invocation, isTestRun }));
    if (agreed === undefined || sending === undefined) return undefined;
    const contract = readContract(agreed, sha256);
    const hash = contract.ok ? contract.hash : undefined;
    return {
      skill: agreed,
      send: (one, payload, signal) => this.send(one, { registry, sending, hash, payload }, signal),
    };
  }

  private async send(
    invocation: Invocation,
    { registry, sending, hash, payload }: CaseTarget,
    signal: AbortSignal,
  ): Promise<InvocationOutcome> {
    for (;;) {
      signal.throwIfAborted();
      const endsBefore = Date.now() + longestMs();
      // Two cases may have the same payload: each of them is meant.
      const claim = await claimInvocation(this.parts, sending.scope, invocation, {
        twice: true,
        endsBefore,
      });
      if (claim.kind === "rateLimited") await pause(claim.seconds * 1000, signal);
      if (claim.kind !== "acquired") continue;
      const ready = {
        registry,
        invocation,
        sender: sending.sender,
        scope: sending.scope,
        payload,
        longestMs: longestMs(),
        ...(hash !== undefined && { contractHash: hash }),
        sentAt: claim.sentAt,
        started: () => undefined,
        ended: () => undefined,
      };
      const sent = await this.parts.connection.use(registry, () =>
        sendInvocation(ready, this.parts.traces, signal),
      );
      sending.noteOutcome(sent.outcome);
      void claim.release(endOf(sent.outcome));
      return sent.outcome;
    }
  }
}

interface CaseTarget {
  readonly registry: ConnectedRegistry;
  readonly sending: Sending;
  /** Names the contract; undefined where a part of it is not known. */
  readonly hash: string | undefined;
  /** Names the case among all payloads. */
  readonly payload: string;
}

/** Resolves after the time. Rejects as soon as the signal fires. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
