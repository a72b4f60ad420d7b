import GithubSlugger from "github-slugger";
import { Lexer, type Token } from "marked";

/** A heading of a document. `line` counts from 1. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
  /** The part of a link after #, as code hosts make it. */
  readonly anchor: string;
  readonly line: number;
}

/** Reads the headings, links and code blocks of Markdown (CommonMark with tables). */
export function outlineMarkdown(markdown: string) {
  const tokens = new Lexer().lex(markdown);
  const anchors = new GithubSlugger();
  const headings: Heading[] = [];
  let line = 1;
  for (const token of tokens) {
    if (token.type === "heading") {
      const text = plainText(token.tokens ?? []).trim();
      headings.push({ depth: Number(token["depth"]), text, anchor: anchors.slug(text), line });
    }
    line += token.raw.split("\n").length - 1;
  }
  return { headings, links: findLinks(tokens), codeBlocks: countCodeBlocks(tokens) };
}

/** Names what is wrong with a document's headings, in the order of the document. */
export function findHeadingProblems(headings: readonly Heading[]) {
  const firstLines = new Map<string, number>();
  let titles = 0;
  return headings.flatMap(({ depth, text, line }, index) => {
    const before = headings[index - 1]?.depth ?? depth;
    const twin = firstLines.get(text);
    if (twin === undefined) firstLines.set(text, line);
    if (depth === 1) titles += 1;
    const problems = [
      text === "" && "The heading has no text.",
      depth > before + 1 && `The heading jumps from level ${before} to level ${depth}.`,
      text !== "" && twin !== undefined && `Line ${twin} has the same heading.`,
      depth === 1 && titles === 2 && "This is a second title; a document has one.",
    ];
    return problems.flatMap((problem) => (problem === false ? [] : [{ line, problem }]));
  });
}

/** Writes headings as a nested Markdown list of links. */
export function writeContents(headings: readonly Heading[]): string {
  const top = Math.min(...headings.map(({ depth }) => depth));
  return headings
    .map(({ depth, text, anchor }) => `${"  ".repeat(depth - top)}- [${text}](#${anchor})`)
    .join("\n");
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => textOf(token)).join("");
}

function textOf(token: Token): string {
  const inner = childrenOf(token);
  if (inner.length > 0) return plainText(inner);
  return token.type === "html" || !("text" in token) ? "" : String(token["text"]);
}

function findLinks(tokens: readonly Token[]): { text: string; target: string }[] {
  return tokens.flatMap((token) =>
    token.type === "link"
      ? [{ text: textOf(token), target: String(token["href"]) }]
      : findLinks(childrenOf(token)),
  );
}

function countCodeBlocks(tokens: readonly Token[]): number {
  const counts = tokens.map((token) =>
    token.type === "code" ? 1 : countCodeBlocks(childrenOf(token)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === "list") return token["items"] as readonly Token[];
  return "tokens" in token ? (token.tokens ?? []) : [];
}
