import type { JsonValue } from "../../json/jsonValue";
import { type ContainerText, readContainer } from "./containerText";
import { indentedJson, lineIndent, type TextEdit, type TextStyle } from "./textEdit";

/** A property to write. */
export interface NewMember {
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * Adds properties to the object that opens at `open`, each where `order` (the schema's names in turn)
 * wants it, laid out as the object is. An empty object is opened over several lines. `renamed` are the
 * names that properties get by other edits, by the start of their key. No edits where no object can be
 * read there.
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

  /** Groups what is added by the member it comes behind; -1 is in front of all. */
  function byAnchor({ members }: ContainerText, names: readonly NewMember[]) {
    // An order that knows nothing of what is there puts what is new behind it.
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
