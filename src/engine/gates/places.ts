import { type InvocationOutcome, namedCents } from "../../core/invocation/invocation";
import type { Stopped } from "../../core/invocation/permission/question";
import { isAgent } from "../../core/invocation/record/invocationRecord";
import { expectedCents, mostUnderWay, type UnderWayFacts } from "../../core/invocation/underWay";
import { invocationPrice } from "../../core/skill/price";
import { type Again, isFresh, type Passage, stopped } from "../passage";

/** What a caller knows of the invocations that it wants beside each other. */
export type PlaceFacts = Pick<UnderWayFacts, "price" | "hasLimit" | "isChosen">;

/** A place among the invocations of a skill that are under way. */
export interface Place {
  /** What the invocation is expected to cost, in hundredths; undefined where that is not known. */
  readonly expectedCents: number | undefined;
  /** Leaves the place, with what the invocation was billed; undefined where it was not sent. */
  readonly leave: (billed: Billed | undefined) => void;
}

/** What an ended invocation was billed. */
interface Billed {
  /** What the registry named, in hundredths; undefined where it named nothing. */
  readonly named: number | undefined;
  /** What counts against the budget, in hundredths. */
  readonly cents: number;
}

/** What invocations of one or several skills may cost together, in hundredths of whatever currency. */
export class Allowance {
  private counted = 0;

  constructor(private readonly maxCents: number) {}

  /** Counts an amount where it still fits. Returns whether it does. */
  add(cents: number): boolean {
    if (this.counted + cents > this.maxCents) return false;
    this.counted += cents;
    return true;
  }

  /** Replaces a counted amount by what it was. */
  correct(counted: number, now: number): void {
    this.counted += now - counted;
  }
}

/** How long what was read of a budget counts, in milliseconds. */
const budgetMs = 300_000;

/** The invocations of skills that this program has under way, for each project and skill. */
export class Places {
  private readonly skills = new Map<string, SkillPlaces>();

  /**
   * Waits for a place, in the order of the calls. `leftOfBudget` reads what is left of the project's budget at least,
   * undefined where that is not known. Resolves to undefined where `signal` fires before.
   */
  async take(
    name: string,
    facts: PlaceFacts,
    leftOfBudget: () => Promise<number | undefined>,
    signal: AbortSignal,
  ): Promise<Place | undefined> {
    const places = this.skills.get(name) ?? new SkillPlaces();
    this.skills.set(name, places);
    return places.take(facts, leftOfBudget, signal);
  }
}

class SkillPlaces {
  private readonly waiting: { readonly facts: PlaceFacts; readonly start: () => void }[] = [];
  private underWay = 0;
  private hasEnded = false;
  private billedCents: number | undefined;
  private budget: { readonly at: number; readonly left: Promise<number | undefined> } | undefined;
  private leftCents: number | undefined;

  async take(
    facts: PlaceFacts,
    leftOfBudget: () => Promise<number | undefined>,
    signal: AbortSignal,
  ): Promise<Place | undefined> {
    await this.readBudget(leftOfBudget);
    if (signal.aborted) return undefined;
    if (this.waiting.length === 0 && this.hasRoom(facts)) return this.place(facts);
    return new Promise((resolve) => {
      const one = {
        facts,
        start: () => {
          signal.removeEventListener("abort", end);
          resolve(this.place(facts));
        },
      };
      const end = () => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        resolve(undefined);
        this.startNext();
      };
      this.waiting.push(one);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Read again later: others spend of it too. */
  private async readBudget(leftOfBudget: () => Promise<number | undefined>): Promise<void> {
    const now = performance.now();
    if (this.budget === undefined || now - this.budget.at > budgetMs) {
      const left = leftOfBudget().then((cents) => {
        this.leftCents = cents;
        return cents;
      });
      this.budget = { at: now, left };
    }
    await this.budget.left;
  }

  private hasRoom(facts: PlaceFacts): boolean {
    const { leftCents, billedCents, hasEnded } = this;
    return this.underWay < mostUnderWay({ ...facts, leftCents, billedCents, hasEnded });
  }

  private place({ price }: PlaceFacts): Place {
    this.underWay += 1;
    let isLeft = false;
    return {
      expectedCents: expectedCents({ price, billedCents: this.billedCents }),
      leave: (billed) => {
        if (isLeft) return;
        isLeft = true;
        this.underWay -= 1;
        if (billed !== undefined) this.note(billed);
        this.startNext();
      },
    };
  }

  private note({ named, cents }: Billed): void {
    this.hasEnded = true;
    if (named !== undefined) this.billedCents = named;
    if (this.leftCents !== undefined) this.leftCents -= cents;
  }

  private startNext(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (!this.hasRoom(next.facts)) return;
      this.waiting.shift();
      next.start();
    }
  }
}

/**
 * Waits until no more are under way than fit the project's budget, and counts the price of those with a limit. A person
 * who invokes one by one waits for none: each is asked about.
 */
export async function placed(one: Passage): Promise<Stopped | Again | undefined> {
  const { parts, wanted, sending, skill, signal } = one;
  const { allowance, caller, registry, isTestRun, isNumberChosen = false } = wanted;
  if (one.place !== undefined || caller.kind === "person" || isTestRun) return undefined;
  if (sending === undefined) return stopped("noSender");
  const { slug } = skill.summary;
  const facts = {
    price: invocationPrice(skill),
    hasLimit: allowance !== undefined || isAgent(caller.kind),
    isChosen: isNumberChosen || allowance !== undefined,
  };
  const left = async () => parts.leftOfBudget?.(registry, slug);
  one.place = await one.places.take(JSON.stringify(sending.scope), facts, left, signal);
  if (one.place === undefined) return stopped("canceled");
  if (allowance !== undefined) {
    const { expectedCents: cents } = one.place;
    if (cents === undefined) return stopped({ kind: "price", isKnown: false });
    if (!allowance.add(cents)) return stopped({ kind: "price", isKnown: true });
    one.allowedCents = cents;
  }
  return isFresh(one) ? undefined : "again";
}

/** Leaves the place of an invocation, which ended with `outcome`, or was not sent where that is left out. */
export function leavePlace(one: Passage, outcome?: InvocationOutcome): void {
  const { place, allowedCents, wanted } = one;
  const billed = outcome && billedFor(outcome, place?.expectedCents);
  wanted.allowance?.correct(allowedCents, billed?.cents ?? 0);
  one.allowedCents = 0;
  one.place = undefined;
  place?.leave(billed);
}

/** Returns what an invocation was billed, as far as its answer says; else what was expected. Undefined where it was not sent. */
function billedFor(outcome: InvocationOutcome, expected = 0): Billed | undefined {
  switch (outcome.kind) {
    case "notSent":
      return undefined;
    case "refused":
      return { named: undefined, cents: 0 };
    case "outcomeUnknown":
      return { named: undefined, cents: expected };
    default: {
      const named = namedCents(outcome);
      return { named, cents: named ?? expected };
    }
  }
}
