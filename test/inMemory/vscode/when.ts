/** Looks up a term of a `when` clause. */
export type ContextKeys = (key: string) => unknown;

/** Evaluates a `when` clause of a manifest. Throws for unsupported syntax. */
export function isTrue(clause: string | undefined, keys: ContextKeys): boolean {
  if (clause === undefined || clause.trim() === "") return true;
  const tokens = clause.match(
    /\s*(\|\||&&|==|!=|=~|!|\(|\)|\/(?:\\.|[^/\\])+\/[a-z]*|'[^']*'|[^\s()!=|&]+)/g,
  );
  const reader = new Reader(
    (tokens ?? []).map((token) => token.trim()),
    keys,
  );
  const value = reader.either();
  if (!reader.isDone) throw new Error(`This \`when\` clause is not understood: ${clause}`);
  return value;
}

class Reader {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly keys: ContextKeys,
  ) {}

  get isDone(): boolean {
    return this.at === this.tokens.length;
  }

  either(): boolean {
    let value = this.both();
    while (this.take("||")) {
      const other = this.both();
      value ||= other;
    }
    return value;
  }

  private both(): boolean {
    let value = this.one();
    while (this.take("&&")) {
      const other = this.one();
      value &&= other;
    }
    return value;
  }

  private one(): boolean {
    if (this.take("!")) return !this.one();
    if (this.take("(")) {
      const value = this.either();
      if (!this.take(")")) throw new Error("A parenthesis is not closed.");
      return value;
    }
    const name = this.next();
    if (name === "true" || name === "false") return name === "true";
    const value = this.keys(name);
    if (this.take("==")) return String(value) === bare(this.next());
    if (this.take("!=")) return String(value) !== bare(this.next());
    if (this.take("=~")) return pattern(this.next()).test(String(value ?? ""));
    if (this.take("in")) return isIn(value, this.keys(this.next()));
    if (this.take("not")) {
      if (!this.take("in")) throw new Error("`not` without `in`.");
      return !isIn(value, this.keys(this.next()));
    }
    return Boolean(value);
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw new Error("A `when` clause ends too early.");
    this.at += 1;
    return token;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }
}

function bare(text: string): string {
  return text.replace(/^'(.*)'$/, "$1");
}

function pattern(text: string): RegExp {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/.exec(text) ?? [];
  return new RegExp(source, flags);
}

function isIn(value: unknown, all: unknown): boolean {
  if (Array.isArray(all)) return all.includes(value);
  return typeof all === "object" && all !== null && String(value) in all;
}
