import { parsedJson } from "../json/jsonValue";

/** The maximum number of payloads to remember. The oldest is forgotten first. */
const maxRemembered = 100;

/**
 * Remembers new payloads in which values were left to the user, until somebody changes them or agrees to send them.
 * Identifies a payload by its skill and JSON value, so that it is recognized after it was renamed, formatted or opened
 * in a form.
 */
export class UnfilledPayloads {
  private readonly counts = new Map<string, number>();

  /** Remembers a payload for a skill, in which `count` values were left to the user. */
  add(slug: string, text: string, count: number): void {
    const key = keyOf(slug, text);
    if (count === 0 || key === undefined) return;
    this.counts.delete(key);
    this.counts.set(key, count);
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= maxRemembered) break;
      this.counts.delete(oldest);
    }
  }

  /** Returns how many values were left to the user in a payload that nobody has changed since. */
  countIn(slug: string, text: string): number {
    if (this.counts.size === 0) return 0;
    return this.counts.get(keyOf(slug, text) ?? "") ?? 0;
  }

  forget(slug: string, text: string): void {
    this.counts.delete(keyOf(slug, text) ?? "");
  }
}

function keyOf(slug: string, text: string): string | undefined {
  const value = parsedJson(text);
  return value === undefined ? undefined : `${slug} ${JSON.stringify(value)}`;
}
