import { type Assertion, type PatternNode, parsePattern } from "./parsePattern";

/** A parsed pattern: searched in linear time, left to the native engine, or malformed. */
type LinearRegExp =
  | { kind: "linear"; test: (text: string) => boolean }
  | { kind: "native"; native: RegExp }
  | { kind: "malformed" };

/**
 * Parses a pattern as ECMAScript does: in unicode mode, or without it if only that works. All regular patterns are
 * searched in linear time, even with lookaheads at their start (`^(?=.*\d)…`). A pattern that needs backtracking is
 * returned as a native expression; the caller limits or rejects it.
 */
export function linearRegExp(pattern: string): LinearRegExp {
  const native = nativeRegExp(pattern);
  if (native === undefined) return { kind: "malformed" };
  const parsed = parsePattern(pattern, native.unicode);
  const parts = parsed === undefined ? undefined : splitLookaheads(parsed);
  const tests: ((text: string) => boolean)[] = [];
  for (const { item, negated } of parts ?? []) {
    const program = buildProgram(item);
    if (program === undefined) return { kind: "native", native };
    const automaton = new LazyAutomaton(program, native.unicode);
    tests.push((text) => automaton.test(text) !== negated);
  }
  if (tests.length === 0) return { kind: "native", native };
  return { kind: "linear", test: (text) => tests.every((test) => test(text)) };
}

/** Compiles a pattern in unicode mode, or without it if only that works. Undefined if neither does. */
export function nativeRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Invalid in this mode. Try the other one.
    }
  }
  return undefined;
}

/**
 * Splits lookaheads from a pattern. `^(?=A)(?!B)C` matches if `^A` and `^C` are found and `^B` is not: three separate
 * searches.
 */
function splitLookaheads(pattern: PatternNode): { item: PatternNode; negated: boolean }[] {
  if (pattern.kind !== "sequence") return [{ item: pattern, negated: false }];
  const [first, ...others] = pattern.items;
  const isAnchored = first?.kind === "assertion" && first.holds === "start";
  if (first === undefined || !isAnchored) return [{ item: pattern, negated: false }];
  const leading = others.findIndex(({ kind }) => kind !== "lookahead");
  const looks = leading < 0 ? others : others.slice(0, leading);
  const rest = leading < 0 ? [] : others.slice(leading);
  const parts = looks.flatMap((look) =>
    look.kind === "lookahead"
      ? [{ item: sequence([first, look.item]), negated: look.negated }]
      : [],
  );
  return [...parts, { item: sequence([first, ...rest]), negated: false }];
}

function sequence(items: PatternNode[]): PatternNode {
  return { kind: "sequence", items };
}

/** A set of program states that may be active together before the next character. */
interface ActiveSet {
  states: readonly number[];
  atStart: boolean;
  afterWord: boolean;
  /** The next set, by character class. */
  next: (ActiveSet | undefined)[];
  acceptsAtEnd: boolean | undefined;
}

/** Facts for assertions about a position in the text. */
interface Surroundings {
  atStart: boolean;
  atEnd: boolean;
  afterWord: boolean;
  beforeWord: boolean;
}

/** Cache size. Beyond it, sets are rebuilt, which is slower. */
const maxActiveSets = 2000;
const accept = 0;

/**
 * Searches texts for a pattern in one pass. Makes its automaton deterministic only for the characters that occur, so
 * the time grows linearly with the text for any pattern.
 */
class LazyAutomaton {
  readonly #program: PatternProgram;
  readonly #classes: CharacterClasses;
  readonly #unicode: boolean;
  readonly #isAnchored: boolean;
  readonly #accepted: ActiveSet = newSet([accept], false, false);
  #sets = new Map<string, ActiveSet>();
  readonly #first: ActiveSet;

  constructor(program: PatternProgram, unicode: boolean) {
    this.#program = program;
    this.#classes = new CharacterClasses(program.characters, unicode);
    this.#unicode = unicode;
    this.#first = newSet([program.start], true, false);
    this.#isAnchored = [true, false].every((afterWord) =>
      [true, false].every((beforeWord) =>
        [true, false].every((atEnd) => {
          const inside = { atStart: false, atEnd, afterWord, beforeWord };
          return this.#reachable([program.start], inside).length === 0;
        }),
      ),
    );
  }

  /** Returns whether the pattern is found anywhere in the text. */
  test(text: string): boolean {
    let active = this.#first;
    for (let index = 0; index < text.length; ) {
      let code = text.charCodeAt(index);
      if (code >= 0xd800 && this.#unicode) code = text.codePointAt(index) ?? code;
      const characterClass = this.#classes.of(code);
      active = active.next[characterClass] ?? this.#step(active, characterClass);
      if (active === this.#accepted) return true;
      if (active.states.length === 0) return false;
      index += code > 0xffff ? 2 : 1;
    }
    active.acceptsAtEnd ??= this.#acceptsAtEnd(active);
    return active.acceptsAtEnd;
  }

  #step(active: ActiveSet, characterClass: number): ActiveSet {
    const { atStart, afterWord } = active;
    const character = this.#classes.all[characterClass] ?? { isWord: false, matches: [] };
    const surroundings = { atStart, atEnd: false, afterWord, beforeWord: character.isWord };
    const reachable = this.#reachable(active.states, surroundings);
    const next = reachable.includes(accept)
      ? this.#accepted
      : this.#setOf(this.#after(reachable, character), false, character.isWord);
    active.next[characterClass] = next;
    return next;
  }

  #after(reachable: readonly number[], character: CharacterClass): number[] {
    const next = new Set<number>(this.#isAnchored ? [] : [this.#program.start]);
    for (const index of reachable) {
      const state = this.#program.states[index];
      if (state?.kind === "character" && character.matches[state.character]) next.add(state.next);
    }
    return [...next].sort((left, right) => left - right);
  }

  #acceptsAtEnd({ states, atStart, afterWord }: ActiveSet): boolean {
    const surroundings = { atStart, atEnd: true, afterWord, beforeWord: false };
    return this.#reachable(states, surroundings).includes(accept);
  }

  /** Finds the accepting and character states that are reachable without consuming a character. */
  #reachable(from: readonly number[], surroundings: Surroundings): number[] {
    const seen = new Set(from);
    const reached: number[] = [];
    for (const index of seen) {
      const state = this.#program.states[index];
      if (state?.kind === "accept" || state?.kind === "character") reached.push(index);
      else if (state?.kind === "split") for (const next of state.next) seen.add(next);
      else if (state !== undefined && holds(state.holds, surroundings)) seen.add(state.next);
    }
    return reached;
  }

  #setOf(states: readonly number[], atStart: boolean, afterWord: boolean): ActiveSet {
    const key = `${states.join(",")}${atStart ? "^" : ""}${afterWord ? "w" : ""}`;
    const cached = this.#sets.get(key);
    if (cached !== undefined) return cached;
    // Clearing the cache from time to time keeps the memory bounded and the time linear.
    if (this.#sets.size >= maxActiveSets) {
      this.#sets = new Map();
      this.#first.next = [];
    }
    const created = newSet(states, atStart, afterWord);
    this.#sets.set(key, created);
    return created;
  }
}

function newSet(states: readonly number[], atStart: boolean, afterWord: boolean): ActiveSet {
  return { states, atStart, afterWord, next: [], acceptsAtEnd: undefined };
}

function holds(
  assertion: "start" | "end" | "wordBoundary" | "notWordBoundary",
  { atStart, atEnd, afterWord, beforeWord }: Surroundings,
): boolean {
  if (assertion === "start") return atStart;
  if (assertion === "end") return atEnd;
  return (afterWord !== beforeWord) === (assertion === "wordBoundary");
}

/** Characters that a pattern does not distinguish. */
interface CharacterClass {
  isWord: boolean;
  /** Whether the class matches each of the program's character sources, in their order. */
  matches: boolean[];
}

/** Characters below this code are looked up in an array, which takes half the time of a map. */
const commonCodes = 0x250;
const unknown = -1;

/**
 * Sorts characters into classes by testing each with the native engine, so that every escape and property has its
 * native meaning. To classify one character takes constant time.
 */
class CharacterClasses {
  /** The classes found so far. A class is referred to by its index. */
  readonly all: CharacterClass[] = [];
  readonly #tests: RegExp[];
  readonly #ofCommonCode = new Int32Array(commonCodes).fill(unknown);
  readonly #ofRareCode = new Map<number, number>();
  readonly #ofSignature = new Map<string, number>();

  constructor(sources: readonly string[], unicode: boolean) {
    this.#tests = sources.map((source) => new RegExp(`^(?:${source})$`, unicode ? "u" : ""));
  }

  /** Returns the class of a code point; without unicode mode, of a code unit. */
  of(code: number): number {
    const classIndex = code < commonCodes ? this.#ofCommonCode[code] : this.#ofRareCode.get(code);
    return classIndex === undefined || classIndex === unknown ? this.#classify(code) : classIndex;
  }

  #classify(code: number): number {
    const character = String.fromCodePoint(code);
    const isWord = /^\w$/.test(character);
    const matches = this.#tests.map((test) => test.test(character));
    const signature = [isWord, ...matches].map(Number).join("");
    let index = this.#ofSignature.get(signature);
    if (index === undefined) {
      index = this.all.push({ isWord, matches }) - 1;
      this.#ofSignature.set(signature, index);
    }
    if (code < commonCodes) this.#ofCommonCode[code] = index;
    else this.#ofRareCode.set(code, index);
    return index;
  }
}

/** One state of a pattern's automaton. States refer to each other by index. */
type ProgramState =
  | { kind: "character"; character: number; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "assertion"; holds: Assertion; next: number }
  | { kind: "accept" };

/** The automaton of a pattern, and the sources of the single characters in it. */
interface PatternProgram {
  states: ProgramState[];
  start: number;
  characters: string[];
}

/**
 * The maximum number of states, since the time per character grows with them. A larger pattern is left to the native
 * engine.
 */
const maxStates = 20_000;

/** Builds the automaton of a pattern; undefined if it is too large or contains a lookahead. */
function buildProgram(pattern: PatternNode): PatternProgram | undefined {
  const states: ProgramState[] = [{ kind: "accept" }];
  const characters = new Map<string, number>();
  let isTooLarge = false;

  const add = (state: ProgramState): number => {
    if (states.length >= maxStates) isTooLarge = true;
    else states.push(state);
    return states.length - 1;
  };
  // Builds from the end to the start: returns the state that leads through `node` to `next`.
  const build = (node: PatternNode, next: number): number => {
    if (isTooLarge) return 0;
    switch (node.kind) {
      case "character": {
        const character = characters.get(node.source) ?? characters.size;
        characters.set(node.source, character);
        return add({ kind: "character", character, next });
      }
      case "assertion":
        return add({ kind: "assertion", holds: node.holds, next });
      case "sequence":
        return node.items.reduceRight((after, item) => build(item, after), next);
      case "choice":
        return add({ kind: "split", next: node.options.map((option) => build(option, next)) });
      case "repeat":
        return buildRepeat(node, next);
      case "lookahead":
        isTooLarge = true;
        return 0;
    }
  };
  const buildRepeat = (node: PatternNode & { kind: "repeat" }, next: number): number => {
    let start = next;
    if (node.max === Number.POSITIVE_INFINITY) {
      const loop: { kind: "split"; next: number[] } = { kind: "split", next: [next] };
      start = add(loop);
      loop.next.push(build(node.item, start));
    } else {
      for (let count = node.min; count < node.max && !isTooLarge; count += 1) {
        start = add({ kind: "split", next: [next, build(node.item, start)] });
      }
    }
    for (let count = 0; count < node.min && !isTooLarge; count += 1) {
      const before = states.length;
      start = build(node.item, start);
      // A node that neither consumes nor asserts anything means the same at any number of repetitions.
      if (states.length === before) break;
    }
    return start;
  };

  const start = build(pattern, 0);
  return isTooLarge ? undefined : { states, start, characters: [...characters.keys()] };
}
