/**
 * Asks one question for each name, once. Whoever asks while it is open, or later, gets the answer of the
 * first time.
 */
export class AskedOnce<Answer> {
  private readonly answers = new Map<string, Promise<Answer>>();

  /** Resolves to what `question` resolved to when it was asked for this name; rejects where that did. */
  ask(name: string, question: () => Promise<Answer>): Promise<Answer> {
    const asked = this.answers.get(name) ?? question();
    this.answers.set(name, asked);
    return asked;
  }
}
