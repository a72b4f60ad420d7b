/**
 * Remembers the Project Key in use for checks, which must not wait for a keyring: each look answers
 * what was known last and asks again beside it.
 */
export class KeyInUse {
  private key: string | undefined;
  private isAsking = false;

  /** `changed` is called when another key, or none, is known than at the last look. */
  constructor(
    private readonly find: () => Promise<string | undefined>,
    private readonly changed: () => void,
  ) {}

  /** The key as known last, as a list of one or none. */
  known(): readonly string[] {
    void this.askAgain();
    return this.key === undefined ? [] : [this.key];
  }

  private async askAgain(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const key = await this.find();
      if (key === this.key) return;
      this.key = key;
      this.changed();
    } finally {
      this.isAsking = false;
    }
  }
}
