import type { TextRange } from "./scanJson";

/** A property that an object names twice: where it is named again, and where it was first. */
export interface DuplicateKey {
  name: string;
  range: TextRange;
  firstStart: number;
}

/**
 * Notices keys that occur twice in one object of a text, in the order a scan meets them. Compares
 * hashes first and the keys only where two hashes are the same, so that hardly any key is copied.
 */
export class DuplicateKeys {
  readonly #text: string;
  readonly #limit: number;
  /** Hash and start of each key of all open objects in turn, innermost last, up to `#top`. */
  #keys = new Int32Array(1024);
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

  /** Adds a key of the innermost object. Its range includes the quotes; `hash` is of its characters. */
  add(start: number, end: number, hash: number): void {
    const first = this.#firsts[this.#depth - 1] ?? 0;
    if (this.#top - first > 2 * manyKeys) this.#compareWithMany(first, start, end, hash);
    else {
      const keys = this.#keys;
      for (let at = first; at < this.#top; at += 2) {
        if (keys[at] === hash && this.#note(keys[at + 1] ?? 0, start, end)) break;
      }
    }
    if (this.#top + 2 > this.#keys.length) this.#grow();
    this.#keys[this.#top] = hash;
    this.#keys[this.#top + 1] = start;
    this.#top += 2;
  }

  /** Adds a key that is written with escapes, by what they stand for. */
  addEscaped(start: number, end: number): void {
    const name = JSON.parse(this.#text.slice(start, end)) as string;
    let hash = 0;
    for (let at = 0; at < name.length; at += 1) hash = nextHash(hash, name.charCodeAt(at));
    this.add(start, end, hash);
  }

  #grow(): void {
    const larger = new Int32Array(this.#keys.length * 2);
    larger.set(this.#keys);
    this.#keys = larger;
  }

  #compareWithMany(first: number, start: number, end: number, hash: number): void {
    let index = this.#indexes[this.#depth - 1];
    if (index === undefined) {
      index = new Map();
      this.#indexes[this.#depth - 1] = index;
      for (let at = first; at < this.#top; at += 2) {
        remember(index, this.#keys[at] ?? 0, this.#keys[at + 1] ?? 0, this.#text);
      }
    }
    const known = index.get(hash);
    if (known instanceof Map) {
      const name = stringAt(this.#text, start);
      const first = known.get(name);
      if (first === undefined) known.set(name, start);
      else this.#note(first, start, end);
      return;
    }
    for (const one of known ?? []) if (this.#note(one, start, end)) return;
    remember(index, hash, start, this.#text);
  }

  #note(firstStart: number, start: number, end: number): boolean {
    const name = JSON.parse(this.#text.slice(start, end)) as string;
    if (name !== stringAt(this.#text, firstStart)) return false;
    if (this.found.length < this.#limit)
      this.found.push({ name, range: { start, end }, firstStart });
    else this.hidden += 1;
    return true;
  }
}

/** Adds one code to the hash of a property's name. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** Above this many keys an index pays off. */
const manyKeys = 24;

/** Starts of keys by their hash; where many share one, by their names. */
type KeyIndex = Map<number, number[] | Map<string, number>>;

/** So many keys of one hash are compared one by one. */
const manyOfOneHash = 8;

function remember(index: KeyIndex, hash: number, start: number, text: string): void {
  const known = index.get(hash);
  if (known === undefined) index.set(hash, [start]);
  else if (known instanceof Map) {
    const name = stringAt(text, start);
    if (!known.has(name)) known.set(name, start);
  } else if (known.length < manyOfOneHash) known.push(start);
  else {
    // Somebody chose names of one hash: comparing each with all would take for ever.
    const latestFirst = [start, ...known.toReversed()];
    index.set(hash, new Map(latestFirst.map((one) => [stringAt(text, one), one])));
  }
}

function stringAt(text: string, start: number): string {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return JSON.parse(text.slice(start, end + 1)) as string;
}
