/** A fixed text in a source: a string literal, or the part between two placeholders of a template. */
export interface Literal {
  readonly text: string;
  /** 1 for the first. */
  readonly line: number;
  /** The code before the literal on its line or the previous line, with single spaces. */
  readonly before: string;
}

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[`{}]|(?<=[(,=:[!&|?;{}+]\s*|\breturn\s+)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** Lists the fixed texts of a TypeScript source in order, without comments and regular expressions. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  /** For each open brace, whether it belongs to a template's placeholder. */
  const braces: boolean[] = [];
  const note = (text: string, start: number) => {
    const before = source.slice(Math.max(0, start - 120), start).replaceAll(/\s+/g, " ");
    found.push({ text, line: source.slice(0, start).split("\n").length, before });
  };
  const template = (from: number): number => {
    let at = from;
    while (at < source.length && source[at] !== "`" && !source.startsWith("${", at)) {
      at += source[at] === "\\" ? 2 : 1;
    }
    note(source.slice(from, at), from - 1);
    if (source[at] === "`") return at + 1;
    braces.push(true);
    return at + 2;
  };
  token.lastIndex = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [text] = match;
    if (/^["']/.test(text)) note(text.slice(1, -1), match.index);
    else if (text === "`") token.lastIndex = template(match.index + 1);
    else if (text === "{") braces.push(false);
    else if (text === "}" && braces.pop() === true) token.lastIndex = template(match.index + 1);
  }
  return found;
}
