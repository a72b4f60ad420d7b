import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import {
  costText,
  dailyLimitQuestion,
  expectCost,
  type PricedInvocation,
  readSpending,
  releaseCost,
  type Spending,
  settleCost,
} from "../core/invocation/spending";
import { localDay } from "../core/text/dates";
import type { Language } from "../core/text/language";
import { ChangeEvent } from "./changeEvent";
import { SharedFile } from "./sharedFile";

/** Adds up the cost of invocations per day and registry, over all callers of this machine. */
export class SpendingLedger {
  private readonly file: SharedFile<Spending>;
  private readonly changed = new ChangeEvent<void>();

  /** Fires when this program spent money. */
  readonly onDidChange = this.changed.event;

  constructor(path: string) {
    this.file = new SharedFile(path, readSpending);
  }

  /**
   * Adds an invocation that is sent next, with the record `id`, at its expected price until it has ended; or, where
   * today's cost would pass `limitCents` (0 is no limit), resolves to the reason for a question and adds nothing.
   * Both in one step: of two callers at the limit one is asked. Never rejects.
   */
  reserve(
    id: string,
    call: PricedInvocation,
    limitCents: number,
    language: Language,
  ): Promise<string | undefined> {
    const day = localDay(Date.now());
    return this.file.decide((spending) => {
      const reason = dailyLimitQuestion(spending, call, limitCents, day, language);
      const value = reason === undefined ? expectCost(spending, call, id, day) : spending;
      return { value, answer: reason };
    });
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
  async today(language: Language): Promise<ReturnType<typeof costText>> {
    return costText(await this.file.get(), localDay(Date.now()), language);
  }

  /** Returns the reason for a question before an invocation; undefined where it stays under the ceiling. */
  async question(
    invocation: PricedInvocation,
    ceilingCents: number,
    language: Language,
  ): Promise<string | undefined> {
    return dailyLimitQuestion(
      await this.file.get(),
      invocation,
      ceilingCents,
      localDay(Date.now()),
      language,
    );
  }

  dispose(): void {
    this.changed.dispose();
  }
}
