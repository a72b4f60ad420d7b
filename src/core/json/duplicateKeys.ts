import { hashOf, type JsonTokens } from "./jsonTokens";
import type { TextRange } from "./token";

/** A property that an object names twice: where it is named again, and where it was first. */
export interface DuplicateKey {
  name: string;
  range: TextRange;
  firstStart: number;
}

/**
 * Finds keys that occur twice in one object of a text, in the order a scan meets them. Compares hashes first
 * and the keys only where two hashes are equal, so that hardly any key is copied.
 */
export class DuplicateKeys {
  readonly #text: string;
  readonly #limit: number;
  /** Of each key of all open objects in turn, innermost last, its hash, start and end, up to `#top`. */
  #keys = new Int32Array(1024 * keySize);
  #top = 0;
  /** Per open object: where its keys begin, and an index for when it has many. */
  readonly #firsts: number[] = [];
  readonly #indexes: (KeyIndex | undefined)[] = [];
  #depth = 0;
  readonly found: DuplicateKey[] = [];
  hidden = 0;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  enterObject(): void {
    this.#firsts[this.#depth] = this.#top;
    this.#indexes[this.#depth] = undefined;
    this.#depth += 1;
  }

  leaveObject(): void {
    this.#depth -= 1;
    this.#top = this.#firsts[this.#depth] ?? 0;
  }

  /** Adds a key of the innermost object, the string that was read last. */
  add(key: JsonTokens): void {
    const { start, end } = key;
    const hash = key.isSpecial ? hashOf(nameIn(this.#text, start, end)) : key.hash();
    const first = this.#firsts[this.#depth - 1] ?? 0;
    if (this.#top + keySize > this.#keys.length) this.#grow();
    const keys = this.#keys;
    const own = this.#top;
    keys[own] = hash;
    keys[own + 1] = start;
    keys[own + 2] = end;
    this.#top += keySize;
    if (own - first > keySize * manyKeys) this.#compareWithMany(first, own);
    else {
      for (let key = first; key < own; key += keySize) {
        if (keys[key] === hash && this.#note(key, own)) break;
      }
    }
  }

  #grow(): void {
    const larger = new Int32Array(this.#keys.length * 2);
    larger.set(this.#keys);
    this.#keys = larger;
  }

  #compareWithMany(first: number, own: number): void {
    let index = this.#indexes[this.#depth - 1];
    if (index === undefined) {
      index = new Map();
      this.#indexes[this.#depth - 1] = index;
      for (let key = first; key < own; key += keySize) this.#remember(index, key);
    }
    const known = index.get(this.#keys[own] ?? 0);
    if (known instanceof Map) {
      const before = known.get(this.#name(own));
      if (before === undefined) known.set(this.#name(own), own);
      else this.#note(before, own);
      return;
    }
    for (const key of known ?? []) if (this.#note(key, own)) return;
    this.#remember(index, own);
  }

  #remember(index: KeyIndex, key: number): void {
    const hash = this.#keys[key] ?? 0;
    const known = index.get(hash);
    if (known === undefined) index.set(hash, [key]);
    else if (known instanceof Map) {
      const name = this.#name(key);
      if (!known.has(name)) known.set(name, key);
    } else if (known.length < manyOfOneHash) known.push(key);
    else {
      // Keys may be crafted to share one hash: comparing each with all others would take quadratic time.
      const latestFirst = [key, ...known.toReversed()];
      index.set(hash, new Map(latestFirst.map((one) => [this.#name(one), one])));
    }
  }

  /** Notes a key where it has the name of an earlier one, and returns whether it has. */
  #note(earlier: number, own: number): boolean {
    const name = this.#name(own);
    if (name !== this.#name(earlier)) return false;
    const [firstStart = 0, start = 0, end = 0] = [earlier, own, own + 1].map(
      (key) => this.#keys[key + 1],
    );
    if (this.found.length < this.#limit)
      this.found.push({ name, range: { start, end }, firstStart });
    else this.hidden += 1;
    return true;
  }

  #name(key: number): string {
    return nameIn(this.#text, this.#keys[key + 1] ?? 0, this.#keys[key + 2] ?? 0);
  }
}

function nameIn(text: string, start: number, end: number): string {
  return JSON.parse(text.slice(start, end)) as string;
}

/** Numbers kept of a key: its hash, start and end. */
const keySize = 3;

/** Above this many keys an index pays off. */
const manyKeys = 24;

/** Keys by their hash; where many share one, by their names. */
type KeyIndex = Map<number, number[] | Map<string, number>>;

/** Up to this many keys of one hash are compared one by one. */
const manyOfOneHash = 8;
