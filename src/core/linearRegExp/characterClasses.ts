/** The characters that a pattern cannot tell apart, as one. */
export interface CharacterClass {
  isWord: boolean;
  /** By character of the program: whether it matches. */
  matches: boolean[];
}

/** Characters below this code are looked up in an array, which takes half the time of a map. */
const commonCodes = 0x250;
const unknown = -1;

/**
 * Sorts characters into classes by what the native engine says of each alone, so that every escape
 * and property means here what it means there. One character takes constant time.
 */
export class CharacterClasses {
  /** The classes seen so far; they are named by their index. */
  readonly all: CharacterClass[] = [];
  readonly #tests: RegExp[];
  readonly #ofCommonCode = new Int32Array(commonCodes).fill(unknown);
  readonly #ofRareCode = new Map<number, number>();
  readonly #ofSignature = new Map<string, number>();

  constructor(sources: readonly string[], unicode: boolean) {
    this.#tests = sources.map((source) => new RegExp(`^(?:${source})$`, unicode ? "u" : ""));
  }

  /** The class of a code point, or of a code unit where the pattern is not in unicode mode. */
  of(code: number): number {
    const known = code < commonCodes ? this.#ofCommonCode[code] : this.#ofRareCode.get(code);
    return known === undefined || known === unknown ? this.#classify(code) : known;
  }

  #classify(code: number): number {
    const character = String.fromCodePoint(code);
    const isWord = /^\w$/.test(character);
    const matches = this.#tests.map((test) => test.test(character));
    const signature = [isWord, ...matches].map(Number).join("");
    let found = this.#ofSignature.get(signature);
    if (found === undefined) {
      found = this.all.push({ isWord, matches }) - 1;
      this.#ofSignature.set(signature, found);
    }
    if (code < commonCodes) this.#ofCommonCode[code] = found;
    else this.#ofRareCode.set(code, found);
    return found;
  }
}
