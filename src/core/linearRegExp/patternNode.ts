/** A regular expression as a tree, without what only matters for captures. */
export type PatternNode =
  /** One character, as the source of a regular expression that matches exactly one. */
  | { kind: "character"; source: string }
  | { kind: "sequence"; items: PatternNode[] }
  | { kind: "choice"; options: PatternNode[] }
  | { kind: "repeat"; item: PatternNode; min: number; max: number }
  | { kind: "assertion"; holds: Assertion }
  | { kind: "lookahead"; item: PatternNode; negated: boolean };

/** What an assertion asks of the place between two characters. */
export type Assertion = "start" | "end" | "wordBoundary" | "notWordBoundary";
