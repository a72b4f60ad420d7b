import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type InvocationRecord,
  type InvocationTexts,
  isRecordId,
  readInvocationRecord,
  readInvocationTexts,
  writeInvocationRecord,
} from "../../core/invocationRecord";

const ending = ".jsonl";
/** Nearly all lines of facts fit the first size; none is longer than the second, being bounded where decoded. */
const factsBytes = [4_096, 65_536];

/**
 * Keeps one file per call in `folder`, each written beside and renamed, so that several windows and
 * a crash at any moment lose nothing but a running call's end. Reading skips damaged files.
 */
export class InvocationStore {
  private made: Promise<unknown> | undefined;

  constructor(private readonly folder: string) {}

  /** Writes a record, in place of an earlier state of it. Rejects where the disk does not take it. */
  async write(record: InvocationRecord, texts: InvocationTexts): Promise<void> {
    this.made ??= mkdir(this.folder, { recursive: true });
    await this.made.catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    const beside = join(this.folder, `${record.id}.${randomBytes(4).toString("hex")}.tmp`);
    try {
      await writeFile(beside, writeInvocationRecord(record, texts), { mode: 0o600, flush: true });
      await rename(beside, this.path(record.id));
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  /** Reads the newest records, newest first. Empty where nothing was kept or it cannot be read. */
  async list(limit: number): Promise<InvocationRecord[]> {
    const newest = (await this.ids()).slice(0, limit);
    const now = Date.now();
    const records = await Promise.all(newest.map((id) => this.readFacts(id, now)));
    return records.filter((record) => record !== undefined);
  }

  /** Reads the input and output of a call. Undefined where the file is gone or damaged. */
  async texts(id: string): Promise<InvocationTexts | undefined> {
    if (!isRecordId(id)) return undefined;
    try {
      const text = await readFile(this.path(id), "utf8");
      return readInvocationTexts(text.slice(text.indexOf("\n") + 1));
    } catch {
      return undefined;
    }
  }

  /** Removes the oldest records until `limit` are left. */
  async keepNewest(limit: number): Promise<void> {
    const surplus = (await this.ids()).slice(limit);
    await Promise.all(surplus.map((id) => rm(this.path(id), { force: true })));
  }

  private async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter(isRecordId)
      .sort()
      .reverse();
  }

  private async readFacts(id: string, now: number): Promise<InvocationRecord | undefined> {
    const file = await open(this.path(id)).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      for (const size of factsBytes) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
        const end = buffer.subarray(0, bytesRead).indexOf("\n");
        if (end === -1) continue;
        const record = readInvocationRecord(buffer.toString("utf8", 0, end), now);
        return record?.id === id ? record : undefined;
      }
      return undefined;
    } catch {
      return undefined;
    } finally {
      await file.close();
    }
  }

  private path(id: string): string {
    return join(this.folder, `${id}${ending}`);
  }
}
