import { randomUUID } from "node:crypto";
import { isRefusedCall, type RefusedCall, refusalEvent } from "../core/audit/auditEvent";
import { newRecordId } from "../core/invocation/record/invocationRecord";
import type { AuditTrail } from "../engine/audit/auditExport";
import { SharedFile } from "../engine/files/sharedFile";

/** The newest ones, from which a person sees what an agent keeps trying. */
const maxRefused = 500;

/** What agents of this machine were refused, the newest 500. */
export class AgentRefusals {
  private readonly file: SharedFile<readonly RefusedCall[]>;

  /** What is added is exported by `audit`, however many are kept here. */
  constructor(
    path: string,
    private readonly audit?: AuditTrail,
  ) {
    this.file = new SharedFile<readonly RefusedCall[]>(path, (value) =>
      Array.isArray(value) ? value.filter(isRefusedCall).slice(-maxRefused) : [],
    );
  }

  /** Adds one, and names it. Never rejects. */
  async note(refused: Omit<RefusedCall, "id">): Promise<void> {
    const named = { id: newRecordId(refused.at, randomUUID().slice(0, 13)), ...refused };
    await Promise.all([
      this.audit?.note(refusalEvent(named)),
      this.file.change((all) => [...all, named].slice(-maxRefused)),
    ]);
  }

  /** Lists them, the oldest first. Never rejects. */
  list(): Promise<readonly RefusedCall[]> {
    return this.file.get();
  }
}
