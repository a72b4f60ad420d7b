/** How long nothing may want a question after a no, until one is asked again, in milliseconds. */
const quietMs = 60_000;
/** As many commands wait for the answer to another one's question. */
const maxWaiting = 20;

/**
 * Lets the commands of all terminals ask a person one question at a time. After a no, nothing is asked until no command
 * has wanted anything for a minute: a script that goes on asking gets one question.
 */
export class QuestionGate {
  private open: Promise<unknown> | undefined;
  private waiting = 0;
  private closedAt: number | undefined;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Asks once it is its turn. `refused` where nothing is asked; `isNo` says which answers are a no. */
  async ask<Answer>(
    question: () => Promise<Answer>,
    isNo: (answer: Answer) => boolean,
  ): Promise<Answer | "refused"> {
    if (this.isClosed() || this.waiting >= maxWaiting) return "refused";
    this.waiting += 1;
    try {
      while (this.open !== undefined) await this.open;
      if (this.isClosed()) return "refused";
      const turn = question()
        .then((answer) => {
          if (isNo(answer)) this.close();
          return answer;
        })
        .finally(() => {
          this.open = undefined;
        });
      this.open = turn.catch(() => undefined);
      return await turn;
    } finally {
      this.waiting -= 1;
    }
  }

  /** A person said no elsewhere, as where a key is asked for. */
  close(): void {
    this.closedAt = this.now();
  }

  /** Returns whether nothing is asked now. Each time it is not, the minute begins anew. */
  private isClosed(): boolean {
    if (this.closedAt === undefined) return false;
    const now = this.now();
    const isOver = now - this.closedAt >= quietMs;
    this.closedAt = isOver ? undefined : now;
    return !isOver;
  }
}
