/** A double click counts as one trigger; this long after the first, a further one is meant. */
const doubleClickMs = 600;

/**
 * How started work ended. `done` may have been what both clicks of a double click meant; after
 * `calledOff` nothing was sent, or the user stopped it, so that whoever starts it again means it.
 */
export type TriggerEnd = "done" | "calledOff";

interface Running {
  readonly text: string;
  readonly startedAt: number;
  readonly result: Promise<TriggerEnd>;
  end: "underWay" | TriggerEnd;
}

/**
 * Joins triggers of the same work: while it runs, and where it was done, for the moment of a double
 * click with the same text, a further trigger gets the running one's end.
 */
export class JoinedTriggers {
  private readonly running = new Map<string, Running>();

  /** `now` is a clock in milliseconds that is never set back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Starts `work` named `name`, or joins it. `text` is what the work is about. `again` says that the
   * user asked for it anew, so that only work still under way is joined.
   */
  run(
    name: string,
    text: string,
    work: () => Promise<TriggerEnd>,
    again = false,
  ): Promise<TriggerEnd> {
    const earlier = this.running.get(name);
    if (earlier?.end === "underWay") return earlier.result;
    if (earlier !== undefined && !again && this.isDoubleClick(earlier, text)) return earlier.result;
    const running: Running = { text, startedAt: this.now(), result: work(), end: "underWay" };
    this.running.set(name, running);
    const note = (end: TriggerEnd) => {
      running.end = end;
    };
    running.result.then(note, () => note("done"));
    this.forgetOld();
    return running.result;
  }

  private forgetOld(): void {
    for (const [name, { end, startedAt }] of this.running) {
      const isOver = end !== "underWay";
      if (isOver && this.now() - startedAt >= doubleClickMs) this.running.delete(name);
    }
  }

  private isDoubleClick(earlier: Running, text: string): boolean {
    const { end, startedAt } = earlier;
    return end === "done" && earlier.text === text && this.now() - startedAt < doubleClickMs;
  }
}
