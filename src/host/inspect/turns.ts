/** Tells whether a turn still lasts, that is, whether its answer still counts. */
export type Turn = () => boolean;

/** One turn at a time: each new one ends the one before, so that late answers are known as late. */
export class Turns {
  private latest = 0;

  /** Begins a turn. */
  begin(): Turn {
    this.latest += 1;
    return this.join();
  }

  /** Takes part in the turn that lasts. */
  join(): Turn {
    const turn = this.latest;
    return () => turn === this.latest;
  }
}
