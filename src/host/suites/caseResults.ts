import * as vscode from "vscode";
import type { JsonValue } from "../../core/json/jsonValue";
import { printJson } from "../../core/json/printJson";
import {
  jsonRanges,
  lineStartsOf,
  type PayloadProblem,
  positionIn,
} from "../../core/payload/payloadCheck";
import { casePointer, type Verdict } from "../../core/suite/runSuite";
import type { CaseProblem } from "../../core/suite/suite";
import { oneLine, revealHidden } from "../../core/text/plainText";

/** So many problems of one case, and so much of a value in a comparison, are shown. */
const maxMessages = 20;
const maxShown = 200_000;

/** A case that has run, with the text of its suite. */
interface RanCase {
  readonly item: vscode.TestItem;
  readonly index: number;
  readonly verdict: Verdict;
  readonly text: string;
  readonly uri: vscode.Uri;
}

/** Tells the Test Explorer how a case went, each problem at its place in the suite. */
export function reportCase(
  run: vscode.TestRun,
  { item, index, verdict: { kind, problems }, text, uri }: RanCase,
  milliseconds: number,
): void {
  const path = oneLine(vscode.workspace.asRelativePath(uri));
  const name = oneLine(item.label, 200);
  if (problems.length === 0) {
    run.appendOutput(`${path}: ${name}: good\r\n`, undefined, item);
    run.passed(item, milliseconds);
    return;
  }
  const ranges = rangesIn(
    text,
    problems.map((problem) => casePointer(index, problem)),
  );
  const messages = problems.slice(0, maxMessages).map((problem) => {
    const range = ranges.get(casePointer(index, problem));
    const message = messageOf(problem);
    if (range !== undefined) message.location = new vscode.Location(uri, range);
    return message;
  });
  for (const { message } of problems) {
    run.appendOutput(`${path}: ${name}: ${oneLine(message, 1000)}\r\n`, undefined, item);
  }
  if (kind === "unknown") run.errored(item, messages, milliseconds);
  else run.failed(item, messages, milliseconds);
}

/** With two values the editor shows their difference. */
function messageOf({ message, expected, actual }: CaseProblem): vscode.TestMessage {
  const words = revealHidden(oneLine(message, 1000));
  if (expected === undefined || actual === undefined) return new vscode.TestMessage(words);
  return vscode.TestMessage.diff(words, printed(expected), printed(actual));
}

function printed(value: JsonValue): string {
  return printJson(value, { maxLength: maxShown, indent: 2 }).text;
}

/** Says what is wrong in a suite that cannot be read. */
export function brokenMessage(
  problem: PayloadProblem,
  text: string,
  uri: vscode.Uri,
): vscode.TestMessage {
  const message = new vscode.TestMessage(revealHidden(problem.message));
  const { start, end } = problem.mark ?? problem;
  message.location = new vscode.Location(uri, rangeOf(lineStartsOf(text), start, end));
  return message;
}

/** Finds where JSON pointers of a text stand. */
export function rangesIn(
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, vscode.Range> {
  const lines = lineStartsOf(text);
  const ranges = jsonRanges(text, [...new Set(pointers)]);
  return new Map(
    [...ranges].map(([pointer, { start, end }]) => [pointer, rangeOf(lines, start, end)]),
  );
}

function rangeOf(lines: ReturnType<typeof lineStartsOf>, start: number, end: number): vscode.Range {
  const [from, to] = [positionIn(lines, start), positionIn(lines, end)];
  return new vscode.Range(from.line, from.character, to.line, to.character);
}
