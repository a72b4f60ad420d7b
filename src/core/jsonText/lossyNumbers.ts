import { isWholeLiteral, readLossily } from "./readLossily";
import type { TextRange } from "./wantedPlace";

/** A number that is read as another one. */
export interface LossyNumber {
  range: TextRange;
  readAs: string;
}

/** Collects the numbers of a text that lose digits when they are read; the list is bounded. */
export class LossyNumbers {
  readonly #text: string;
  readonly #limit: number;
  readonly found: LossyNumber[] = [];
  /** All of them as they are read, and whether every literal that is read as this has no fraction. */
  readonly readAs = new Map<number, boolean>();
  hidden = 0;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  /** Looks at the number between two offsets. */
  note(start: number, end: number): void {
    if (end - start <= 15 && !this.#hasExponent(start, end)) return;
    const literal = this.#text.slice(start, end);
    const readAs = readLossily(literal);
    if (readAs === undefined) return;
    const number = Number(literal);
    this.readAs.set(number, isWholeLiteral(literal) && this.readAs.get(number) !== false);
    if (this.found.length < this.#limit) this.found.push({ range: { start, end }, readAs });
    else this.hidden += 1;
  }

  #hasExponent(start: number, end: number): boolean {
    for (let at = start + 1; at < end; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x65 || code === 0x45) return true;
    }
    return false;
  }
}
