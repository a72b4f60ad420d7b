import { pointerSteps } from "../../json/jsonPointer";
import type { JsonValue } from "../../json/jsonValue";
import type { ValueSteps } from "../../schema/sample/unfilledValue";
import { l10nText } from "../../text/language";
import { jsonRanges, type PayloadProblem, type PayloadProblemData } from "../payloadCheck";
import {
  changeTo,
  type FixAll,
  type FixInput,
  offeredFix,
  type PayloadFix,
  titleText,
} from "./payloadFix";
import {
  type ContainerText,
  insertMembers,
  memberWriter,
  readContainer,
  removeMember,
  type TextEdit,
  type TextStyle,
} from "./textEdit";
import { unfilledStops } from "./unfilledSnippet";

/** The maximum number of renames that fit into the menu of fixes. */
const maxRenames = 3;

/** Adds a missing property. If the object misses several, also offers to add all of them. */
export function missingFixes(input: FixInput, problem: PayloadProblem, name: string): PayloadFix[] {
  const { text, style, schemaAt } = input;
  const { names, sampleOf } = schemaAt(problem.schemaPointer);
  const add = (added: readonly string[]) => {
    const members = added.map((missingName) => ({ name: missingName, ...sampleOf(missingName) }));
    return addMembers(text, problem.start, members, names, style);
  };
  const missing = missingNames(input, problem);
  const single = offeredFix(l10nText("Add {name}", { name: nameText(name) }), ...add([name]));
  return missing.length < 2
    ? [{ ...single, isPreferred: true, isUnambiguous: sampleOf(name).isGiven }]
    : [
        {
          ...offeredFix(
            l10nText("Add all {count} that are missing", { count: missing.length }),
            ...add(missing),
          ),
          isPreferred: true,
        },
        { ...single, isUnambiguous: sampleOf(name).isGiven },
      ];
}

/** Removes a property that the schema does not know, or renames it to a similar known one. */
export function unknownFixes(
  input: FixInput,
  { start, end, pointer }: PayloadProblem,
  { name, didYouMean, isSure }: Extract<PayloadProblemData, { kind: "unknownProperty" }>,
): PayloadFix[] {
  const remove = offeredFix(
    l10nText("Remove {name}", { name: nameText(name) }),
    removeMember(input.readable, start),
  );
  const renameTo = (other: string) => {
    const edit = { start, end, text: JSON.stringify(other) };
    return offeredFix(l10nText("Rename to {name}", { name: nameText(other) }), edit);
  };
  const parent = pointer.slice(0, pointer.lastIndexOf("/"));
  if (didYouMean === undefined) return [remove, ...missingBeside(input, parent).map(renameTo)];
  const others = input.problems.filter(
    (other) =>
      other.data?.kind === "unknownProperty" &&
      other.data.didYouMean === didYouMean &&
      other.pointer.slice(0, other.pointer.lastIndexOf("/")) === parent,
  );
  const isUnambiguous = isSure === true && others.length < 2;
  return [{ ...renameTo(didYouMean), isPreferred: true, isUnambiguous }, remove];
}

/** Leaves out an optional property whose value is null. The person may have meant another value, so it is offered only. */
export function leaveOutFixes(
  { readable }: FixInput,
  { pointer, isOptionalNull }: PayloadProblem,
): PayloadFix[] {
  if (isOptionalNull !== true) return [];
  const start = jsonRanges(readable, [pointer]).get(pointer)?.start;
  const name = pointerSteps(pointer).at(-1) ?? "";
  const edit = start === undefined ? undefined : removeMember(readable, start);
  const title = l10nText("Leave out {name}", { name: nameText(name) });
  return [{ ...offeredFix(title, edit), isPreferred: true }];
}

/** Offers the edits of a problem, which change a value or add a property. */
export function editFixes({
  value,
  name,
  edits,
  isGuess,
}: Extract<PayloadProblemData, { kind: "edit" }>): PayloadFix[] {
  const added = name === undefined ? undefined : `${nameText(name)}: ${value}`;
  const title = added === undefined ? changeTo(value) : l10nText("Add {name}", { name: added });
  return [{ ...offeredFix(title, ...edits), isPreferred: true, isUnambiguous: isGuess !== true }];
}

interface Renames {
  /** The pointers of renamed properties, with their new names. */
  readonly replaced: ReadonlySet<string>;
  /** The new name of each property, by the offset of its key. */
  readonly renamed: ReadonlyMap<number, string>;
}

/**
 * Adds the missing properties of one object whose value the schema defines. Skips a name to which another edit renames
 * a property.
 */
export function addDefinedProperties(
  { text, style, schemaAt }: FixInput,
  problems: readonly PayloadProblem[],
  { replaced, renamed }: Renames,
): FixAll {
  const [first] = problems;
  if (first === undefined) return { edits: [], count: 0 };
  const { names, sampleOf } = schemaAt(first.schemaPointer);
  const defined = problems.flatMap(({ data, pointer }) => {
    if (data?.kind !== "missingProperty" || replaced.has(`${pointer}/${data.name}`)) return [];
    const { value, isGiven } = sampleOf(data.name);
    return isGiven ? [{ name: data.name, value }] : [];
  });
  if (defined.length === 0) return { edits: [], count: 0 };
  const edits = addMembers(text, first.start, defined, names, style, renamed);
  return { edits, count: defined.length };
}

/** Lists the missing names of a problem's object, in the order of the problems. */
function missingNames({ problems }: FixInput, { start, pointer }: PayloadProblem): string[] {
  return problems.flatMap((other) =>
    other.data?.kind === "missingProperty" && other.start === start && other.pointer === pointer
      ? [other.data.name]
      : [],
  );
}

/**
 * Lists at most three names of properties that the object at a pointer lacks. An unknown property may be a misspelling
 * of one of them.
 */
function missingBeside({ problems }: FixInput, object: string): string[] {
  const missing = problems.flatMap(({ data, pointer }) =>
    data?.kind === "missingProperty" && pointer === object ? [data.name] : [],
  );
  return [...new Set(missing)].slice(0, maxRenames);
}

function nameText(name: string): string {
  return `"${titleText(name)}"`;
}

/** A property to write. */
interface NewMember {
  readonly name: string;
  readonly value: JsonValue;
  /** The steps to each part of the value that a person has to fill in. */
  readonly empty?: readonly ValueSteps[];
}

/**
 * Adds properties to the object that opens at `open`, each at its position in `order` (the schema's names), formatted
 * like the object. Writes the properties of an empty object on several lines. `renamed` has the names that other edits
 * give to properties, by the offset of their key. Returns no edits if no object can be read there.
 */
export function addMembers(
  text: string,
  open: number,
  added: readonly NewMember[],
  order: readonly string[],
  style: TextStyle,
  renamed: ReadonlyMap<number, string> = new Map(),
): TextEdit[] {
  const object = readContainer(text, open);
  if (object === undefined || text[open] !== "{") return [];
  const sorted = added.toSorted((left, right) => rank(left.name) - rank(right.name));
  if (object.members.length === 0 && object.close === undefined) return [];
  return [...byAnchor(object, sorted)].map(([anchor, members]) => {
    const writers = members.map(({ name, value }) => memberWriter(name, value, style));
    return withStops(insertMembers(text, object, anchor, writers, style), members);
  });

  function rank(name: string): number {
    const index = order.indexOf(name);
    return index < 0 ? order.length : index;
  }

  /** Groups new properties by the index of the member that they follow; -1 stands for the start of the object. */
  function byAnchor({ members }: ContainerText, names: readonly NewMember[]) {
    // Append if the schema names none of the existing properties.
    const present = members.map(({ start, name }) => renamed.get(start) ?? name);
    const knowsNone = !present.some((name) => name !== undefined && order.includes(name));
    const groups = new Map<number, NewMember[]>();
    for (const member of names) {
      const isBefore = (name: string | undefined) =>
        knowsNone || (name !== undefined && rank(name) <= rank(member.name));
      const anchor = present.findLastIndex(isBefore);
      groups.set(anchor, [...(groups.get(anchor) ?? []), member]);
    }
    return groups;
  }
}

/** Adds the parts to fill in to an edit that inserts members. */
function withStops(edit: TextEdit, members: readonly NewMember[]): TextEdit {
  const empty = members.flatMap(({ name, empty = [] }) => empty.map((steps) => [name, ...steps]));
  if (empty.length === 0) return edit;
  const before = /^\s*,/.exec(edit.text)?.[0].length ?? 0;
  const object = `{${edit.text.slice(before).replace(/,\s*$/, "")}}`;
  const stops = unfilledStops(object, empty).map(({ start, end }) => ({
    start: start + before - 1,
    end: end + before - 1,
  }));
  return { ...edit, stops };
}
