import { buildProgram } from "./buildProgram";
import { LazyAutomaton } from "./lazyAutomaton";
import { type PatternNode, parsePattern } from "./parsePattern";

/** A pattern that is searched in linear time, or only the native engine's reading of it. */
export type LinearRegExp =
  | { kind: "linear"; test: (text: string) => boolean }
  | { kind: "native"; native: RegExp }
  | { kind: "malformed" };

/**
 * Reads a pattern as ECMAScript does: in unicode mode, or without where only that accepts it. Found
 * in linear time are all regular patterns, also with lookaheads at their start (`^(?=.*\d)…`); what
 * needs backtracking is handed back as a native expression, for the caller to bound or to refuse.
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

/** Compiles a pattern in unicode mode, or without where only that accepts it. Undefined where neither does. */
export function nativeRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Not accepted in this mode: the other one decides.
    }
  }
  return undefined;
}

/** `^(?=A)(?!B)C` holds where `^A` and `^C` are found and `^B` is not: three searches of their own. */
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
