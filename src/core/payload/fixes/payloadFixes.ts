import type { JsonValue } from "../../json/jsonValue";
import { l10nText } from "../../text/language";
import type { PayloadProblem, PayloadProblemData } from "../payloadCheck";
import {
  changeTo,
  choice,
  type FixAll,
  type FixesRequest,
  type FixesResult,
  type FixInput,
  maxOfferedValues,
  type PayloadFix,
  schemaLookup,
  titleText,
} from "./payloadFix";
import { syntaxFixes, textFixes } from "./syntaxFixes";
import {
  type ContainerText,
  indentedJson,
  lineIndent,
  readContainer,
  removeMember,
  type TextEdit,
  type TextStyle,
  textStyle,
  withoutOverlaps,
} from "./textEdit";
import { conversionFixes, limitFixes, repeatedItemFixes, textFormFixes } from "./valueFixes";

const maxRenames = 3;

/** A longer value may have been cut before it got here. */
const maxWholeValue = 900;

/** Lists the quick fixes of one problem, the likeliest first. Empty where none is known. */
export function payloadFixes(input: FixInput, problem: PayloadProblem): PayloadFix[] {
  return fixesFor(input, problem).filter(({ edits }) => edits.length > 0);
}

function fixesFor(input: FixInput, problem: PayloadProblem): PayloadFix[] {
  const { data } = problem;
  if (data === undefined) return [];
  switch (data.kind) {
    case "missingProperty":
      return missingFixes(input, problem, data.name);
    case "unknownProperty":
      return unknownFixes(input, problem, data.name, data.didYouMean);
    case "wrongType": {
      const { itemTypes } = input.schemaAt(problem.schemaPointer);
      return conversionFixes(input.text, problem, data.expected, itemTypes);
    }
    case "allowedValues":
      return allowedValueFixes(input, problem, data);
    case "limit":
      return limitFixes(input, problem, data.limit);
    case "textForm":
      return textFormFixes(input, problem);
    case "repeatedItem":
      return repeatedItemFixes(input.text, problem);
    case "credential":
      return credentialFixes(input.text, problem);
    case "syntax":
      return syntaxFixes(input.text, problem, data.repair);
    default:
      return textFixes(input.text, problem, data);
  }
}

/** Lists the missing names of the object that a problem is about, in the order they were found. */
function missingNames({ problems }: FixInput, { start, pointer }: PayloadProblem): string[] {
  return problems.flatMap((other) =>
    other.data?.kind === "missingProperty" && other.start === start && other.pointer === pointer
      ? [other.data.name]
      : [],
  );
}

function missingFixes(input: FixInput, problem: PayloadProblem, name: string): PayloadFix[] {
  const { text, schemaAt } = input;
  const { names, sampleOf } = schemaAt(problem.schemaPointer);
  const style = textStyle(text);
  const add = (added: readonly string[]) => {
    const members = added.map((one) => ({ name: one, value: sampleOf(one).value }));
    return addMembers(text, problem.start, members, names, style);
  };
  const missing = missingNames(input, problem);
  const one = choice(l10nText("Add {name}", { name: nameText(name) }), ...add([name]));
  return missing.length < 2
    ? [{ ...one, isPreferred: true, isUnambiguous: sampleOf(name).isGiven }]
    : [
        {
          ...choice(
            l10nText("Add all {count} that are missing", { count: missing.length }),
            ...add(missing),
          ),
          isPreferred: true,
        },
        { ...one, isUnambiguous: sampleOf(name).isGiven },
      ];
}

function unknownFixes(
  input: FixInput,
  { start, end, pointer }: PayloadProblem,
  name: string,
  didYouMean: string | undefined,
): PayloadFix[] {
  const remove = choice(
    l10nText("Remove {name}", { name: nameText(name) }),
    removeMember(input.text, start),
  );
  const renameTo = (other: string) => {
    const edit = { start, end, text: JSON.stringify(other) };
    return choice(l10nText("Rename to {name}", { name: nameText(other) }), edit);
  };
  const parent = pointer.slice(0, pointer.lastIndexOf("/"));
  if (didYouMean === undefined) return [remove, ...missingBeside(input, parent).map(renameTo)];
  const others = input.problems.filter(
    (other) =>
      other.data?.kind === "unknownProperty" &&
      other.data.didYouMean === didYouMean &&
      other.pointer.slice(0, other.pointer.lastIndexOf("/")) === parent,
  );
  return [{ ...renameTo(didYouMean), isPreferred: true, isUnambiguous: others.length < 2 }, remove];
}

/** A few of the names that the object at a pointer misses. The unknown name may be a misspelled one of these. */
function missingBeside({ problems }: FixInput, object: string): string[] {
  const missing = problems.flatMap(({ data, pointer }) =>
    data?.kind === "missingProperty" && pointer === object ? [data.name] : [],
  );
  return [...new Set(missing)].slice(0, maxRenames);
}

function allowedValueFixes(
  { text }: FixInput,
  { start, end }: PayloadProblem,
  { values, total, nearest }: Extract<PayloadProblemData, { kind: "allowedValues" }>,
): PayloadFix[] {
  const whole = values.filter((value) => value.length < maxWholeValue);
  const meant = nearest ?? sameInOtherType(text.slice(start, end), whole);
  const first = meant !== undefined && whole.includes(meant) ? [meant] : [];
  const ordered = [...new Set([...first, ...whole])].slice(0, maxOfferedValues);
  return ordered.map((value) => {
    const fix = choice(changeTo(value), { start, end, text: value });
    const isSure = value === meant || total === 1;
    return { ...fix, isPreferred: isSure, isUnambiguous: isSure };
  });
}

/** Empties the whole string: of a key that spans several lines, only the first line is recognized. */
function credentialFixes(text: string, { start }: PayloadProblem): PayloadFix[] {
  for (const { index, 0: quoted, 1: colon } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)) {
    const end = index + quoted.length;
    if (end <= start) continue;
    if (index > start || colon !== undefined) return [];
    return [choice(l10nText("Remove the credential"), { start: index, end, text: '""' })];
  }
  return [];
}

function nameText(name: string): string {
  return `"${titleText(name)}"`;
}

/** `"5"` where 5 is allowed, or 5 where `"5"` is. */
function sameInOtherType(literal: string, values: readonly string[]): string | undefined {
  const quoted = JSON.stringify(literal);
  return values.find((value) => value === quoted || JSON.stringify(value) === literal);
}

/** Finds the requested fixes of a text that was checked against a schema. */
export function findFixes(
  { text, problems, indexes, includesAll }: FixesRequest,
  schema: JsonValue | undefined,
): FixesResult {
  const input = { text, problems, schemaAt: schemaLookup(schema) };
  const fixes = indexes.map((index) => {
    const problem = problems[index];
    return problem === undefined ? [] : payloadFixes(input, problem);
  });
  return { fixes, all: includesAll ? fixAllProblems(input) : { edits: [], count: 0 } };
}

/**
 * Gathers the edits for every problem that has one unambiguous fix. A missing property is written where the
 * schema defines its value, unless a misspelled one is renamed to it.
 */
export function fixAllProblems(input: FixInput): FixAll {
  const missing = new Map<string, PayloadProblem[]>();
  const edits: TextEdit[] = [];
  const renamed = new Map<number, string>();
  const replaced = new Set<string>();
  let count = 0;
  for (const problem of input.problems) {
    if (problem.data?.kind === "missingProperty") {
      const object = `${problem.start}${problem.pointer}`;
      missing.set(object, [...(missing.get(object) ?? []), problem]);
      continue;
    }
    const sure = payloadFixes(input, problem).find(({ isUnambiguous }) => isUnambiguous);
    if (sure === undefined) continue;
    edits.push(...sure.edits);
    count += 1;
    if (problem.data?.kind === "unknownProperty" && problem.data.didYouMean !== undefined) {
      const parent = problem.pointer.slice(0, problem.pointer.lastIndexOf("/"));
      replaced.add(`${parent}/${problem.data.didYouMean}`);
      renamed.set(problem.start, problem.data.didYouMean);
    }
  }
  for (const problems of missing.values()) {
    const added = addGiven(input, problems, { replaced, renamed });
    edits.push(...added.edits);
    count += added.count;
  }
  return { edits: withoutOverlaps(edits), count };
}

interface Renames {
  /** The pointers that properties have by their new names. */
  readonly replaced: ReadonlySet<string>;
  /** The new names by the start of the key. */
  readonly renamed: ReadonlyMap<number, string>;
}

function addGiven(
  { text, schemaAt }: FixInput,
  problems: readonly PayloadProblem[],
  { replaced, renamed }: Renames,
): FixAll {
  const [first] = problems;
  if (first === undefined) return { edits: [], count: 0 };
  const { names, sampleOf } = schemaAt(first.schemaPointer);
  const given = problems.flatMap(({ data, pointer }) => {
    if (data?.kind !== "missingProperty" || replaced.has(`${pointer}/${data.name}`)) return [];
    const { value, isGiven } = sampleOf(data.name);
    return isGiven ? [{ name: data.name, value }] : [];
  });
  if (given.length === 0) return { edits: [], count: 0 };
  const edits = addMembers(text, first.start, given, names, textStyle(text), renamed);
  return { edits, count: given.length };
}

/** A property to write. */
interface NewMember {
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * Adds properties to the object that opens at `open`, each at its position by `order` (the schema's names in
 * turn), formatted like the object. An empty object is opened over several lines. `renamed` are the names
 * that properties get by other edits, by the start of their key. No edits where no object can be read there.
 */
function addMembers(
  text: string,
  open: number,
  added: readonly NewMember[],
  order: readonly string[],
  style: TextStyle,
  renamed: ReadonlyMap<number, string> = new Map(),
): TextEdit[] {
  const object = readContainer(text, open);
  if (object === undefined || text[open] !== "{") return [];
  const outer = lineIndent(text, open);
  const sorted = added.toSorted((left, right) => rank(left.name) - rank(right.name));
  const [first] = object.members;
  if (first === undefined) {
    const isEmpty = object.close !== undefined;
    return isEmpty ? [intoEmpty(open, object.close, sorted, text, outer, style)] : [];
  }
  const isOnLines = text.slice(open, first.start).includes("\n");
  const inner = lineIndent(text, first.start);
  const gap = isOnLines ? style.lineEnd + inner : " ";
  const written = ({ name, value }: NewMember) =>
    isOnLines ? onLines(name, value, style, inner) : inOneLine(name, value);
  return [...byAnchor(object, sorted)].map(([anchor, members]) => {
    const texts = members.map(written);
    const before = object.members[anchor];
    if (before !== undefined) return at(before.end, texts.map((one) => `,${gap}${one}`).join(""));
    return at(first.start, texts.map((one) => `${one},${gap}`).join(""));
  });

  function rank(name: string): number {
    const index = order.indexOf(name);
    return index < 0 ? order.length : index;
  }

  /** Groups the new properties by the member they follow; -1 is before all. */
  function byAnchor({ members }: ContainerText, names: readonly NewMember[]) {
    // If the schema names none of the present properties, append.
    const present = members.map(({ start, name }) => renamed.get(start) ?? name);
    const knowsNone = !present.some((name) => name !== undefined && order.includes(name));
    const groups = new Map<number, NewMember[]>();
    for (const one of names) {
      const isBefore = (name: string | undefined) =>
        knowsNone || (name !== undefined && rank(name) <= rank(one.name));
      const anchor = present.findLastIndex(isBefore);
      groups.set(anchor, [...(groups.get(anchor) ?? []), one]);
    }
    return groups;
  }
}

function intoEmpty(
  open: number,
  close: number,
  added: readonly NewMember[],
  text: string,
  outer: string,
  style: TextStyle,
): TextEdit {
  const inner = outer + style.indent;
  const lines = added.map(({ name, value }) => inner + onLines(name, value, style, inner));
  const body = style.lineEnd + lines.join(`,${style.lineEnd}`) + style.lineEnd + outer;
  const isBlank = text.slice(open + 1, close).trim() === "";
  return { start: open + 1, end: isBlank ? close : open + 1, text: body };
}

function onLines(name: string, value: JsonValue, style: TextStyle, indent: string): string {
  return `${JSON.stringify(name)}: ${indentedJson(value, style, indent)}`;
}

function inOneLine(name: string, value: JsonValue): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
}

function at(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}
