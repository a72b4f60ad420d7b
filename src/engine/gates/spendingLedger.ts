import { basename, dirname } from "node:path";
import type { Amount } from "../../core/invocation/cost";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import {
  type AgentSpending,
  agentSpending,
  billedTexts,
  dailyLimitQuestion,
  expectCost,
  expectedCost,
  type PricedInvocation,
  readSpending,
  releaseCost,
  type Spending,
  settleCost,
} from "../../core/invocation/spending";
import { localDay } from "../../core/text/dates";
import type { Language } from "../../core/text/language";
import { ChangeEvent } from "../changeEvent";
import { FollowedFolder } from "../files/followedFolder";
import { SharedFile } from "../files/sharedFile";

/** What was spent today, before an invocation. */
export interface SpendingToday {
  /** What the invocation is expected to cost; undefined where that is not known. */
  readonly expected: Amount | undefined;
  /** Returns the reason for a question where the invocation would pass a limit in cents; 0 is no limit. */
  readonly question: (limitCents: number, language: Language) => string | undefined;
  /** By agents. */
  readonly byAgents: AgentSpending;
}

function spendingToday(spending: Spending, call: PricedInvocation, day: string): SpendingToday {
  return {
    expected: expectedCost(spending, call),
    question: (limitCents, language) =>
      dailyLimitQuestion(spending, call, limitCents, day, language),
    byAgents: agentSpending(spending, day, call),
  };
}

/** Adds up the cost of invocations per day and registry, over all callers of this machine. */
export class SpendingLedger {
  private readonly file: SharedFile<Spending>;
  private readonly changed = new ChangeEvent<void>();
  private readonly followed: FollowedFolder;

  /** Fires when this program spent money, and another one of this machine once `follow` was called. */
  readonly onDidChange = this.changed.event;

  constructor(path: string) {
    this.file = new SharedFile(path, readSpending);
    this.followed = new FollowedFolder(dirname(path), (file) => {
      if (file === undefined || file === basename(path)) this.changed.fire();
    });
  }

  /** Follows from now on what other programs spend. */
  follow(): void {
    this.followed.follow();
  }

  /**
   * Adds an invocation that is sent next, with the record `id`, at its expected price until it has ended; or resolves
   * to why not, which `objects` decides by what was spent, and adds nothing. Both in one step: of two callers at a
   * limit one is held. Never rejects.
   */
  reserve<Objection>(
    id: string,
    call: PricedInvocation,
    objects: (spending: SpendingToday) => Objection | undefined,
  ): Promise<Objection | undefined> {
    const day = localDay(Date.now());
    return this.file.decide((spending) => {
      const answer = objects(spendingToday(spending, call, day));
      const value = answer === undefined ? expectCost(spending, call, id, day) : spending;
      return { value, answer };
    });
  }

  /** Returns what was spent today, as an invocation has to know it. */
  async before(call: PricedInvocation): Promise<SpendingToday> {
    return spendingToday(await this.file.get(), call, localDay(Date.now()));
  }

  /** Returns what agents spent today, on a skill of a registry and in all. Never rejects. */
  async byAgents(): Promise<(registry: string, skillSlug: string) => AgentSpending> {
    const spending = await this.file.get();
    const day = localDay(Date.now());
    return (registry, skillSlug) =>
      agentSpending(spending, day, { registry, skillSlug, price: { kind: "free" } });
  }

  /** Removes the expected price of an invocation that was not sent after all. Never rejects. */
  release(id: string): Promise<void> {
    return this.file.change((spending) => releaseCost(spending, id));
  }

  /** Adds the cost of a finished invocation; where its outcome is unknown, the expected cost. Never rejects. */
  async settle(record: InvocationRecord): Promise<void> {
    await this.file.change((spending) => settleCost(spending, record));
    this.changed.fire();
  }

  /** Describes what was billed today, for each registry and currency. */
  async today(language: Language): Promise<ReturnType<typeof billedTexts>> {
    return billedTexts(await this.file.get(), localDay(Date.now()), language);
  }

  dispose(): void {
    this.followed.dispose();
    this.changed.dispose();
  }
}
