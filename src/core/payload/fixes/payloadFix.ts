import { type LocalizableText, l10nText } from "../../text/localizableText";
import type { PayloadProblem } from "../payloadCheck";
import type { SchemaLookup } from "../schemaAtRule";
import type { TextEdit } from "./textEdit";

/** One quick fix. */
export interface PayloadFix {
  /** What it does, in a few words; may quote the payload and the schema. */
  readonly title: LocalizableText;
  readonly edits: readonly TextEdit[];
  /** It is what was most likely meant, so the editor offers it first. */
  readonly isPreferred: boolean;
  /** Nothing else can have been meant, so it may be done together with others, unseen. */
  readonly isUnambiguous: boolean;
}

/** Values beyond these are offered in a list of their own. */
export const maxOfferedValues = 10;

/** What fixes are worked out from: a text, all that was found wrong with it, and what the schema says. */
export interface FixInput {
  readonly text: string;
  readonly problems: readonly PayloadProblem[];
  readonly schemaAt: SchemaLookup;
}

/** Asks for the fixes of some problems of a text, by their index among all of them. */
export interface FixesRequest {
  readonly text: string;
  readonly problems: readonly PayloadProblem[];
  readonly indexes: readonly number[];
  /** Whether to gather the unambiguous fixes of the whole text. */
  readonly includesAll: boolean;
}

/** The fixes of each problem that was asked for, in turn, and those of all where they were asked for. */
export interface FixesResult {
  readonly fixes: readonly (readonly PayloadFix[])[];
  readonly all: FixAll;
}

/** The unambiguous fixes of a whole text: their edits and how many problems they solve. */
export interface FixAll {
  readonly edits: readonly TextEdit[];
  readonly count: number;
}

/** Makes a fix that a person chooses among others. Without an edit it does nothing and is left out later. */
export function choice(title: LocalizableText, ...edits: (TextEdit | undefined)[]): PayloadFix {
  const real = edits.filter((edit) => edit !== undefined);
  return { title, edits: real, isPreferred: false, isUnambiguous: false };
}

/** Makes a fix that leaves no doubt. */
export function certain(title: LocalizableText, ...edits: TextEdit[]): PayloadFix {
  return { title, edits, isPreferred: true, isUnambiguous: true };
}

/** Says that a value becomes another one (a JSON text). */
export function changeTo(value: string): LocalizableText {
  return l10nText("Change to {value}", { value: titleText(value) });
}

/** Shortens text for a title. */
export function titleText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
