import { RequestedRange, scanJson } from "../../json/scanJson";
import type { TextRange } from "../../json/token";
import { applyEdits, insertMembers, readContainer, type TextEdit, textStyle } from "./textEdit";

type Steps = readonly (string | number)[];

/** The default indentation, the same as the editor uses for a new payload. */
const usualIndent = "  ";

/**
 * Finds the range of each value in a JSON text. `all` has the steps to each: member names, and numbers for items. A
 * missing value has no range.
 */
export function rangesOf(text: string, all: readonly Steps[]): (TextRange | undefined)[] {
  const root = new RequestedRange();
  const requested = all.map((steps) => steps.reduce((range, step) => range.below(step), root));
  scanJson(text, root, 0);
  return requested.map(({ value }) => value);
}

/** Replaces a value by JSON, or inserts it if missing. Creates missing parents. */
export function putJson(text: string, steps: Steps, json: string): string {
  const depths = Array.from({ length: steps.length + 1 }, (_, depth) => steps.slice(0, depth));
  const ranges = rangesOf(text, depths);
  const own = ranges.at(-1);
  if (own !== undefined) return applyEdits(text, [{ ...own, text: json }]);
  const depth = ranges.findLastIndex((range) => range !== undefined);
  const inside = ranges[depth];
  const [step = "", ...below] = steps.slice(depth);
  const wrapped = below.reduceRight<string>(
    (inner, name) => (typeof name === "number" ? `[${inner}]` : `{${member(name, inner)}}`),
    json,
  );
  const container = inside && readContainer(text, inside.start, Number.POSITIVE_INFINITY);
  // A parent exists, but is neither object nor list.
  if (container === undefined) return text;
  const write = () => member(step, wrapped);
  const last = container.members.length - 1;
  const edit = insertMembers(text, container, last, [write], textStyle(text, usualIndent));
  return applyEdits(text, [edit]);
}

function member(step: string | number, json: string): string {
  return typeof step === "number" ? json : `${JSON.stringify(step)}: ${json}`;
}

/** Removes a member or an item and its comma. */
export function removeJson(text: string, steps: Steps): string {
  const [around] = rangesOf(text, [steps.slice(0, -1)]);
  const container = around && readContainer(text, around.start, Number.POSITIVE_INFINITY);
  const step = steps.at(-1);
  if (container?.close === undefined || step === undefined) return text;
  const { open, close, members } = container;
  const at = typeof step === "number" ? step : members.findLastIndex(({ name }) => name === step);
  const [before, member, after] = [members[at - 1], members[at], members[at + 1]];
  if (member === undefined) return text;
  const edit: TextEdit =
    after !== undefined
      ? { start: member.start, end: after.start, text: "" }
      : before !== undefined
        ? { start: before.end, end: member.end, text: "" }
        : { start: open + 1, end: close, text: "" };
  return applyEdits(text, [edit]);
}
