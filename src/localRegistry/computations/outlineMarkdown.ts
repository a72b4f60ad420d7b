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

/** Names what is wrong with a document's headings. */
export function findHeadingProblems(headings: readonly Heading[]) {
  const problems = headings.flatMap(({ depth, text, line }, index) => {
    const before = headings[index - 1]?.depth ?? 0;
    const twin = headings.slice(0, index).find((one) => one.text === text && text !== "");
    return [
      ...(text === "" ? [{ line, problem: "The heading has no text." }] : []),
      ...(depth > before + 1 && index > 0
        ? [{ line, problem: `The heading jumps from level ${before} to level ${depth}.` }]
        : []),
      ...(twin === undefined ? [] : [{ line, problem: `Line ${twin.line} has the same heading.` }]),
    ];
  });
  const titles = headings.filter(({ depth }) => depth === 1);
  const second = titles[1];
  if (second !== undefined) {
    problems.push({ line: second.line, problem: "The document has more than one title." });
  }
  return problems.sort((a, b) => a.line - b.line);
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
