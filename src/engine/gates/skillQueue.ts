import { type Amount, totalCents } from "../../core/invocation/cost";
import { type InvocationOutcome, namedCents } from "../../core/invocation/invocation";
import type { Stopped } from "../../core/invocation/permission/question";
import type { RateScope } from "../../core/invocation/rateLimit";
import { isAgent } from "../../core/invocation/record/invocationRecord";
import { expectedAmount, hasRoom } from "../../core/invocation/underWay";
import { registryName } from "../../core/registry/registryName";
import { invocationPrice } from "../../core/skill/price";
import { currencyOf } from "../../core/text/money";
import { settled, within } from "../../registry/wait";
import { type Again, type Agreement, type Attempt, type Call, isRecent, stopped } from "../attempt";
import type { BilledSoFar, ConcurrencyLimits } from "../store/store";

/** The known budget of a project for a skill. */
export interface ProjectBudget {
  readonly project: string;
  /** The smallest remaining amount of the project's budgets; infinity without a budget, undefined if unknown. */
  readonly left: Amount | undefined;
}

/** The slot of an invocation in a queue. It is reserved before the invocation starts, and released after its end. */
export interface Slot {
  readonly queue: SkillQueue;
  /** The limits that the store checks when the invocation starts. */
  readonly concurrency: ConcurrencyLimits;
  /** The expected cost; undefined if unknown. */
  readonly expected: Amount | undefined;
  /** The amount that was added to the allowance. */
  readonly allowed: Amount;
  /** How many invocations of the queue had ended when the slot was reserved. */
  readonly endedCount: number;
  isUnderWay: boolean;
}

/** A place in a queue: an invocation that may not run yet. */
export interface Waiter {
  readonly queue: SkillQueue;
  wake: () => void;
}

/**
 * The maximum cost of all invocations of a command together, in one currency. An amount in a second currency does not
 * fit, since exchange rates are unknown.
 */
export class Allowance {
  private readonly counted = new Map<string, number>();

  /** `maxCents` is in the smallest unit of the currency. */
  constructor(readonly maxCents: number) {}

  /** Adds an amount if it still fits. Returns whether it did. */
  add({ cents, currency }: Amount): boolean {
    const sums = [...this.counted].map(([other, sum]) => ({ cents: sum, currency: other }));
    if (totalCents([...sums, { cents, currency }]) > this.maxCents) return false;
    this.change({ cents, currency });
    return true;
  }

  /** Replaces an added amount by the actual one. */
  correct(added: Amount, now: Amount): void {
    this.change({ ...added, cents: -added.cents });
    this.change(now);
  }

  private change({ cents, currency }: Amount): void {
    const code = currencyOf(currency);
    this.counted.set(code, (this.counted.get(code) ?? 0) + cents);
  }
}

/** How long a budget that was read stays valid, in milliseconds. */
const budgetMaxAgeMs = 300_000;
/** How often to look for ended invocations of other programs, in milliseconds. */
const pollMs = 500;

/** The queues of this program, one for each project and skill. */
export class SkillQueues {
  private readonly skills = new Map<string, SkillQueue>();

  /** Returns the queue of the invocations that a registry counts together. */
  of(scope: RateScope): SkillQueue {
    const { registry, project, skillSlug } = scope;
    const name = JSON.stringify([registry, project, skillSlug]);
    const places = this.skills.get(name) ?? new SkillQueue();
    this.skills.set(name, places);
    return places;
  }
}

/** A project's budget, and the amount that this machine was billed before the budget was read. */
interface ReadBudget {
  readonly budget: ProjectBudget | undefined;
  readonly asOf: BilledSoFar | undefined;
}

/**
 * Limits how many invocations of one skill run at once for one project. The store decides, since other programs count
 * too. Invocations that may not run yet wait here, in the order of their requests.
 */
class SkillQueue {
  /** How many invocations have ended. */
  endedCount = 0;
  /** Whether a response has shown the real price. */
  hasShownPrice = false;
  /** The amount that the last billed invocation named; undefined if none did. */
  billed: Amount | undefined;
  private underWay = 0;
  private readonly waiting: Waiter[] = [];
  private reading: { readonly at: number; readonly read: Promise<ReadBudget> } | undefined;

  /** Returns the budget. Reads it again if the last result is old, since others spend it too. */
  budget(read: () => Promise<ReadBudget>): Promise<ReadBudget> {
    const at = performance.now();
    if (this.reading === undefined || at - this.reading.at > budgetMaxAgeMs) {
      this.reading = { at, read: read() };
    }
    return this.reading.read;
  }

  /** Waits until the invocation is first in the queue, or canceled. */
  async waitForTurn(attempt: Attempt): Promise<void> {
    if (attempt.waiter !== undefined && attempt.waiter.queue !== this) leaveQueue(attempt);
    while (!this.isNext(attempt.waiter) && !attempt.signal.aborted)
      await this.waitUntilWoken(this.enqueue(attempt), attempt);
  }

  /** Waits until an invocation of this program ends, but at most `pollMs`, since one of another program may end. */
  async waitForRoom(attempt: Attempt, slot: Slot): Promise<void> {
    const waiter = this.enqueue(attempt);
    if (!this.isNext(waiter) || this.endedCount !== slot.endedCount) return;
    await within(this.waitUntilWoken(waiter, attempt), pollMs);
  }

  leave(waiter: Waiter): void {
    this.waiting.splice(this.waiting.indexOf(waiter), 1);
    this.waiting[0]?.wake();
  }

  /** Returns whether an invocation that the store cannot count may run beside those of this program. */
  hasRoomUncounted({ concurrency, expected }: Slot): boolean {
    const beside = Array.from({ length: this.underWay }, () => 0);
    // The store cannot be read, so the spending of other programs is unknown.
    const isUnlimited = (concurrency.budget?.left.cents ?? 0) === Number.POSITIVE_INFINITY;
    const isChosen = concurrency.isChosen && (concurrency.budget === undefined || isUnlimited);
    return hasRoom({
      ...concurrency,
      cents: expected?.cents,
      inProgressCents: beside,
      remainingCents: undefined,
      isChosen,
    });
  }

  begin(slot: Slot): void {
    slot.isUnderWay = true;
    this.underWay += 1;
  }

  /** Records the end of an invocation. `billed` is undefined if it was not sent. */
  end(slot: Slot, billed: Billed | undefined): void {
    if (!slot.isUnderWay) return;
    slot.isUnderWay = false;
    this.underWay -= 1;
    this.endedCount += 1;
    if (billed?.isPriceShown === true) this.hasShownPrice = true;
    this.billed = billed?.named ?? this.billed;
    this.waiting[0]?.wake();
  }

  private isNext(waiter: Waiter | undefined): boolean {
    return this.waiting.length === 0 || this.waiting[0] === waiter;
  }

  private enqueue(attempt: Attempt): Waiter {
    if (attempt.waiter !== undefined) return attempt.waiter;
    const waiter: Waiter = { queue: this, wake: () => undefined };
    this.waiting.push(waiter);
    attempt.waiter = waiter;
    return waiter;
  }

  private async waitUntilWoken(waiter: Waiter, { signal }: Attempt): Promise<void> {
    await settled(
      new Promise<void>((resolve) => {
        waiter.wake = resolve;
      }),
      signal,
    );
  }
}

/**
 * Waits for the invocation's turn, reserves its slot, and adds its price to the allowance. A person's invocation does
 * not wait, since the person is asked about each one.
 */
export async function reserveSlot(
  attempt: Attempt,
  { sending, skill, readAt }: Agreement,
): Promise<Stopped | Again | undefined> {
  const { request, signal } = attempt;
  const { allowance, caller, isTestRun, isNumberChosen = false } = request;
  if (caller.kind === "person" || isTestRun) return undefined;
  const queue = attempt.queues.of(sending.scope);
  await queue.waitForTurn(attempt);
  const reading = queue.budget(() => readBudget(attempt));
  await settled(reading, signal);
  if (signal.aborted) return stopped("canceled");
  const { budget, asOf } = await reading;
  const { endedCount, billed, hasShownPrice } = queue;
  const expected = expectedAmount({ price: invocationPrice(skill), billed });
  const isLeftKnown = budget?.left !== undefined && asOf !== undefined;
  const concurrency = {
    project: budget?.project,
    budget: isLeftKnown ? { left: budget.left, asOf } : undefined,
    runsAlone: (allowance !== undefined || isAgent(caller.kind)) && !hasShownPrice,
    isChosen: isNumberChosen || allowance !== undefined,
  };
  releaseSlot(attempt);
  if (allowance !== undefined) {
    if (expected === undefined) return stopped({ kind: "price", isKnown: false });
    if (!allowance.add(expected)) return stopped({ kind: "price", isKnown: true });
  }
  const allowed = allowance === undefined || expected === undefined ? nothing : expected;
  attempt.slot = {
    queue,
    concurrency,
    expected,
    allowed,
    endedCount,
    isUnderWay: false,
  };
  return isRecent(readAt) ? undefined : "again";
}

/**
 * Reads the billed amount first and the budget second. Invocations that end between the two are subtracted even if the
 * budget already includes them, so the budget is never overestimated.
 */
async function readBudget({ parts, request }: Call): Promise<ReadBudget> {
  const { registry, skill } = request;
  const { slug: skillSlug } = skill.summary;
  const skillKey = { registry: registryName(registry), skillSlug };
  const asOf = await parts.store.billedSoFar(skillKey).catch(() => undefined);
  return { budget: await parts.budget(registry, skillSlug), asOf };
}

/** Releases the slot of an invocation that ended with `outcome`. Without `outcome`, it was not sent. */
export function releaseSlot(attempt: Attempt, outcome?: InvocationOutcome | "unknown"): void {
  const { slot, request } = attempt;
  if (slot === undefined) return;
  const billed = outcome && billedFor(outcome, slot.expected);
  request.allowance?.correct(slot.allowed, billed?.counted ?? nothing);
  attempt.slot = undefined;
  slot.queue.end(slot, billed);
}

/** Removes an invocation from the queue, because it may run or will not be sent. */
export function leaveQueue(attempt: Attempt): void {
  const { waiter } = attempt;
  attempt.waiter = undefined;
  waiter?.queue.leave(waiter);
}

const nothing: Amount = { cents: 0, currency: "" };

/** The billed amount of an ended invocation. */
interface Billed {
  /** The amount that the registry named; undefined if it named none. */
  readonly named: Amount | undefined;
  /** The amount that counts against a limit. */
  readonly counted: Amount;
  /** Whether the response has shown what later invocations will cost. */
  readonly isPriceShown: boolean;
}

/** Returns the amount that the response names, or else the expected one. Undefined if the invocation was not sent. */
function billedFor(
  outcome: InvocationOutcome | "unknown",
  expected: Amount = nothing,
): Billed | undefined {
  if (outcome === "unknown") return { named: undefined, counted: expected, isPriceShown: false };
  switch (outcome.kind) {
    case "notSent":
      return undefined;
    case "refused":
      return { named: undefined, counted: nothing, isPriceShown: false };
    case "outcomeUnknown":
      return billedFor("unknown", expected);
    default: {
      const cents = namedCents(outcome);
      const named = cents === undefined ? undefined : { cents, currency: outcome.currency ?? "" };
      return { named, counted: named ?? expected, isPriceShown: true };
    }
  }
}
