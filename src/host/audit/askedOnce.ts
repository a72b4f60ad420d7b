/** Asks one question for each name, once. All calls while it is open, or later, get the first answer. */
export class AskedOnce<Answer> {
  private readonly answers = new Map<string, Promise<Answer>>();

  /** Resolves to the result of `question` for this name; rejects where that did. */
  ask(name: string, question: () => Promise<Answer>): Promise<Answer> {
    const asked = this.answers.get(name) ?? question();
    this.answers.set(name, asked);
    return asked;
  }
}
