import type { SkillRun } from "../skillRun";

interface Input {
  readonly sql: string;
  readonly dialect?: "postgresql" | "mysql" | "sqlite" | "transactsql";
  readonly keywordCase?: "upper" | "lower" | "preserve";
  readonly indent?: number;
}

/** Formats SQL statements: one clause per line, its content indented below. Executes and validates nothing. */
export const run: SkillRun<Input> = ({
  sql,
  dialect = "postgresql",
  keywordCase = "upper",
  indent = 2,
}) => {
  const layout = new Layout(indent);
  const tokens = tokensOf(sql, dialect).map((text) => casedAs(text, keywordCase));
  for (let at = 0; at < tokens.length; ) at += layout.add(tokens, at);
  const laidOut = layout.text;
  return { sql: laidOut, lines: laidOut.split("\n").length };
};

const parts = {
  lineComment: /--[^\n]*/u,
  hashComment: /#[^\n]*/u,
  comment: /\/\*[\s\S]*?(?:\*\/|$)/u,
  text: /'(?:[^']|'')*(?:'|$)/u,
  escapedText: /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)/u,
  name: /"[^"]*(?:"|$)|`[^`]*(?:`|$)/u,
  bracketName: /\[[^\]]*(?:\]|$)/u,
  number: /\d+(?:\.\d+)?/u,
  word: /[\p{L}_@$][\p{L}\p{N}_@$]*/u,
  operator: /::|<=|>=|<>|!=|\|\||->>?/u,
  other: /\S/u,
};

function tokensOf(sql: string, dialect: NonNullable<Input["dialect"]>): readonly string[] {
  const { lineComment, hashComment, comment, text, escapedText, name, bracketName } = parts;
  const { number, word, operator, other } = parts;
  const isMysql = dialect === "mysql";
  const kinds = [
    lineComment,
    ...(isMysql ? [hashComment] : []),
    comment,
    isMysql ? escapedText : text,
    name,
    ...(dialect === "transactsql" ? [bracketName] : []),
    number,
    word,
    operator,
    other,
  ];
  const pattern = new RegExp(kinds.map(({ source }) => source).join("|"), "gu");
  return sql.match(pattern) ?? [];
}

const keywords = new Set(
  `all and any as asc between by case check create cross current_date current_timestamp default delete
desc distinct drop else end except exists false fetch from full group having if ilike in index inner insert
intersect into is join key lateral left like limit natural not null nulls offset on or order outer over
partition primary recursive references returning right select set table then top true union unique update
using values view when where with`.split(/\s+/),
);
const functions = new Set(
  `abs avg cast ceil coalesce concat count date_trunc extract floor greatest least length lower max min
nullif now rank replace round row_number substring sum trim upper`.split(/\s+/),
);

function casedAs(token: string, to: NonNullable<Input["keywordCase"]>): string {
  const word = token.toLowerCase();
  if (to === "preserve" || !(keywords.has(word) || functions.has(word))) return token;
  return to === "upper" ? token.toUpperCase() : word;
}

/** Clauses that start a line, with their content below it; longer ones first. */
const clauses: readonly (readonly string[])[] = [
  ["union", "all"],
  ["insert", "into"],
  ["delete", "from"],
  ["group", "by"],
  ["order", "by"],
  ...[
    "with",
    "select",
    "from",
    "where",
    "having",
    "limit",
    "offset",
    "values",
    "update",
    "set",
  ].map((word) => [word]),
  ...["union", "intersect", "except", "returning"].map((word) => [word]),
];
const joins = ["join", "inner", "left", "right", "full", "cross", "natural"];
const closeBefore = [",", ";", ")", ".", "::", "]"];
const closeAfter = ["(", ".", "::", "["];

/** An open parenthesis: of a subquery, or one whose content stays on its line. */
interface Open {
  readonly isQuery: boolean;
  readonly base: number;
}

class Layout {
  private readonly lines: string[] = [];
  private line = "";
  private last = "";
  /** The indentation of the clauses; their content is one level deeper. */
  private base = 0;
  private open: Open[] = [];
  private isBetween = false;
  private clause = "";

  constructor(private readonly indent: number) {}

  get text(): string {
    return [...this.lines, this.line].join("\n").trim();
  }

  /** Adds the token at an index, or the clause that starts there. Returns the number of added tokens. */
  add(tokens: readonly string[], at: number): number {
    const token = tokens[at] ?? "";
    const word = token.toLowerCase();
    const isInline = this.open.at(-1)?.isQuery === false;
    const clause = isInline ? undefined : clauseAt(tokens, at);
    if (clause !== undefined) {
      this.clause = clause.join(" ");
      this.startLine(this.base);
      for (const part of tokens.slice(at, at + clause.length)) this.write(part);
      this.startLine(this.base + 1);
      return clause.length;
    }
    const isJoin = joins.includes(word) && !joins.includes(this.last.toLowerCase());
    const isCondition = (word === "and" && !this.isBetween) || word === "or";
    if (!isInline && ((isJoin && this.last !== "") || isCondition)) this.startLine(this.base + 1);
    if (word === "between") this.isBetween = true;
    else if (word === "and") this.isBetween = false;
    if (token === ")") this.close();
    this.write(token);
    if (token === "(") this.enter(tokens[at + 1]);
    else if (token === ";") this.endStatement();
    else if (token.startsWith("--") || (token === "," && !isInline)) this.startLine(this.base + 1);
    return 1;
  }

  private enter(next = ""): void {
    const isQuery = ["select", "with"].includes(next.toLowerCase());
    this.open.push({ isQuery, base: this.base });
    if (isQuery) this.base += 2;
  }

  private close(): void {
    const open = this.open.pop();
    if (open?.isQuery !== true) return;
    this.base = open.base;
    this.startLine(this.base + 1);
  }

  private endStatement(): void {
    this.startLine(0);
    this.lines.push("");
    this.base = 0;
    this.open = [];
  }

  private startLine(level: number): void {
    if (this.line.trim() !== "") this.lines.push(this.line);
    this.line = " ".repeat(level * this.indent);
  }

  private write(token: string): void {
    const isFirst = this.line.trim() === "";
    const isName = /^[\p{L}_"`]/u.test(this.last) && !keywords.has(this.last.toLowerCase());
    const isCall = token === "(" && isName && this.clause !== "insert into";
    const isClose = closeBefore.includes(token) || closeAfter.includes(this.last) || isCall;
    this.line += isFirst || isClose ? token : ` ${token}`;
    this.last = token;
  }
}

function clauseAt(tokens: readonly string[], at: number): readonly string[] | undefined {
  return clauses.find((clause) =>
    clause.every((word, index) => tokens[at + index]?.toLowerCase() === word),
  );
}
