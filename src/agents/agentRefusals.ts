import { randomUUID } from "node:crypto";
import { isRefusedCall, type RefusedCall, refusalEvent } from "../core/audit/auditEvent";
import { newRecordId } from "../core/invocation/record/invocationRecord";
import { parsedJson } from "../core/json/jsonValue";
import type { AuditTrail } from "../engine/audit/auditExport";
import type { Store } from "../engine/store/store";

/** The newest ones, from which a person sees what an agent keeps trying. */
const maxRefused = 500;

/** What agents of this machine were refused, the newest 500. */
export class AgentRefusals {
  /** What is added is exported by `audit`, however many are kept here. */
  constructor(
    private readonly store: Pick<Store, "addRefusal" | "refusals">,
    private readonly audit?: AuditTrail,
  ) {}

  /** Adds one, and names it. Never rejects. */
  async note(refused: Omit<RefusedCall, "id">): Promise<void> {
    const named = { id: newRecordId(refused.at, randomUUID().slice(0, 13)), ...refused };
    await Promise.all([
      this.audit?.note(refusalEvent(named)),
      this.store.addRefusal(named.id, JSON.stringify(named), maxRefused).catch(() => undefined),
    ]);
  }

  /** Lists them, the oldest first; those that a later version wrote are left out. Rejects with a `StoreProblem`. */
  async list(): Promise<readonly RefusedCall[]> {
    return (await this.store.refusals())
      .map((text): unknown => parsedJson(text))
      .filter(isRefusedCall);
  }
}
