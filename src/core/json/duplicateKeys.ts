import type { JsonTokens } from "./jsonTokens";
import type { TextRange } from "./token";

/** A property that an object names twice: where it is named again, and where it was first. */
export interface DuplicateKey {
  name: string;
  range: TextRange;
  firstStart: number;
}

/** Finds keys that occur twice in one object of a text, in the order a scan meets them. */
export class DuplicateKeys {
  readonly #limit: number;
  /** Of each open object, innermost last, where its keys start; undefined before the first. */
  readonly #open: (Map<string, number> | undefined)[] = [];
  readonly found: DuplicateKey[] = [];
  hidden = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  enterObject(): void {
    this.#open.push(undefined);
  }

  leaveObject(): void {
    this.#open.pop();
  }

  /** Adds a key of the innermost object, the string that was read last. */
  add({ text, start, end, isSpecial }: JsonTokens): void {
    const { length } = this.#open;
    const name = isSpecial
      ? (JSON.parse(text.slice(start, end)) as string)
      : text.slice(start + 1, end - 1);
    const keys = this.#open[length - 1] ?? new Map<string, number>();
    const firstStart = keys.get(name);
    if (firstStart === undefined) {
      keys.set(name, start);
      this.#open[length - 1] = keys;
    } else if (this.found.length < this.#limit) {
      this.found.push({ name, range: { start, end }, firstStart });
    } else this.hidden += 1;
  }
}
