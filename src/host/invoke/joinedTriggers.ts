/** A double click counts as one trigger; this long after the first, a further one is meant. */
const doubleClickMs = 600;

interface Running {
  readonly text: string;
  readonly startedAt: number;
  readonly result: Promise<void>;
  over: boolean;
}

/**
 * Joins triggers of the same work: while it runs, and for the moment of a double click with the same
 * text, a further trigger gets the running one's end.
 */
export class JoinedTriggers {
  private readonly running = new Map<string, Running>();

  /** `now` is a clock in milliseconds that is never set back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Starts `work` named `name`, or joins it. `text` is what the work is about. `again` says that the
   * user asked for it anew, so that only work still under way is joined.
   */
  run(name: string, text: string, work: () => Promise<void>, again = false): Promise<void> {
    const earlier = this.running.get(name);
    if (earlier !== undefined && !earlier.over) return earlier.result;
    if (earlier !== undefined && !again && this.isDoubleClick(earlier, text)) return earlier.result;
    const running: Running = { text, startedAt: this.now(), result: work(), over: false };
    this.running.set(name, running);
    const end = () => {
      running.over = true;
    };
    running.result.then(end, end);
    this.forgetOld();
    return running.result;
  }

  private forgetOld(): void {
    for (const [name, { over, startedAt }] of this.running) {
      if (over && this.now() - startedAt >= doubleClickMs) this.running.delete(name);
    }
  }

  private isDoubleClick(earlier: Running, text: string): boolean {
    return earlier.text === text && this.now() - earlier.startedAt < doubleClickMs;
  }
}
