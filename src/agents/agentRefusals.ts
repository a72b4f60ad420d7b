import { randomUUID } from "node:crypto";
import { isRefusedCall, type RefusedCall, refusalEvent } from "../core/audit/auditEvent";
import { newRecordId } from "../core/invocation/record/invocationRecord";
import { parsedJson } from "../core/json/jsonValue";
import type { AuditTrail } from "../engine/audit/auditExport";
import type { Store } from "../engine/store/store";

/** The maximum number of stored refusals. They show what an agent keeps trying. */
const maxRefused = 500;

/** The refusals of agents on this machine, the newest 500. */
export class AgentRefusals {
  /** `audit` exports every added refusal. */
  constructor(
    private readonly store: Pick<Store, "addRefusal" | "refusals">,
    private readonly audit?: AuditTrail,
  ) {}

  /** Adds a refusal and gives it an ID. Never rejects. */
  async note(refused: Omit<RefusedCall, "id">): Promise<void> {
    const named = { id: newRecordId(refused.at, randomUUID().slice(0, 13)), ...refused };
    await Promise.all([
      this.audit?.note(refusalEvent(named)),
      this.store.addRefusal(named.id, JSON.stringify(named), maxRefused).catch(() => undefined),
    ]);
  }

  /** Lists the refusals, the oldest first. Skips entries written by a later version. Rejects with a `StoreProblem`. */
  async list(): Promise<readonly RefusedCall[]> {
    return (await this.store.refusals())
      .map((text): unknown => parsedJson(text))
      .filter(isRefusedCall);
  }
}
