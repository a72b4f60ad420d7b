import { randomUUID } from "node:crypto";
import type { CallKey, EarlierCall } from "../../core/agents/gates/earlierCall";
import { isOver } from "../../core/invocation/outcome";
import {
  type InvocationRecord,
  type InvocationTexts,
  newRecordId,
  nextLatestEnd,
} from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import { groupOf, type UsageGroup } from "../../core/invocation/usage/usage";
import { Timer } from "../../registry/wait";
import { ChangeEvent } from "../changeEvent";
import { pollMs } from "../store/operations";
import type {
  InvocationEnd,
  RecordExtent,
  RecordName,
  RetentionSettings,
  StartRequest,
  StartResult,
  Store,
} from "../store/store";
import { problemOf, RecordUnreadable, StoreProblem } from "../store/storeProblem";
import { OldRecords } from "./oldRecords";
import type { RecordReports } from "./recordReports";
import { SessionInvocations } from "./sessionInvocations";

/** The delay that combines a burst of changes, in milliseconds: an invocation starts, ends, and is pinned. */
const burstMs = 100;
/** The number of records that are read at once, so that no task of the event loop takes long. */
const pageLength = 500;
/** The numbers of names, and of records to add up, that are read at once: both are faster to read than records. */
const [namesAtOnce, summedAtOnce] = [5_000, 2_000];

/**
 * The record of this machine's invocations. Records that the store rejects are reported, and stay in memory until the
 * store accepts them.
 */
export class InvocationHistory {
  private readonly changed = new ChangeEvent<void>();
  private readonly session = new SessionInvocations();
  private readonly pause = new Timer();
  private readonly expiry = new Timer();
  private readonly poll = new Timer();
  private following: Promise<void> | undefined;
  private hasReportedFailure = false;
  private readonly oldRecords: OldRecords;
  /** The newest invocation of this program. Its end may not be in the store yet. */
  private newest: InvocationRecord | undefined;

  /** Fires when the list has changed. Changes by other programs are noticed after the first listing. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: Store,
    private readonly retention: () => RetentionSettings,
    private readonly reports: RecordReports,
  ) {
    this.oldRecords = new OldRecords(store, (error) => reports.notRetained(error));
  }

  /** Starts an invocation, or returns why it may not start, even if the store does not answer. Never rejects. */
  async start(
    wanted: Omit<StartRequest, "isKept">,
    keepTexts: boolean,
  ): Promise<StartResult | { readonly kind: "unavailable"; readonly problem: StoreProblem }> {
    const isKept = this.retention().maxEntries > 0;
    // Without a record, nobody would know what an agent sent. So the agent may not send.
    if (!isKept && wanted.agent !== undefined) {
      const problem = new StoreProblem("unusable", "No invocations are kept on record.");
      return { kind: "unavailable", problem };
    }
    try {
      const texts = keepTexts ? wanted.texts : {};
      const answer = await this.store.start({ ...wanted, isKept, texts });
      if (answer.kind !== "started") return answer;
      this.begin(answer.record, wanted.texts, keepTexts && isKept);
      return answer;
    } catch (error) {
      return { kind: "unavailable", problem: problemOf(error) };
    }
  }

  /** Starts an invocation without the store. The invocation is listed, but no limit counts it. */
  startUncounted(
    { facts, maxDurationMs, texts }: Omit<StartRequest, "isKept">,
    problem: StoreProblem,
  ): InvocationRecord {
    const startedAt = Date.now();
    const id = newRecordId(startedAt, randomUUID().slice(0, 13), this.newest?.id);
    const record = { ...facts, id, startedAt, endsBefore: startedAt + maxDurationMs };
    this.begin(record, texts, false);
    if (this.retention().maxEntries > 0) this.session.addUnwritten({ record, texts: {} });
    this.reportFailure(problem);
    return record;
  }

  private begin(record: InvocationRecord, texts: InvocationTexts, areKept: boolean): void {
    if (!areKept) this.session.rememberTexts(record.id, texts);
    this.newest = record;
    this.announce();
  }

  /** Removes an invocation that was not sent. Never rejects. */
  async undo(id: string, scope: InvocationEnd["scope"]): Promise<void> {
    if (this.newest?.id === id) this.newest = undefined;
    this.session.forget(id);
    await this.store.undo(id, scope).catch(this.reports.notChanged);
    this.announce();
  }

  /** Shows the end of this program's newest invocation immediately, before it is on the disk. */
  ending(record: InvocationRecord): void {
    this.newest = record;
  }

  /**
   * Records the end of an invocation. Stores its payload and output if `keepTexts` is set; otherwise they are available
   * until this program ends. Resolves to the milliseconds that the next invocation must wait. Never rejects.
   */
  async end(ended: Omit<InvocationEnd, "isKept">, keepTexts: boolean): Promise<number> {
    const { record, texts } = ended;
    const isKept = this.retention().maxEntries > 0;
    if (!keepTexts || !isKept) this.session.rememberTexts(record.id, texts);
    const storedTexts = keepTexts ? texts : {};
    let waitMs = 0;
    try {
      waitMs = await this.store.end({ ...ended, isKept, texts: storedTexts });
      this.session.removeUnwritten(record.id);
      this.hasReportedFailure = false;
      void this.writeUnwritten();
      this.oldRecords.removeAfterInvocation(this.retention());
    } catch (error) {
      // The disk may have no room for the texts, but still for the facts.
      const wait = await this.store.end({ ...ended, isKept, texts: {} }).catch(() => undefined);
      waitMs = wait ?? 0;
      this.session.rememberTexts(record.id, texts);
      if (isKept) this.session.addUnwritten({ record, texts: storedTexts, ended });
      this.reportFailure(error);
    }
    this.announce();
    return waitMs;
  }

  /** Adds the payload and output, which are still in memory, to a stored invocation. Never rejects. */
  async keepTexts(record: InvocationRecord): Promise<void> {
    const texts = this.session.texts(record.id);
    if (texts === undefined) return;
    try {
      await this.store.addTexts(record.id, texts);
    } catch (error) {
      this.session.addUnwritten({ record, texts });
      this.reportFailure(error);
    }
    this.announce();
  }

  /** Lists invocations of the record, newest first. Rejects with `RecordUnreadable`. */
  async list(query: RecordQuery = {}): Promise<readonly InvocationRecord[]> {
    const all: InvocationRecord[] = [];
    const { limit = Number.POSITIVE_INFINITY, ...asked } = query;
    const length = query.text === undefined ? Math.min(limit, pageLength) : pageLength;
    for await (const page of this.pages(asked, length)) {
      all.push(...page);
      if (all.length >= limit) break;
    }
    return all.slice(0, limit);
  }

  /**
   * Reads the matching invocations page by page, newest first. Each page has up to `length` records. If the store
   * cannot be read, yields the invocations in memory, and then rejects with `RecordUnreadable`.
   */
  async *pages(
    query: RecordQuery,
    length = pageLength,
  ): AsyncGenerator<readonly InvocationRecord[], undefined> {
    if (this.retention().maxEntries === 0) return;
    await this.follow();
    const now = Date.now();
    const { held, query: asked } = this.splitQuery(query);
    const running: InvocationRecord[] = [];
    try {
      for (let before = query.before; ; ) {
        const of = before === undefined ? asked : { ...asked, before };
        const { records, next } = await this.store.list({ ...of, limit: length });
        const ofPage = held.filter(({ id }) => id > (next ?? "") && id < (before ?? "~"));
        const page = [...records, ...ofPage].sort((left, right) => (left.id < right.id ? 1 : -1));
        running.push(...page.filter((record) => !isOver(record)));
        this.announceExpiry(running, now);
        yield page;
        before = next;
        if (before === undefined) break;
      }
    } catch (error) {
      yield held;
      throw this.unreadable(error);
    }
  }

  /** Lists the IDs of all matching invocations, newest first. Rejects with `RecordUnreadable`. */
  async names(query: RecordQuery): Promise<readonly RecordName[]> {
    const limit = query.text === undefined ? namesAtOnce : pageLength;
    const { held, query: asked } = this.splitQuery(query);
    const pages = await this.allPages({ ...asked, limit }, (of) => this.store.names(of));
    const names = [...held, ...pages.flatMap((page) => page.names)];
    return pages.length === 0 ? [] : names.map(({ id, startedAt }) => ({ id, startedAt }));
  }

  /** Adds up the matching invocations. Rejects with `RecordUnreadable`. */
  async sums(query: RecordQuery, inDays = false): Promise<readonly UsageGroup[]> {
    await this.follow();
    const now = Date.now();
    const { held, query: asked } = this.splitQuery(query);
    const pages = await this.allPages({ ...asked, limit: summedAtOnce }, (of) =>
      this.store.sums(of, inDays),
    );
    const groups = [...held.map(groupOf), ...pages.flatMap((page) => page.groups)];
    this.announceExpiry(groups, now);
    return groups;
  }

  /** Reads all pages. Returns none if the record is turned off. Rejects with `RecordUnreadable`. */
  private async allPages<Page extends { readonly next: string | undefined }>(
    query: RecordQuery,
    ask: (query: RecordQuery) => Promise<Page>,
  ): Promise<readonly Page[]> {
    if (this.retention().maxEntries === 0) return [];
    const pages: Page[] = [];
    try {
      for (let before: string | undefined = "~"; before !== undefined; ) {
        const page: Page = await ask({ ...query, before });
        pages.push(page);
        before = page.next;
      }
    } catch (error) {
      throw this.unreadable(error);
    }
    return pages;
  }

  private unreadable(error: unknown): RecordUnreadable {
    this.reports.notRead(error);
    return new RecordUnreadable(error);
  }

  /** Splits a query: invocations that the store did not accept come from memory, and all others from the store. */
  private splitQuery(query: RecordQuery) {
    const without = this.session.unwritten.map(({ record }) => record.id);
    const held = this.session.unwrittenFor(query);
    return { held, query: without.length === 0 ? query : { ...query, without } };
  }

  /** Finds an invocation by its ID, even if the store does not have it. Rejects with `RecordUnreadable`. */
  async find(id: string): Promise<InvocationRecord | undefined> {
    const own = () =>
      this.newest?.id === id ? this.newest : this.session.unwrittenFor({ ids: [id] })[0];
    try {
      const [stored] = await this.list({ ids: [id] });
      return stored?.status === "running" ? (own() ?? stored) : (stored ?? own());
    } catch (error) {
      const found = own();
      if (found === undefined) throw error;
      return found;
    }
  }

  /** Finds an agent's earlier invocation that makes this one a repeat. Rejects if the store cannot be read. */
  earlier(key: CallKey): Promise<EarlierCall | undefined> {
    return this.store.earlier(key);
  }

  /** Returns how far back the record goes. Undefined if the record is turned off or cannot be read. */
  async extent(): Promise<RecordExtent | undefined> {
    if (this.retention().maxEntries === 0) return undefined;
    return this.store.extent().catch(() => undefined);
  }

  /**
   * Reads the payload and output of an invocation; both may be missing. With `most`, may return only their first `most`
   * characters. Undefined if they cannot be read.
   */
  async texts(id: string, most?: number): Promise<InvocationTexts | undefined> {
    const kept = await this.store.texts(id, most).catch(() => undefined);
    return kept?.inputText === undefined ? (this.session.texts(id) ?? kept) : kept;
  }

  /** Pins invocations, so that the removal of old records skips them, or unpins them. Reports a disk error. */
  async pin(ids: readonly string[], isPinned: boolean): Promise<void> {
    await this.change(this.store.pin(ids, isPinned));
  }

  /** Deletes invocations permanently. Reports a disk error. */
  async remove(ids: readonly string[]): Promise<void> {
    if (this.newest !== undefined && ids.includes(this.newest.id)) this.newest = undefined;
    for (const id of ids) this.session.forget(id);
    for (let start = 0; start < ids.length; start += pageLength) {
      await this.change(this.store.remove(ids.slice(start, start + pageLength)));
    }
  }

  /** Starts to watch for changes by other programs. */
  private follow(): Promise<void> {
    const changes = () => this.store.changes().catch(() => undefined);
    this.following ??= changes().then((seen) => {
      let last = seen;
      this.poll.every(pollMs, async () => {
        const now = await changes();
        if (now !== undefined && now !== last) this.announce();
        last = now ?? last;
      });
    });
    return this.following;
  }

  /** Waits until a removal of old records has finished. Never rejects. */
  async retained(): Promise<void> {
    await this.oldRecords.removed;
  }

  dispose(): void {
    this.pause.dispose();
    this.expiry.dispose();
    this.poll.dispose();
    this.changed.dispose();
  }

  /** Writes the ends that the store rejected before. */
  private async writeUnwritten(): Promise<void> {
    for (const { record, texts, ended } of this.session.unwritten) {
      if (record.status === "running") continue;
      try {
        if (ended === undefined) await this.store.addTexts(record.id, texts);
        else await this.store.end({ ...ended, isKept: true, texts });
        this.session.removeUnwritten(record.id);
      } catch {
        return;
      }
    }
  }

  private async change(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.reports.notChanged(error);
    }
    this.announce();
  }

  private announce(): void {
    if (!this.pause.isRunning) this.pause.after(burstMs, () => this.changed.fire());
  }

  /**
   * Announces a change at the time by which a running invocation must have ended. The store does not change at that
   * time if the invocation's program died. `readAt` is a time before the records were read.
   */
  private announceExpiry(records: Parameters<typeof nextLatestEnd>[0], readAt: number): void {
    const next = nextLatestEnd(records, readAt);
    if (next === undefined) return;
    this.expiry.after(Math.max(next + 1 - Date.now(), 0), () => this.announce());
  }

  private reportFailure(error: unknown): void {
    this.reports.notWritten(error, !this.hasReportedFailure);
    this.hasReportedFailure = true;
  }
}
