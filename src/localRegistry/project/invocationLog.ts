/** An invocation as the registry saw it. */
export interface SeenInvocation {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The request's body as received. */
  readonly bodyText: string;
  readonly outcome: "running" | "success" | "error" | "blocked" | "refused" | "cancelled";
  /** Missing while the skill runs and where the caller went away. */
  readonly httpStatus?: number;
  readonly code?: string;
  readonly invocationId?: string;
  /** Missing for an unknown key. */
  readonly projectSlug?: string;
  /** Missing where the skill is not installed. */
  readonly skillSlug?: string;
  readonly version?: string;
  readonly latencyMs?: number;
}

const maxEntries = 500;
const maxCharacters = 16 * 1024 * 1024;

/** Remembers the newest invocations: at most 500, holding at most 16 Mi characters of bodies. */
export class InvocationLog {
  readonly #entries = new Map<symbol, SeenInvocation>();
  #characters = 0;
  #count = 0;

  /** The invocations, oldest first. */
  entries(): readonly SeenInvocation[] {
    return [...this.#entries.values()];
  }

  /** How many invocations there were since the start, forgotten ones included. */
  get count(): number {
    return this.#count;
  }

  /** Adds an invocation and returns how to note what became of it. */
  add(entry: SeenInvocation): (outcome: Partial<SeenInvocation>) => void {
    const id = Symbol();
    this.#entries.set(id, entry);
    this.#characters += entry.bodyText.length;
    this.#count += 1;
    for (const [oldest, { bodyText }] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#characters <= maxCharacters) break;
      this.#entries.delete(oldest);
      this.#characters -= bodyText.length;
    }
    return (outcome) => {
      const before = this.#entries.get(id);
      if (before !== undefined) this.#entries.set(id, { ...before, ...outcome });
    };
  }
}
