import { canonicalText } from "../../json/canonicalJson";
import type { JsonValue } from "../../json/jsonValue";
import { l10nText } from "../../text/localizableText";
import type { PayloadProblem } from "../payloadCheck";
import { type ContainerText, type MemberText, readContainer } from "./containerText";
import { choice, type FixInput, type PayloadFix } from "./payloadFix";
import { indentedJson, lineIndent, textStyle } from "./textEdit";

/** More are no work a person would want done by a light bulb. */
const maxAdded = 50;
const maxCompared = 20_000;

/** Adds as many items as a list lacks, made from the schema of each. */
export function missingItemFixes(
  { text, schemaAt }: FixInput,
  { start, schemaPointer }: PayloadProblem,
  limit: number,
): PayloadFix[] {
  const list = readContainer(text, start);
  if (list?.close === undefined || list.close - start > maxCompared) return [];
  const { members } = list;
  const count = limit - members.length;
  if (count < 1 || count > maxAdded) return [];
  const { itemsAt, layers } = schemaAt(schemaPointer);
  const areDifferent = layers.some(({ uniqueItems }) => uniqueItems === true);
  const known = new Set(valuesOf(text, members).map(canonicalText));
  const added: JsonValue[] = [];
  for (let index = members.length; index < limit; index += 1) {
    const next = itemsAt(index).find((value) => !areDifferent || !known.has(canonicalText(value)));
    if (next === undefined) return [];
    known.add(canonicalText(next));
    added.push(next);
  }
  const title = count === 1 ? l10nText("Add 1 item") : l10nText("Add {count} items", { count });
  return [{ ...choice(title, appended(text, list, added)), isPreferred: true }];
}

/** Takes out every item that stands in the list before. */
export function repeatedItemFixes(text: string, { start, end }: PayloadProblem): PayloadFix[] {
  if (end - start > maxCompared) return [];
  const list = readContainer(text, start);
  if (list?.close === undefined) return [];
  const { members } = list;
  const seen = new Set<string>();
  const edits = valuesOf(text, members).flatMap((value, index) => {
    const known = canonicalText(value);
    const isRepeated = seen.has(known);
    seen.add(known);
    const [before, member] = [members[index - 1], members[index]];
    if (!isRepeated || before === undefined || member === undefined) return [];
    return [{ start: before.end, end: member.end, text: "" }];
  });
  const title =
    edits.length === 1
      ? l10nText("Remove duplicate item")
      : l10nText("Remove {count} duplicate items", { count: edits.length });
  return [{ ...choice(title, ...edits), isPreferred: true }];
}

function valuesOf(text: string, members: readonly MemberText[]): unknown[] {
  return members.map(({ start, end }) => JSON.parse(text.slice(start, end)));
}

function appended(text: string, { open, close, members }: ContainerText, added: JsonValue[]) {
  const style = textStyle(text);
  const last = members.at(-1);
  const isOnLines = last !== undefined && text.slice(open, last.start).includes("\n");
  const inner = isOnLines ? lineIndent(text, members[0]?.start ?? open) : "";
  const items = added.map((value) =>
    isOnLines
      ? style.lineEnd + inner + indentedJson(value, style, inner)
      : ` ${JSON.stringify(value)}`,
  );
  if (last !== undefined) {
    return { start: last.end, end: last.end, text: items.map((item) => `,${item}`).join("") };
  }
  const isBlank = text.slice(open + 1, close).trim() === "";
  const end = isBlank && close !== undefined ? close : open + 1;
  return { start: open + 1, end, text: items.join(",").trimStart() };
}
