/** The form of a payload: its visible fields, built from a schema and a text. */
export interface Form {
  /** The payload itself. The form shows its members if it is an object. */
  readonly root: FormField;
  /** Why the text has no form, or why its schema cannot be used; empty otherwise. */
  readonly note: string;
}

/** An existing or missing value of a payload, for display. Texts are truncated and hidden characters are escaped. */
export interface FormField {
  /** The JSON pointer of the value. */
  readonly pointer: string;
  /** The schema's title, else the name; empty for the payload itself. */
  readonly label: string;
  /** The name in the JSON if the label differs; else empty. */
  readonly name: string;
  readonly description: string;
  /** Type and limits as short phrases. */
  readonly facts: readonly string[];
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Whether the payload has the value. */
  readonly isSet: boolean;
  readonly canRemove: boolean;
  /** The schema's default, as JSON or as a list of words; empty if it has none or the value equals it. */
  readonly fallback: string;
  /** Suggested values, as JSON. */
  readonly suggestions: readonly string[];
  /** The schema's unions that apply to the value. */
  readonly unions: readonly FieldUnion[];
  readonly control: FieldControl;
  /** The text with visible escapes if it has hidden characters; else empty. */
  readonly note: string;
}

/** The labels of the alternatives for a value. `chosen` is the index of the matching one; -1 if none matches. */
interface FieldUnion {
  readonly labels: readonly string[];
  readonly chosen: number;
}

/** The control that shows and changes a value. */
export type FieldControl =
  | { readonly kind: "text"; readonly text: string; readonly input: TextInput }
  /** A number in the payload's spelling. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly chosen: number }
  /** A list of different fixed values. `chosen` has their indexes, in the list's order. */
  | {
      readonly kind: "choices";
      readonly options: readonly string[];
      readonly chosen: readonly number[];
    }
  /** The only allowed value, as JSON. */
  | { readonly kind: "fixed"; readonly text: string }
  /** Any other value, as JSON. */
  | { readonly kind: "json"; readonly text: string }
  /** The start of a value that is too long for a field. */
  | { readonly kind: "long"; readonly text: string }
  | FieldGroup;

/** The kind of a text field: one line, several lines, or a date. */
export type TextInput = "line" | "lines" | "date";

/** The members of an object or the items of a list. */
export interface FieldGroup {
  readonly kind: "object" | "list";
  /** The visible fields, required ones first. */
  readonly fields: readonly FormField[];
  /** The number of further fields. */
  readonly more: number;
  readonly isOpen: boolean;
  /** What a user can add: an item, a member with a new name, or nothing. */
  readonly adds: "item" | "member" | "nothing";
}

/** The number of fields of a group that the form shows at first, and that each *Show More* adds. */
export const fieldsAtOnce = 50;

/** Returns whether a control shows members or items. */
export function isGroup(control: FieldControl): control is FieldGroup {
  return control.kind === "object" || control.kind === "list";
}

/** A payload during editing in a form. */
export interface FormDraft {
  /** The payload as JSON text. */
  readonly text: string;
  /**
   * Invalid text in JSON fields, by pointer. It is not in the payload, and the payload cannot be sent while it exists.
   */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * The number of visible fields of each group, by its pointer. 0 closes it. Groups without an entry depend on their
 * depth.
 */
export type ShownFields = Readonly<Record<string, number>>;

/** A person's change of a payload. `index`, `union` and `branch` are positions in the field's lists, from 0. */
export type FormEdit =
  | { readonly what: "write"; readonly pointer: string; readonly text: string }
  | { readonly what: "suggest"; readonly pointer: string; readonly index: number }
  | {
      readonly what: "branch";
      readonly pointer: string;
      readonly union: number;
      readonly branch: number;
    }
  | {
      readonly what: "choose";
      readonly pointer: string;
      readonly index: number;
      readonly isChosen: boolean;
    }
  /** `default` writes the schema's default. */
  | { readonly what: "add" | "remove" | "default"; readonly pointer: string }
  | { readonly what: "addMember"; readonly pointer: string; readonly name: string };
