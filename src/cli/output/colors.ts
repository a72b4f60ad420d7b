/** The colors of states. A terminal has its own idea of each, which suits its background. */
const codes = { red: 31, green: 32, yellow: 33 } as const;
export type Color = keyof typeof codes;

/** A piece of a text, in a color or not. The word says what the color says. */
export type Piece = string | { readonly text: string; readonly color: Color };

const wordColors: Readonly<Record<string, Color>> = {
  ...{ verified: "green", low: "green" },
  ...{ submitted: "yellow", draft: "yellow", medium: "yellow" },
  ...{ deprecated: "red", rejected: "red", suspended: "red", high: "red" },
};

/** Returns the color of a verification or a permission level; undefined for a word that a registry made up. */
export function colorOf(word = ""): Color | undefined {
  return Object.hasOwn(wordColors, word) ? wordColors[word] : undefined;
}

/** What decides about colors: the variables of a terminal, and how wide it is, where it is one. */
interface ColoredTerminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns?: number | undefined;
}

/**
 * Returns whether what is written gets colors: as `FORCE_COLOR` says, else not with `NO_COLOR`, and only on a terminal
 * that knows colors. Empty variables say nothing.
 */
export function hasColors({ env, columns }: ColoredTerminal): boolean {
  const { FORCE_COLOR: forced = "", NO_COLOR: none = "", TERM: kind } = env;
  if (forced !== "") return !["0", "false"].includes(forced);
  return none === "" && columns !== undefined && kind !== "dumb";
}

/** Joins pieces, of which `clean` takes out what would steer a terminal; colors are put around what is left. */
export function colored(
  pieces: readonly Piece[],
  isColored: boolean,
  clean: (text: string) => string,
): string {
  if (!isColored) return clean(pieces.map(textOf).join(""));
  return pieces
    .map((piece) =>
      typeof piece === "string"
        ? clean(piece)
        : `\u001b[${codes[piece.color]}m${clean(piece.text)}\u001b[39m`,
    )
    .join("");
}

function textOf(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.text;
}
