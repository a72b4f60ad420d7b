/** A call of the runtime route as the registry saw it. */
export interface SeenInvocation {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The request's body as received; empty where it was not read. */
  readonly bodyText: string;
  readonly outcome: "running" | "success" | "error" | "blocked" | "refused" | "cancelled";
  /** Missing while the call runs and where the caller went away. */
  readonly httpStatus?: number;
  readonly code?: string;
  readonly invocationId?: string;
  readonly skillSlug?: string;
  readonly version?: string;
  readonly latencyMs?: number;
}

/** Remembers the newest calls: at most 500, holding at most 16 Mi characters of bodies. */
export class InvocationLog {
  readonly #entries = new Map<symbol, SeenInvocation>();
  #characters = 0;
  #count = 0;

  /** The calls, oldest first. */
  entries(): readonly SeenInvocation[] {
    return [...this.#entries.values()];
  }

  /** How many calls there were since the start, forgotten ones included. */
  get count(): number {
    return this.#count;
  }

  /** Adds a call and returns how to tell what became of it. */
  add(entry: SeenInvocation): (outcome: Partial<SeenInvocation>) => void {
    const id = Symbol();
    this.#entries.set(id, entry);
    this.#characters += entry.bodyText.length;
    this.#count += 1;
    this.#forget();
    return (outcome) => {
      const before = this.#entries.get(id);
      if (before !== undefined) this.#entries.set(id, { ...before, ...outcome });
    };
  }

  #forget(): void {
    for (const [id, { bodyText }] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#characters <= maxCharacters) return;
      this.#entries.delete(id);
      this.#characters -= bodyText.length;
    }
  }
}

const maxEntries = 500;
const maxCharacters = 16 * 1024 * 1024;
