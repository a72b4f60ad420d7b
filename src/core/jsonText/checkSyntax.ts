import type { LocalizableText } from "../text/localizableText";
import { SyntaxReader } from "./syntaxReader";
import type { TextRange } from "./wantedPlace";

/** Why a text is not JSON, at one place. */
export interface SyntaxFinding extends TextRange {
  kind: "syntax" | "empty" | "byteOrderMark" | "comment" | "trailingComma";
  message: LocalizableText;
  /** What to write at a place so that reading could go on: a missing sign, or nothing for one too many. */
  repair?: TextRange & { text: string };
}

/** What is wrong with a text, and the same text without what can simply be left out. */
export interface SyntaxReport {
  findings: SyntaxFinding[];
  hidden: number;
  /**
   * Present when comments, trailing commas and a byte order mark are all that is wrong: the text with
   * spaces in their place, so that every offset stays what it was.
   */
  readable?: string;
}

/**
 * Says why a text is not JSON: reads on after each finding as a person would, so that several places
 * are told at once. Needs neither recursion nor memory for what it has read. Of other findings than
 * comments and trailing commas at most `limit` are listed and reading ends there.
 */
export function checkSyntax(text: string, limit: number): SyntaxReport {
  const reader = new SyntaxReader(text, limit);
  reader.read();
  const byStart = (left: TextRange, right: TextRange) => left.start - right.start;
  const report: SyntaxReport = {
    findings: reader.findings.sort(byStart),
    hidden: reader.hidden,
  };
  // A trailing comma is noticed after the comments that follow it.
  if (!reader.isBroken) report.readable = withSpacesAt(text, reader.removable.sort(byStart));
  return report;
}

function withSpacesAt(text: string, ranges: readonly TextRange[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(from, start), " ".repeat(end - start));
    from = end;
  }
  return [...pieces, text.slice(from)].join("");
}
