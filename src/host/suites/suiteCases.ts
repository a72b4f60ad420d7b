import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import {
  changeSinceAgreed,
  holdAgreement,
  type Objection,
} from "../../core/invocation/permission/agreement";
import { notAgreedText } from "../../core/invocation/permission/gateNotices";
import { asFree } from "../../core/invocation/permission/terms";
import type { JsonValue } from "../../core/json/jsonValue";
import { printJson } from "../../core/json/printJson";
import {
  jsonRanges,
  lineStartsOf,
  type PayloadProblem,
  positionIn,
} from "../../core/payload/payloadCheck";
import { readContract } from "../../core/review/contract";
import { type InvocationPrice, invocationPrice } from "../../core/skill/price";
import type { SkillDetail } from "../../core/skill/skill";
import {
  type CaseLevel,
  caseCost,
  caseCostText,
  casePointer,
  type NotAgreed,
  type PlannedCases,
  type Verdict,
} from "../../core/suite/runSuite";
import type { CaseProblem } from "../../core/suite/suite";
import { notificationText, oneLine, revealHidden } from "../../core/text/plainText";
import { claimInvocation, endOf } from "../../engine/claim";
import { sha256 } from "../../engine/sha256";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { passGates } from "../invoke/gates";
import { type InvocationPathParts, longestMs } from "../invoke/invocationPath";
import { InvocationTarget, type Sending } from "../invoke/invocationTarget";
import { sendInvocation } from "../invoke/sendInvocation";
import { hostLanguage } from "../messages/hostLanguage";

/** How cases are sent: every question of an invocation is asked, once for all cases of a skill. */
export type SentLevel = Exclude<CaseLevel, "offline">;

/** The skill that the user agreed to, and a function that sends it payloads. */
export interface OpenedSkill {
  readonly skill: SkillDetail;
  /**
   * Waits where the rate limit requires it; `payload` identifies the case. Where the agreement is five minutes
   * old by then, the registry and, if needed, the user are asked again. Rejects where `signal` fires before it is
   * sent.
   */
  readonly send: (
    invocation: Invocation,
    payload: string,
    signal: AbortSignal,
  ) => Promise<InvocationOutcome | NotAgreed>;
}

/** Sends the cases of suites through the path of every invocation, except for its editors. */
export class CaseSender {
  private readonly target: InvocationTarget;

  constructor(private readonly parts: InvocationPathParts) {
    this.target = new InvocationTarget(parts);
  }

  /** Shows how many cases are sent and what they cost. Resolves to whether the user agrees. */
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

  /**
   * Asks the questions before an invocation; `first` is one of `count`. Undefined where it may not be sent,
   * and the user has seen why.
   */
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
    const ask = (asked: SkillDetail, one: Invocation, left: number) =>
      passGates(this.parts.gates, registry, {
        skill: asked,
        invocation: one,
        count: left,
        isTestRun,
        showInput: nothing,
        openSkill: () => this.parts.openSkill(skillSlug),
        sendAgain: nothing,
      });
    const now = () => performance.now();
    const agreedAt = now();
    const agreed = await ask(skill, invocation, count);
    const sending = agreed && (await this.target.findSender(registry, { invocation, isTestRun }));
    if (agreed === undefined || sending === undefined) return undefined;
    const contract = readContract(agreed, sha256);
    const hash = contract.ok ? contract.hash : undefined;
    const price = invocationPrice(agreed);
    const priced = (one: SkillDetail) => (isTestRun ? asFree(one) : one);
    let left = count;
    const objection = holdAgreement(agreedAt, now, async (next) => {
      const read = await this.parts.details.refresh(
        skillSlug,
        version === "" ? undefined : version,
      );
      // The cases are judged by the skill that was agreed to: no other may take its place.
      const change = changeSinceAgreed(
        priced(agreed),
        read.ok ? { ok: true, value: priced(read.value) } : read,
        hostLanguage(),
      );
      if (change !== undefined) return change;
      const isAgreed = (await ask(agreed, next, left)) !== undefined;
      return isAgreed ? undefined : notAgreedText(skillSlug, hostLanguage());
    });
    const noteSent = () => {
      left -= 1;
    };
    const target = { registry, sending, hash, price, objection, noteSent };
    return {
      skill: agreed,
      send: (one, payload, signal) => this.send(one, { ...target, payload }, signal),
    };
  }

  private async send(
    invocation: Invocation,
    { registry, sending, hash, price, payload, objection, noteSent }: CaseTarget,
    signal: AbortSignal,
  ): Promise<InvocationOutcome | NotAgreed> {
    for (;;) {
      const message = await objection(invocation);
      signal.throwIfAborted();
      if (message !== undefined) return { kind: "notAgreed", message };
      const endsBefore = Date.now() + longestMs();
      // Two cases may have the same payload, and both are intended.
      const claim = await claimInvocation(this.parts, sending.scope, invocation, {
        twice: true,
        endsBefore,
      });
      if (claim.kind === "rateLimited") {
        await pause(claim.seconds * 1000, undefined, { signal });
      }
      if (claim.kind !== "acquired") continue;
      const ready = {
        registry,
        invocation,
        sender: sending.sender,
        scope: sending.scope,
        payload,
        longestMs: longestMs(),
        ...(hash !== undefined && { contractHash: hash }),
        price,
        sentAt: claim.sentAt,
        started: () => undefined,
        ended: () => undefined,
      };
      const sent = await this.parts.connection.use(registry, () =>
        sendInvocation(ready, this.parts.traces, signal),
      );
      noteSent();
      sending.noteOutcome(sent.outcome);
      void claim.release(endOf(sent.outcome));
      return sent.outcome;
    }
  }
}

interface CaseTarget {
  readonly registry: ConnectedRegistry;
  readonly sending: Sending;
  /** The contract's hash; undefined where a part of it is unknown. */
  readonly hash: string | undefined;
  readonly price: InvocationPrice;
  /** Identifies the case among all payloads. */
  readonly payload: string;
  readonly objection: Objection;
  readonly noteSent: () => void;
}

/** Upper limits of problems of one case, and of the length of a value in a comparison. */
const maxMessages = 20;
const maxShown = 200_000;

/** A completed case, with the text of its suite. */
interface RanCase {
  readonly item: vscode.TestItem;
  readonly index: number;
  readonly verdict: Verdict;
  readonly text: string;
  readonly uri: vscode.Uri;
}

/** Reports the result of a case to the Test Explorer, each problem at its range in the suite. */
export function reportCase(
  run: vscode.TestRun,
  { item, index, verdict: { kind, problems }, text, uri }: RanCase,
  milliseconds: number,
): void {
  const path = oneLine(vscode.workspace.asRelativePath(uri));
  const name = oneLine(item.label, 200);
  if (kind === "untested") {
    const said = vscode.l10n.t("The payload is valid; the output was not tested.");
    run.appendOutput(`${path}: ${name}: ${said}\r\n`, undefined, item);
    run.skipped(item);
    return;
  }
  if (problems.length === 0) {
    run.appendOutput(`${path}: ${name}: good\r\n`, undefined, item);
    run.passed(item, milliseconds);
    return;
  }
  const ranges = rangesIn(
    text,
    problems.map((problem) => casePointer(index, problem)),
  );
  const messages = problems.slice(0, maxMessages).map((problem) => {
    const range = ranges.get(casePointer(index, problem));
    const message = messageOf(problem);
    if (range !== undefined) message.location = new vscode.Location(uri, range);
    return message;
  });
  for (const { message } of problems) {
    run.appendOutput(`${path}: ${name}: ${oneLine(message, 1000)}\r\n`, undefined, item);
  }
  if (kind === "unknown") run.errored(item, messages, milliseconds);
  else run.failed(item, messages, milliseconds);
}

/** For two values the editor shows a diff. */
function messageOf({ message, expected, actual }: CaseProblem): vscode.TestMessage {
  const words = revealHidden(oneLine(message, 1000));
  if (expected === undefined || actual === undefined) return new vscode.TestMessage(words);
  return vscode.TestMessage.diff(words, printed(expected), printed(actual));
}

function printed(value: JsonValue): string {
  return printJson(value, { maxLength: maxShown, indent: 2 }).text;
}

/** Describes the problems of an invalid suite. */
export function brokenMessage(
  problem: PayloadProblem,
  text: string,
  uri: vscode.Uri,
): vscode.TestMessage {
  const message = new vscode.TestMessage(revealHidden(problem.message));
  const { start, end } = problem.mark ?? problem;
  message.location = new vscode.Location(uri, rangeOf(lineStartsOf(text), start, end));
  return message;
}

/** Finds the ranges of JSON pointers in a text. */
export function rangesIn(
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, vscode.Range> {
  const lines = lineStartsOf(text);
  const ranges = jsonRanges(text, [...new Set(pointers)]);
  return new Map(
    [...ranges].map(([pointer, { start, end }]) => [pointer, rangeOf(lines, start, end)]),
  );
}

function rangeOf(lines: ReturnType<typeof lineStartsOf>, start: number, end: number): vscode.Range {
  const [from, to] = [positionIn(lines, start), positionIn(lines, end)];
  return new vscode.Range(from.line, from.character, to.line, to.character);
}
