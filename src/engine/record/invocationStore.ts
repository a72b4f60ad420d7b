import { closeSync, openSync, readSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isNeededByGates } from "../../core/agents/agentGates";
import { mayExpire } from "../../core/invocation/deletion";
import { isOver } from "../../core/invocation/outcome";
import {
  type InvocationRecord,
  type InvocationTexts,
  isRecordId,
  newRecordId,
  readInvocationTexts,
  readWrittenRecord,
  recordTime,
  withPresumedEnd,
  writeInvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import { dayMs } from "../../core/text/dates";
import { otherWork } from "../../registry/wait";
import { inFolder } from "../files/inFolder";
import { isAlive } from "../files/lock";
import { tempSuffix, writeFileAtomic } from "../files/sharedFile";

const ending = ".jsonl";
const pinEnding = ".pin";
const damagedEnding = ".damaged";
/** Nearly all lines of facts fit the first size; none exceeds the second, since fields are bounded when decoded. */
const factsBytes = [4_096, 65_536];
/** Files read before yielding. A file takes some 10 µs. */
const sliceLength = 50;
/** Temporary files are renamed immediately; one that is older was left by a crash. */
const leftOverMs = 3_600_000;

/** The records that were read, and the names of damaged files that were set aside. */
export interface StoredInvocations {
  readonly records: readonly InvocationRecord[];
  readonly damaged: readonly string[];
}

/** How many records are kept, and for how long. */
export interface Retention {
  readonly maxEntries: number;
  /** 0 keeps invocations of any age. */
  readonly maxDays: number;
  /** The invocation that was just made, which is kept even if the clock is wrong. */
  readonly newest: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** The invocations up to `before` were found too old at the time `at`. */
interface Expiring {
  readonly at: number;
  readonly before: string;
}

/** An old invocation must still be too old after this time, so that a clock that jumped ahead purges nothing. */
const settleMs = 2 * dayMs;
const expiringName = "expiring.json";

/**
 * Stores one file per invocation in `folder`, each written to a temporary file and renamed, so that several
 * windows and a crash at any moment lose at most a running invocation's end. A pin is an empty file beside
 * the record.
 */
export class InvocationStore {
  /** Records that contain their invocation's end; they never change. */
  private readonly ended = new Map<string, InvocationRecord>();

  /** The last known name in the order of invocations. */
  private newest = "";

  constructor(private readonly folder: string) {}

  /** Names a new record, after all known ones. */
  newId(startedAt: number, random: string): string {
    this.newest = newRecordId(startedAt, random, this.newest);
    return this.newest;
  }

  /** Reads the existing names. Never rejects. */
  async learnNames(): Promise<void> {
    await this.names();
  }

  /** Writes a record, replacing an earlier state of it. Rejects where the disk fails. */
  async write(record: InvocationRecord, texts: InvocationTexts): Promise<void> {
    await inFolder(this.folder, () =>
      writeFileAtomic(this.path(record.id), writeInvocationRecord(record, texts)),
    );
    this.ended.delete(record.id);
    if (record.id > this.newest) this.newest = record.id;
  }

  /** Rewrites a record with texts; does nothing where it was removed. Rejects like `write`. */
  async addTexts(record: InvocationRecord, texts: InvocationTexts): Promise<void> {
    const found = await stat(this.path(record.id)).catch(() => undefined);
    if (found !== undefined) await this.write(record, texts);
  }

  /**
   * Reads the newest records, all pinned ones, and those that keep an agent from sending the same again, newest first.
   * Empty where nothing was stored or it cannot be read.
   */
  async list(limit: number): Promise<StoredInvocations> {
    const { ids, pinned } = await this.names();
    // Sorting tens of thousands of names takes as long as choosing among them: each is a turn of its own.
    await otherWork();
    const records: InvocationRecord[] = [];
    const damaged: string[] = [];
    const now = Date.now();
    // By their order: a set of tens of thousands takes twice as long, in which nothing else runs.
    const loose = ids.filter((id) => !pinned.has(id));
    const oldest = loose[Math.min(limit, loose.length) - 1];
    const isListed = (id: string) => pinned.has(id) || (oldest !== undefined && id >= oldest);
    const wanted = ids.filter((id) => isListed(id) || mayBeNeeded(id, now));
    for (const [index, id] of wanted.entries()) {
      if (index % sliceLength === sliceLength - 1) await otherWork();
      const record = this.ended.get(id) ?? this.readFacts(id, now);
      if (record === "damaged") damaged.push(`${id}${ending}`);
      else if (record !== undefined && (isListed(id) || isNeededByGates(record, now)))
        records.push(pinned.has(id) ? { ...record, pinned: true } : record);
    }
    const setAside = await Promise.all(damaged.map((name) => this.setAside(name)));
    return { records, damaged: damaged.filter((_name, index) => setAside[index]) };
  }

  /**
   * Reads the payload and output of an invocation. Undefined where the file is missing, damaged, or larger than
   * `maxBytes`.
   */
  async texts(
    id: string,
    maxBytes = Number.POSITIVE_INFINITY,
  ): Promise<InvocationTexts | undefined> {
    if (!isRecordId(id)) return undefined;
    try {
      if ((await stat(this.path(id))).size > maxBytes) return undefined;
      const text = await readFile(this.path(id), "utf8");
      return readInvocationTexts(text.slice(text.indexOf("\n") + 1));
    } catch {
      return undefined;
    }
  }

  /** Exempts a record from the retention, or no longer. */
  async pin(id: string, pinned: boolean): Promise<void> {
    if (!isRecordId(id)) return;
    const pin = join(this.folder, `${id}${pinEnding}`);
    await (pinned ? writeFile(pin, "", { mode: 0o600 }) : rm(pin, { force: true }));
  }

  /** Removes a record permanently. */
  async remove(id: string): Promise<void> {
    if (!isRecordId(id)) return;
    this.ended.delete(id);
    await rm(this.path(id), { force: true });
    await this.pin(id, false);
  }

  /**
   * Removes records beyond the retention, except those that may not expire, and leftovers of crashes. Old records are removed only if they were also found too old two days before.
   * Resolves to how many are left.
   */
  async retain({ maxEntries, maxDays, newest, now }: Retention): Promise<number> {
    const { ids, pinned, leftOver } = await this.names();
    const loose = ids.filter((id) => !pinned.has(id) && id !== newest);
    const room = maxEntries - (ids.includes(newest) && !pinned.has(newest) ? 1 : 0);
    const surplus = new Set(loose.slice(Math.max(0, room)));
    if (maxDays > 0) {
      const old = await this.tooOld([...ids].reverse(), now - maxDays * dayMs, now);
      const removable = new Set(loose);
      const settled = await this.settle(
        old.filter((id) => removable.has(id)),
        now,
      );
      for (const id of settled) surplus.add(id);
    }
    const removed = [...surplus].filter((id) => this.mayExpire(id, now));
    await Promise.all(removed.map((id) => this.remove(id)));
    await Promise.all(leftOver.map((name) => this.removeOld(name)));
    return ids.length - removed.length;
  }

  private mayExpire(id: string, now: number): boolean {
    const record = this.ended.get(id) ?? this.readFacts(id, now);
    return typeof record !== "object" || mayExpire(record, now);
  }

  /**
   * Finds the invocations from before `since`, oldest first. An invocation is no older than the one before it
   * in the order of invocations, whatever the clock said then, and its file must be as old.
   */
  private async tooOld(oldestFirst: readonly string[], since: number, now: number) {
    const old: string[] = [];
    for (const [index, id] of oldestFirst.entries()) {
      if (index % sliceLength === sliceLength - 1) await otherWork();
      const record = this.ended.get(id) ?? this.readFacts(id, now);
      if (record === undefined || record === "damaged" || record.startedAt > now) continue;
      if (record.startedAt >= since) return old;
      const file = await stat(this.path(id)).catch(() => undefined);
      if (file !== undefined && file.mtimeMs < since) old.push(id);
    }
    return old;
  }

  /** Returns those of the old invocations that were too old two days ago, and notes the others. */
  private async settle(old: readonly string[], now: number): Promise<readonly string[]> {
    const path = join(this.folder, expiringName);
    const last = old.at(-1);
    if (last === undefined) {
      await rm(path, { force: true });
      return [];
    }
    const noted = await readExpiring(path);
    const isOfNow = noted !== undefined && noted.at <= now;
    if (isOfNow && now - noted.at < settleMs) return [];
    const expiring: Expiring = { at: now, before: last };
    await writeFileAtomic(path, JSON.stringify(expiring));
    return isOfNow ? old.filter((id) => id <= noted.before) : [];
  }

  private async names() {
    const names = await readdir(this.folder).catch(() => []);
    const idsWith = (end: string) =>
      names.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length));
    const ids = idsWith(ending).filter(isRecordId).sort().reverse();
    if (ids[0] !== undefined && ids[0] > this.newest) this.newest = ids[0];
    return {
      ids,
      pinned: new Set(idsWith(pinEnding)),
      leftOver: names.filter((name) => name.endsWith(tempSuffix)),
    };
  }

  private async removeOld(name: string): Promise<void> {
    const path = join(this.folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < leftOverMs) return;
    await rm(path, { force: true });
  }

  /** Resolves to false where another window was first, which then reports it. */
  private async setAside(name: string): Promise<boolean> {
    const path = join(this.folder, name);
    return rename(path, `${path}${damagedEnding}`).then(
      () => true,
      () => false,
    );
  }

  // Reading a thousand small files through the thread pool takes ten times as long.
  private readFacts(id: string, now: number): InvocationRecord | "damaged" | undefined {
    let line: string | undefined;
    try {
      line = readFirstLine(this.path(id));
    } catch {
      return undefined;
    }
    const reading = line === undefined ? undefined : readWrittenRecord(line);
    if (reading === "newer") return undefined;
    if (reading?.id !== id) return "damaged";
    if (!isOver(reading)) return withPresumedEnd(reading, now, isAlive);
    this.ended.set(id, reading);
    return reading;
  }

  private path(id: string): string {
    return join(this.folder, `${id}${ending}`);
  }
}

/** By its name alone, whose time is never before its invocation's: of what is not listed, a day is read at most. */
function mayBeNeeded(id: string, now: number): boolean {
  return recordTime(id) > now - dayMs;
}

async function readExpiring(path: string): Promise<Expiring | undefined> {
  try {
    const { at, before } = JSON.parse(await readFile(path, "utf8")) as Partial<Expiring>;
    return typeof at === "number" && typeof before === "string" ? { at, before } : undefined;
  } catch {
    return undefined;
  }
}

function readFirstLine(path: string): string | undefined {
  const file = openSync(path, "r");
  try {
    for (const size of factsBytes) {
      const buffer = Buffer.allocUnsafe(size);
      const bytesRead = readSync(file, buffer, 0, size, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(10);
      if (end !== -1) return buffer.toString("utf8", 0, end);
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
