import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AuditEvent, readAuditEvent, writeAuditEvent } from "../../core/audit/auditEvent";
import { isRecordId } from "../../core/invocation/record/invocationRecord";
import { inFolder } from "../files/inFolder";
import { isAlive } from "../files/lock";
import { writeFileAtomic } from "../files/sharedFile";

const ending = ".json";
/** Some 10 MB, and weeks of a collector that is gone. */
const maxItems = 10_000;

/** An event with the text of its file, by which a later state of it is distinguished from this one. */
export interface OutboxItem {
  readonly event: AuditEvent;
  readonly text: string;
}

/** One file for each event in `folder` until it was delivered, named and so sorted by its time. */
export class AuditOutbox {
  constructor(
    private readonly folder: string,
    private readonly limit = maxItems,
  ) {}

  /** The lock of whoever delivers. */
  get lockPath(): string {
    return join(this.folder, "delivery.lock");
  }

  /** Writes an event, replacing an earlier state of it. Rejects where the disk fails. */
  async put(event: AuditEvent, redact: (text: string) => string): Promise<void> {
    const text = redact(writeAuditEvent(event));
    await inFolder(this.folder, () => writeFileAtomic(this.path(event.id), text));
  }

  /** Returns whether there is nothing at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.ids()).length === 0;
  }

  /** Removes an event. Rejects where the disk fails. */
  async remove(id: string): Promise<void> {
    if (isRecordId(id)) await rm(this.path(id), { force: true });
  }

  /** Removes an event that was delivered, unless it changed meanwhile. */
  async removeSent({ event, text }: OutboxItem): Promise<void> {
    if ((await this.textOf(event.id)) === text) await this.remove(event.id);
  }

  /** Sets an event aside that the collector rejects. Returns the name of its file. Rejects where the disk fails. */
  async setAside(id: string): Promise<string> {
    const name = `${id}${ending}.rejected`;
    await rename(this.path(id), join(this.folder, name));
    return name;
  }

  /**
   * Reads the oldest events for which `isWanted` returns true, at most `count`, without invocations that still run. Of more
   * than 10,000 the oldest are removed, which `dropped` counts. Damaged files are set aside.
   */
  async oldest(
    count: number,
    isWanted: (id: string) => boolean = () => true,
  ): Promise<{ readonly items: readonly OutboxItem[]; readonly dropped: number }> {
    const ids = await this.ids();
    const surplus = ids.splice(0, Math.max(0, ids.length - this.limit));
    await Promise.all(surplus.map((id) => this.remove(id)));
    const items: OutboxItem[] = [];
    const now = Date.now();
    for (const id of ids) {
      if (items.length === count) break;
      if (!isWanted(id)) continue;
      const text = await this.textOf(id);
      if (text === undefined) continue;
      const event = readAuditEvent(text, now, isAlive);
      if (event === undefined || (event !== "running" && event.id !== id)) {
        await rename(this.path(id), `${this.path(id)}.damaged`).catch(() => undefined);
      } else if (event !== "running") items.push({ event, text });
    }
    return { items, dropped: surplus.length };
  }

  private async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter(isRecordId)
      .sort();
  }

  private textOf(id: string): Promise<string | undefined> {
    return readFile(this.path(id), "utf8").catch(() => undefined);
  }

  private path(id: string): string {
    return join(this.folder, `${id}${ending}`);
  }
}
