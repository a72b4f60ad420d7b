/** After a no, how long no command may send a request before the next question, in milliseconds. */
const quietMs = 60_000;
/** The maximum number of commands that wait until another command's question is answered. */
const maxWaiting = 20;

/**
 * Shows the questions of all terminals one at a time. After a no, refuses all questions until no command has asked for
 * a minute. So a script in a loop gets only one question.
 */
export class QuestionGate {
  private open: Promise<unknown> | undefined;
  private waiting = 0;
  private closedAt: number | undefined;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number) {}

  /**
   * Shows a question when all earlier ones are answered. Resolves to `refused` without showing it while the gate is
   * closed. `isNo` returns whether an answer is a no.
   */
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

  /** Closes the gate. Also called after a no to another question, such as one for a key. */
  close(): void {
    this.closedAt = this.now();
  }

  /** Returns whether the gate is closed. Each call while it is closed restarts the minute. */
  private isClosed(): boolean {
    if (this.closedAt === undefined) return false;
    const now = this.now();
    const isOver = now - this.closedAt >= quietMs;
    this.closedAt = isOver ? undefined : now;
    return !isOver;
  }
}
