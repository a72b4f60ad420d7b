/** Counts calls per skill in a rolling window of 60 seconds. Refused calls count as well. */
export class RateWindow {
  readonly #calls = new Map<string, readonly number[]>();

  /** Counts a call made now (milliseconds) and returns how many the window holds, this one included. */
  count(skillSlug: string, now: number): number {
    const calls = (this.#calls.get(skillSlug) ?? []).filter((time) => now - time < windowMs);
    this.#calls.set(skillSlug, [...calls, now]);
    return calls.length + 1;
  }
}

const windowMs = 60_000;
