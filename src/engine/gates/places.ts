import { type InvocationOutcome, namedCents } from "../../core/invocation/invocation";
import type { Stopped } from "../../core/invocation/permission/question";
import type { RateScope } from "../../core/invocation/rateLimit";
import { isAgent, registryName } from "../../core/invocation/record/invocationRecord";
import { expectedCents, hasRoom } from "../../core/invocation/underWay";
import { invocationPrice } from "../../core/skill/price";
import { settled, within } from "../../registry/wait";
import { type Again, type AllowedPassage, isFresh, type Passage, stopped } from "../passage";
import type { BilledSoFar, WantedRoom } from "../store/store";

/** What is known of a project's budget for a skill. */
export interface ProjectBudget {
  /** The project of the Project Key. */
  readonly project: string;
  /** What is left at least, in hundredths; infinity for no budget, undefined where it is not known. */
  readonly leftCents: number | undefined;
}

/** The place of an invocation among those of its skill that are under way, before it is sent and until it ends. */
export interface Place {
  readonly of: SkillPlaces;
  /** What the store decides by at the start. */
  readonly room: WantedRoom;
  /** What it is expected to cost, in hundredths; undefined where that is not known. */
  readonly expectedCents: number | undefined;
  /** What counts for it in the allowance, in hundredths. */
  readonly allowedCents: number;
  /** How many had ended when its facts were read. */
  readonly ends: number;
  isUnderWay: boolean;
}

/** The turn of an invocation that found no room. */
export interface Turn {
  readonly of: SkillPlaces;
  wake: () => void;
}

/** What the invocations of one or several skills may cost together, in hundredths of any currency. */
export class Allowance {
  private counted = 0;

  /** In hundredths of the currency. */
  constructor(readonly maxCents: number) {}

  /** Counts an amount where it still fits. Returns whether it does. */
  add(cents: number): boolean {
    if (this.counted + cents > this.maxCents) return false;
    this.counted += cents;
    return true;
  }

  /** Replaces a counted amount by the actual one. */
  correct(counted: number, now: number): void {
    this.counted += now - counted;
  }
}

/** How long a reading of a budget counts, in milliseconds. */
const budgetMs = 300_000;
/** How often to look for ended invocations of other programs, in milliseconds. */
const lookAgainMs = 500;

/** What this program knows of the invocations that it has under way, by project and skill. */
export class Places {
  private readonly skills = new Map<string, SkillPlaces>();

  /** Returns the invocations that a registry counts together. */
  of(scope: RateScope): SkillPlaces {
    const { registry, project, skillSlug } = scope;
    const name = JSON.stringify([registry, project, skillSlug]);
    const places = this.skills.get(name) ?? new SkillPlaces();
    this.skills.set(name, places);
    return places;
  }
}

/** A budget as it was read, and what this machine had been billed by then. */
interface ReadBudget {
  readonly budget: ProjectBudget | undefined;
  readonly asOf: BilledSoFar | undefined;
}

/**
 * The invocations of one skill for one project. The store decides which may be under way, since other programs count
 * too. Those without room wait here, in the order in which they asked.
 */
export class SkillPlaces {
  /** How many have ended. */
  ends = 0;
  /** Whether one of them showed what it is billed. */
  hasShownPrice = false;
  /** What the last one was billed, in hundredths; undefined where it named no amount. */
  billedCents: number | undefined;
  private underWay = 0;
  private readonly turns: Turn[] = [];
  private reading: { readonly at: number; readonly read: Promise<ReadBudget> } | undefined;

  /** Reads a budget, and again later, since others spend from it too. */
  budget(read: () => Promise<ReadBudget>): Promise<ReadBudget> {
    const at = performance.now();
    if (this.reading === undefined || at - this.reading.at > budgetMs) {
      this.reading = { at, read: read() };
    }
    return this.reading.read;
  }

  /** Waits until `one` is first among those without room. */
  async takeTurn(one: Passage): Promise<void> {
    if (one.turn !== undefined && one.turn.of !== this) leaveTurn(one);
    while (!this.isNext(one.turn) && !one.signal.aborted) await this.woken(this.join(one), one);
  }

  /** Waits until an invocation may have made room. */
  async waitForRoom(one: Passage, place: Place): Promise<void> {
    const turn = this.join(one);
    if (!this.isNext(turn) || this.ends !== place.ends) return;
    await within(this.woken(turn, one), lookAgainMs);
  }

  leave(turn: Turn): void {
    this.turns.splice(this.turns.indexOf(turn), 1);
    this.turns[0]?.wake();
  }

  /** Returns whether an invocation that the store does not count has room among this program's. */
  hasRoomUncounted({ room, expectedCents: cents }: Place): boolean {
    const beside = Array.from({ length: this.underWay }, () => 0);
    // What others spend meanwhile is unknown.
    const isUnlimited = (room.budget?.leftCents ?? 0) === Number.POSITIVE_INFINITY;
    const isChosen = room.isChosen && (room.budget === undefined || isUnlimited);
    return hasRoom({ ...room, cents, beside, leftCents: undefined, isChosen });
  }

  begin(place: Place): void {
    place.isUnderWay = true;
    this.underWay += 1;
  }

  /** Notes the end of an invocation; `billed` is undefined where it was not sent. */
  end(place: Place, billed: Billed | undefined): void {
    if (!place.isUnderWay) return;
    place.isUnderWay = false;
    this.underWay -= 1;
    this.ends += 1;
    if (billed?.isShown === true) this.hasShownPrice = true;
    if (billed?.named !== undefined) this.billedCents = billed.named;
    this.turns[0]?.wake();
  }

  private isNext(turn: Turn | undefined): boolean {
    return this.turns.length === 0 || this.turns[0] === turn;
  }

  private join(one: Passage): Turn {
    if (one.turn !== undefined) return one.turn;
    const turn: Turn = { of: this, wake: () => undefined };
    this.turns.push(turn);
    one.turn = turn;
    return turn;
  }

  private async woken(turn: Turn, { signal }: Passage): Promise<void> {
    await settled(
      new Promise<void>((resolve) => {
        turn.wake = resolve;
      }),
      signal,
    );
  }
}

/**
 * Finds out in its turn what an invocation may be beside, and counts its price against limits. A person who invokes one
 * by one never waits, since each is asked about, but counts for others.
 */
export async function placed(one: AllowedPassage): Promise<Stopped | Again | undefined> {
  const { wanted, sending, skill, signal } = one;
  const { allowance, caller, isTestRun, isNumberChosen = false } = wanted;
  if (caller.kind === "person" || isTestRun) return undefined;
  const of = one.places.of(sending.scope);
  await of.takeTurn(one);
  const reading = of.budget(() => budgetNow(one));
  await settled(reading, signal);
  if (signal.aborted) return stopped("canceled");
  const { budget, asOf } = await reading;
  const { ends, billedCents, hasShownPrice } = of;
  const cents = expectedCents({ price: invocationPrice(skill), billedCents });
  const isLeftKnown = budget?.leftCents !== undefined && asOf !== undefined;
  const room = {
    project: budget?.project,
    budget: isLeftKnown ? { leftCents: budget.leftCents, asOf } : undefined,
    goesAlone: (allowance !== undefined || isAgent(caller.kind)) && !hasShownPrice,
    isChosen: isNumberChosen || allowance !== undefined,
  };
  leavePlace(one);
  if (allowance !== undefined) {
    if (cents === undefined) return stopped({ kind: "price", isKnown: false });
    if (!allowance.add(cents)) return stopped({ kind: "price", isKnown: true });
  }
  const allowedCents = allowance === undefined ? 0 : (cents ?? 0);
  one.place = { of, room, expectedCents: cents, allowedCents, ends, isUnderWay: false };
  return isFresh(one) ? undefined : "again";
}

/**
 * Reads what was billed before the budget. What ends between the two is subtracted, whether or not the budget includes
 * it.
 */
async function budgetNow({ parts, wanted, skill }: Passage): Promise<ReadBudget> {
  const { registry } = wanted;
  const { slug: skillSlug } = skill.summary;
  const of = { registry: registryName(registry), skillSlug };
  const asOf = await parts.store.billedSoFar(of).catch(() => undefined);
  return { budget: await parts.budget?.(registry, skillSlug), asOf };
}

/** Gives up the place of an invocation that ended with `outcome`, or that is not sent where that is left out. */
export function leavePlace(one: Passage, outcome?: InvocationOutcome | "unknown"): void {
  const { place, wanted } = one;
  if (place === undefined) return;
  const billed = outcome && billedFor(outcome, place.expectedCents);
  wanted.allowance?.correct(place.allowedCents, billed?.cents ?? 0);
  one.place = undefined;
  place.of.end(place, billed);
}

/** Gives up the turn of an invocation that found room or is not sent. */
export function leaveTurn(one: Passage): void {
  const { turn } = one;
  one.turn = undefined;
  turn?.of.leave(turn);
}

/** What an ended invocation was billed. */
interface Billed {
  /** What the registry named, in hundredths; undefined where it named nothing. */
  readonly named: number | undefined;
  /** What counts against a limit, in hundredths. */
  readonly cents: number;
  /** Whether it shows what the next one is billed. */
  readonly isShown: boolean;
}

/** Returns what an invocation was billed by its answer, else what was expected. Undefined where it was not sent. */
function billedFor(outcome: InvocationOutcome | "unknown", expected = 0): Billed | undefined {
  if (outcome === "unknown") return { named: undefined, cents: expected, isShown: false };
  switch (outcome.kind) {
    case "notSent":
      return undefined;
    case "refused":
      return { named: undefined, cents: 0, isShown: false };
    case "outcomeUnknown":
      return billedFor("unknown", expected);
    default: {
      const named = namedCents(outcome);
      return { named, cents: named ?? expected, isShown: true };
    }
  }
}
