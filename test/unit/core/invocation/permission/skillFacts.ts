import { reasonOfCode } from "../../../../../src/core/invocation/errorCodes";
import type { ListedSkill } from "../../../../../src/core/invocation/permission/canInvoke";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { pastInvocation } from "../../../../fixtures/pastInvocation";
import { fixtureNow } from "../../../../fixtures/skillDetail";

/** The time at which a skill is described, in milliseconds. */
export const now = fixtureNow;

/** A successful invocation an hour ago. */
export const success: InvocationRecord = pastInvocation(now - 3_600_000, {
  id: "00000000000001-abcd",
  endsBefore: now,
  registry: "https://registry.example",
  skillSlug: "csv-profile",
  version: "2.1.0",
  status: "success",
  durationMs: 10,
});

/** Returns an invocation that was blocked with a code. */
export const blocked = (code: string, change: Partial<InvocationRecord> = {}): InvocationRecord => {
  const reason = reasonOfCode(code);
  return {
    ...{ ...success, status: "blocked", ran: "no", code },
    ...(reason !== undefined && { reason }),
    ...change,
  };
};

/** Returns an invocation that was refused with a code. */
export const rejected = (code: string) => blocked(code, { status: "refused" });

/** A time shortly before `now`, in milliseconds. */
export const later = now - 60_000;

/** The cached response that lists the skill as installed and approved. */
export const fine = listed({
  installStatus: "installed",
  approvalState: "approved",
  version: "2.1.0",
});

/** Returns the cached response that lists a skill. */
export function listed(skill: ListedSkill) {
  return { kind: "listed", listed: skill } as const;
}
