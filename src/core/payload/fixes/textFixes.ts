import { l10nText } from "../../text/localizableText";
import type { PayloadProblem, PayloadProblemData } from "../payloadCheck";
import { certain, choice, type PayloadFix } from "./payloadFix";
import { removeMember } from "./removeMember";
import type { TextEdit } from "./textEdit";

/** Mends what is wrong with the text as JSON: comments, commas and marks too many, keys named twice. */
export function textFixes(
  text: string,
  { start, end }: PayloadProblem,
  data: PayloadProblemData,
): PayloadFix[] {
  switch (data.kind) {
    case "byteOrderMark":
      return [certain(l10nText("Remove the byte order mark"), { start, end, text: "" })];
    case "trailingComma":
      return [certain(l10nText("Remove this comma"), { start, end, text: "" })];
    case "comment":
      return [certain(l10nText("Remove this comment"), removeComment(text, start, end))];
    case "duplicateKey":
      return [
        choice(l10nText("Remove this one"), removeMember(text, start)),
        choice(l10nText("Remove the first one"), removeMember(text, data.firstStart)),
      ];
    case "lossyNumber":
      if (!/^[-\d]/.test(data.readAs)) return [];
      return [
        choice(l10nText("Write {value}", { value: data.readAs }), {
          start,
          end,
          text: data.readAs,
        }),
      ];
    default:
      return [];
  }
}

/** A comment that has its lines to itself goes with them; else with the space in front of it. */
function removeComment(text: string, start: number, end: number): TextEdit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isAlone = /^[ \t]*$/.test(text.slice(lineStart, start));
  const rest = /^[ \t]*(\r?\n|$)/.exec(text.slice(end, end + 1000));
  if (isAlone && rest !== null) return { start: lineStart, end: end + rest[0].length, text: "" };
  let from = start;
  while (from > lineStart && " \t".includes(text[from - 1] ?? "")) from -= 1;
  return { start: rest === null ? start : from, end, text: "" };
}
