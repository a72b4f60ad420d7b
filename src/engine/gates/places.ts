import { type InvocationOutcome, namedCents } from "../../core/invocation/invocation";
import type { Stopped } from "../../core/invocation/permission/question";
import type { RateScope } from "../../core/invocation/rateLimit";
import { isAgent, registryName } from "../../core/invocation/record/invocationRecord";
import { expectedCents, hasRoom } from "../../core/invocation/underWay";
import { invocationPrice } from "../../core/skill/price";
import { settled, within } from "../../registry/wait";
import { type Again, type AllowedPassage, isFresh, type Passage, stopped } from "../passage";
import type { BilledSoFar, WantedRoom } from "../store/store";

/** The known budget of a project for a skill. */
export interface ProjectBudget {
  readonly project: string;
  /** The least remaining amount, in hundredths; infinity without a budget, undefined if unknown. */
  readonly leftCents: number | undefined;
}

/** The place of an invocation among those of its skill in progress, from before it is sent until it ends. */
export interface Place {
  readonly of: SkillPlaces;
  /** The facts for the store's decision at the start. */
  readonly room: WantedRoom;
  /** The expected cost in hundredths; undefined if unknown. */
  readonly expectedCents: number | undefined;
  /** The amount that counts against the allowance, in hundredths. */
  readonly allowedCents: number;
  /** The number of ended invocations when its facts were read. */
  readonly ends: number;
  isUnderWay: boolean;
}

/** The turn of an invocation that found no room. */
export interface Turn {
  readonly of: SkillPlaces;
  wake: () => void;
}

/** The maximum cost of the invocations of one or several skills together, in hundredths of any currency. */
export class Allowance {
  private counted = 0;

  /** In hundredths of the currency. */
  constructor(readonly maxCents: number) {}

  /** Counts an amount if it still fits. Returns whether it fits. */
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

/** How long a reading of a budget is valid, in milliseconds. */
const budgetMs = 300_000;
/** How often to look for ended invocations of other programs, in milliseconds. */
const lookAgainMs = 500;

/** This program's invocations in progress, by project and skill. */
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

/** A reading of a budget, and the amount billed on this machine until that reading. */
interface ReadBudget {
  readonly budget: ProjectBudget | undefined;
  readonly asOf: BilledSoFar | undefined;
}

/**
 * The invocations of one skill for one project. The store decides which may run, since other programs count too. Those
 * without room wait here in the order of their requests.
 */
export class SkillPlaces {
  /** How many invocations have ended. */
  ends = 0;
  /** Whether an invocation has shown its real price. */
  hasShownPrice = false;
  /** The billed amount of the last one, in hundredths; undefined if it named none. */
  billedCents: number | undefined;
  private underWay = 0;
  private readonly turns: Turn[] = [];
  private reading: { readonly at: number; readonly read: Promise<ReadBudget> } | undefined;

  /** Reads a budget. Reads it again when it is old, since others spend from it too. */
  budget(read: () => Promise<ReadBudget>): Promise<ReadBudget> {
    const at = performance.now();
    if (this.reading === undefined || at - this.reading.at > budgetMs) {
      this.reading = { at, read: read() };
    }
    return this.reading.read;
  }

  /** Waits until `one` is first among those without room. */
  async takeTurn(passage: Passage): Promise<void> {
    if (passage.turn !== undefined && passage.turn.of !== this) leaveTurn(passage);
    while (!this.isNext(passage.turn) && !passage.signal.aborted)
      await this.woken(this.join(passage), passage);
  }

  /** Waits until an ended invocation may have made room. */
  async waitForRoom(passage: Passage, place: Place): Promise<void> {
    const turn = this.join(passage);
    if (!this.isNext(turn) || this.ends !== place.ends) return;
    await within(this.woken(turn, passage), lookAgainMs);
  }

  leave(turn: Turn): void {
    this.turns.splice(this.turns.indexOf(turn), 1);
    this.turns[0]?.wake();
  }

  /** Returns whether an invocation that the store does not count has room among this program's. */
  hasRoomUncounted({ room, expectedCents: cents }: Place): boolean {
    const beside = Array.from({ length: this.underWay }, () => 0);
    // The spending of other programs is unknown.
    const isUnlimited = (room.budget?.leftCents ?? 0) === Number.POSITIVE_INFINITY;
    const isChosen = room.isChosen && (room.budget === undefined || isUnlimited);
    return hasRoom({ ...room, cents, beside, leftCents: undefined, isChosen });
  }

  begin(place: Place): void {
    place.isUnderWay = true;
    this.underWay += 1;
  }

  /** Records the end of an invocation; `billed` is undefined if it was not sent. */
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

  private join(passage: Passage): Turn {
    if (passage.turn !== undefined) return passage.turn;
    const turn: Turn = { of: this, wake: () => undefined };
    this.turns.push(turn);
    passage.turn = turn;
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
 * Determines which invocations may run beside this one, and counts its price against limits. An invocation by a person
 * never waits, since each one is asked about, but it counts for the others.
 */
export async function placed(passage: AllowedPassage): Promise<Stopped | Again | undefined> {
  const { wanted, sending, skill, signal } = passage;
  const { allowance, caller, isTestRun, isNumberChosen = false } = wanted;
  if (caller.kind === "person" || isTestRun) return undefined;
  const of = passage.places.of(sending.scope);
  await of.takeTurn(passage);
  const reading = of.budget(() => budgetNow(passage));
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
  leavePlace(passage);
  if (allowance !== undefined) {
    if (cents === undefined) return stopped({ kind: "price", isKnown: false });
    if (!allowance.add(cents)) return stopped({ kind: "price", isKnown: true });
  }
  const allowedCents = allowance === undefined ? 0 : (cents ?? 0);
  passage.place = { of, room, expectedCents: cents, allowedCents, ends, isUnderWay: false };
  return isFresh(passage) ? undefined : "again";
}

/**
 * Reads the billed amount before the budget. Subtracts invocations that end between the two, whether or not the budget
 * includes them.
 */
async function budgetNow({ parts, wanted, skill }: Passage): Promise<ReadBudget> {
  const { registry } = wanted;
  const { slug: skillSlug } = skill.summary;
  const of = { registry: registryName(registry), skillSlug };
  const asOf = await parts.store.billedSoFar(of).catch(() => undefined);
  return { budget: await parts.budget?.(registry, skillSlug), asOf };
}

/** Releases the place of an invocation that ended with `outcome`, or that was not sent if `outcome` is left out. */
export function leavePlace(passage: Passage, outcome?: InvocationOutcome | "unknown"): void {
  const { place, wanted } = passage;
  if (place === undefined) return;
  const billed = outcome && billedFor(outcome, place.expectedCents);
  wanted.allowance?.correct(place.allowedCents, billed?.cents ?? 0);
  passage.place = undefined;
  place.of.end(place, billed);
}

/** Releases the turn of an invocation that found room or is not sent. */
export function leaveTurn(passage: Passage): void {
  const { turn } = passage;
  passage.turn = undefined;
  turn?.of.leave(turn);
}

/** The billed amount of an ended invocation. */
interface Billed {
  /** The amount that the registry named, in hundredths; undefined if it named none. */
  readonly named: number | undefined;
  /** The amount that counts against a limit, in hundredths. */
  readonly cents: number;
  /** Whether it shows the price of the next one. */
  readonly isShown: boolean;
}

/** Returns the billed amount of the response, or else the expected one. Undefined if the invocation was not sent. */
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
