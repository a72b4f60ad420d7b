import * as vscode from "vscode";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import { endSummary } from "../../core/invocation/invocationStatus";
import { outcomeNotice } from "../../core/invocation/outcomeNotice";
import { heldNotice } from "../../core/invocation/permission/gateNotices";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { httpsUrl } from "../../core/registry/registryOrigin";
import { labelText } from "../../core/text/plainText";
import { type RemedyName, remedyNames } from "../../core/workspace/remedies";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { openRegistrySite } from "../connect/withRegistry";
import { hostLanguage } from "../messages/hostLanguage";
import { type NoticeEffects, showNotice } from "../messages/showNotice";

const statusMessageMs = 10_000;
const defaultWaitSeconds = 60;

/** What the buttons about an invocation can do. */
export type OutcomeEffects = Pick<
  NoticeEffects,
  "openSkill" | "showInput" | "showRecord" | "sendAgain" | "setProjectKey" | "invoke"
> & {
  readonly registry: ConnectedRegistry;
  readonly sendWhenAllowed: (seconds: number) => Promise<void>;
  /** Changes the project so that the invocation is answered. */
  readonly cure: (remedy: RemedyName) => unknown;
};

/**
 * Tells what became of an invocation: a success in the status bar, anything else with its next steps.
 * `waitSeconds` is when the skill may be invoked again.
 */
export function showOutcome(
  outcome: InvocationOutcome,
  record: InvocationRecord,
  waitSeconds: number,
  { registry, sendWhenAllowed, cure, ...effects }: OutcomeEffects,
): void {
  const notice = outcomeNotice(
    record.skillSlug,
    outcome.kind === "refused" && outcome.reason === "rateLimit" && waitSeconds > 0
      ? { ...outcome, retryAfterSeconds: waitSeconds }
      : outcome,
    hostLanguage(),
  );
  // Also beside a notice: an earlier success must not stand there as if it were this one's.
  vscode.window.setStatusBarMessage(
    labelText(endSummary(record, hostLanguage()), 200),
    statusMessageMs,
  );
  if (notice === undefined) return;
  const shownAt = performance.now();
  void showNotice(notice, {
    ...effects,
    ...Object.fromEntries(remedyNames.map((remedy) => [remedy, () => cure(remedy)])),
    // A registry on this machine has no site to open.
    ...(httpsUrl(registry.origin) && { openRegistry: () => openRegistrySite(registry) }),
    sendWhenAllowed: () => sendWhenAllowed(left(waitSeconds || defaultWaitSeconds, shownAt)),
  });
}

/** Tells that an invocation is held, and offers to send it when the time has come. */
export function showRateLimited(
  skill: string,
  seconds: number,
  sendWhenAllowed: (seconds: number) => Promise<void>,
): void {
  const shownAt = performance.now();
  void showNotice(heldNotice(skill, seconds, hostLanguage()), {
    sendWhenAllowed: () => sendWhenAllowed(left(seconds, shownAt)),
    drop: () => undefined,
  });
}

function left(seconds: number, since: number): number {
  return Math.max(0, Math.ceil(seconds - (performance.now() - since) / 1000));
}
