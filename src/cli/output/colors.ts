/** The escape codes of the colors for states. They select the terminal's own shades, which suit its background. */
const codes = { red: 31, green: 32, yellow: 33 } as const;
export type Color = keyof typeof codes;

/** A part of a text, with or without a color. Its words alone give the same information. */
export type Piece = string | { readonly text: string; readonly color: Color };

const wordColors: Readonly<Record<string, Color>> = {
  ...{ verified: "green", low: "green" },
  ...{ submitted: "yellow", draft: "yellow", medium: "yellow" },
  ...{ deprecated: "red", rejected: "red", suspended: "red", high: "red" },
};

/** Returns the color of a verification or a permission level; undefined for a registry's own words. */
export function colorOf(word = ""): Color | undefined {
  return Object.hasOwn(wordColors, word) ? wordColors[word] : undefined;
}

/** The facts that decide about colors: environment variables and the width of the terminal, if it is one. */
interface ColoredTerminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns?: number | undefined;
}

/**
 * Returns whether output has colors. `FORCE_COLOR` decides first, then `NO_COLOR`; else a terminal that supports colors
 * has them. Empty variables count as unset.
 */
export function hasColors({ env, columns }: ColoredTerminal): boolean {
  const { FORCE_COLOR: forced = "", NO_COLOR: none = "", TERM: kind } = env;
  if (forced !== "") return !["0", "false"].includes(forced);
  return none === "" && columns !== undefined && kind !== "dumb";
}

/** Joins pieces. `clean` first removes control sequences from each, then colors are added. */
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
