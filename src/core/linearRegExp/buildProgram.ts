import type { Assertion, PatternNode } from "./parsePattern";

/** One state of the automaton of a pattern; states are named by their index. */
type ProgramState =
  | { kind: "character"; character: number; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "assertion"; holds: Assertion; next: number }
  | { kind: "accept" };

/** The automaton of a pattern, and the sources of the single characters it asks for. */
export interface PatternProgram {
  states: ProgramState[];
  start: number;
  characters: string[];
}

const maxStates = 20_000;

/** Builds the automaton of a pattern; nothing when it is too large or has a lookahead in it. */
export function buildProgram(pattern: PatternNode): PatternProgram | undefined {
  const states: ProgramState[] = [{ kind: "accept" }];
  const characters = new Map<string, number>();
  let isTooMuch = false;

  const add = (state: ProgramState): number => {
    if (states.length >= maxStates) isTooMuch = true;
    else states.push(state);
    return states.length - 1;
  };
  // Builds from the end to the start: gives the state that leads through `node` on to `next`.
  const build = (node: PatternNode, next: number): number => {
    if (isTooMuch) return 0;
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
        isTooMuch = true;
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
      for (let count = node.min; count < node.max && !isTooMuch; count += 1) {
        start = add({ kind: "split", next: [next, build(node.item, start)] });
      }
    }
    for (let count = 0; count < node.min && !isTooMuch; count += 1) {
      const before = states.length;
      start = build(node.item, start);
      // What takes no character and asks nothing is the same however often it is repeated.
      if (states.length === before) break;
    }
    return start;
  };

  const start = build(pattern, 0);
  return isTooMuch ? undefined : { states, start, characters: [...characters.keys()] };
}
