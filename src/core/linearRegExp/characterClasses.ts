/** The characters that a pattern cannot tell apart, as one. */
export interface CharacterClass {
  /** Number of the class, from 0 in the order of first sight. */
  id: number;
  isWord: boolean;
  /** By character of the program: whether it matches. */
  matches: boolean[];
}

/** Characters below this code are looked up in an array, which takes half the time of a map. */
const commonCodes = 0x250;

/**
 * Sorts characters into classes by what the native engine says of each alone, so that every escape
 * and property means here what it means there. One character takes constant time.
 */
export class CharacterClasses {
  readonly #tests: RegExp[];
  readonly #byCommonCode: (CharacterClass | undefined)[] = [];
  readonly #byRareCode = new Map<number, CharacterClass>();
  readonly #bySignature = new Map<string, CharacterClass>();

  constructor(sources: readonly string[], unicode: boolean) {
    this.#tests = sources.map((source) => new RegExp(`^(?:${source})$`, unicode ? "u" : ""));
  }

  /** The class of a code point, or of a code unit where the pattern is not in unicode mode. */
  of(code: number): CharacterClass {
    return (
      (code < commonCodes ? this.#byCommonCode[code] : this.#byRareCode.get(code)) ??
      this.#classify(code)
    );
  }

  #classify(code: number): CharacterClass {
    const character = String.fromCodePoint(code);
    const isWord = /^\w$/.test(character);
    const matches = this.#tests.map((test) => test.test(character));
    const signature = [isWord, ...matches].map(Number).join("");
    const found = this.#bySignature.get(signature) ?? {
      id: this.#bySignature.size,
      isWord,
      matches,
    };
    this.#bySignature.set(signature, found);
    if (code < commonCodes) this.#byCommonCode[code] = found;
    else this.#byRareCode.set(code, found);
    return found;
  }
}
