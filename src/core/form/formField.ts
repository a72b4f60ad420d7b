/** A form for a payload: its opened fields, built from a schema and a text. */
export interface Form {
  /** The payload itself. If it is an object, its members are the form. */
  readonly root: FormField;
  /** Why there is no form for this text; empty where there is one. */
  readonly note: string;
}

/** One existing or missing value of a payload, for display. Texts are truncated, hidden characters escaped. */
export interface FormField {
  /** The JSON pointer of the value. */
  readonly pointer: string;
  /** The title in the schema, else the name; empty for the payload itself. */
  readonly label: string;
  /** Its name in the JSON if the label differs; else empty. */
  readonly name: string;
  readonly description: string;
  /** Type and limits as short phrases. */
  readonly facts: readonly string[];
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Whether the payload has the value. */
  readonly isSet: boolean;
  readonly canRemove: boolean;
  /** The default that applies where the payload has no value, as JSON; empty where the schema has none. */
  readonly fallback: string;
  /** Suggested values, as JSON. */
  readonly suggestions: readonly string[];
  /** Unions of the schema to which the value belongs. */
  readonly unions: readonly FieldUnion[];
  readonly control: FieldControl;
  /** What cannot be shown, and why; empty where everything can. */
  readonly note: string;
}

/** The alternatives for a value, by name; `chosen` is the index of the value's own, -1 where it matches none. */
interface FieldUnion {
  readonly labels: readonly string[];
  readonly chosen: number;
}

/** The control that shows and changes a value. */
export type FieldControl =
  | { readonly kind: "text"; readonly text: string; readonly input: TextInput }
  /** A number as it is spelled in the payload. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly chosen: number }
  /** The only allowed value, as JSON. */
  | { readonly kind: "fixed"; readonly text: string }
  /** Any other value, as JSON. */
  | { readonly kind: "json"; readonly text: string }
  /** A value that is too long for a field; this is its start. */
  | { readonly kind: "long"; readonly text: string }
  | FieldGroup;

/** How a text is typed: on one line, on several, or as a date. */
export type TextInput = "line" | "lines" | "date";

/** The members of an object or the items of a list. */
export interface FieldGroup {
  readonly kind: "object" | "list";
  /** The visible fields, required ones first. */
  readonly fields: readonly FormField[];
  /** The number of further fields. */
  readonly more: number;
  readonly isOpen: boolean;
  /** What can be added: an item, a member that needs a name, or nothing beyond the schema's names. */
  readonly adds: "item" | "member" | "nothing";
}

/** Returns whether a value is shown as its members or items. */
export function isGroup(control: FieldControl): control is FieldGroup {
  return control.kind === "object" || control.kind === "list";
}

/** A payload as it is edited in a form. */
export interface FormDraft {
  /** The payload as JSON text. */
  readonly text: string;
  /**
   * Text in JSON fields that is no valid JSON, by pointer. It is not in the payload, which cannot be sent meanwhile.
   */
  readonly unread: Readonly<Record<string, string>>;
}

/** How many fields of a group are shown, by its pointer: 0 closes it. Groups without an entry depend on their depth. */
export type ShownFields = Readonly<Record<string, number>>;

/** One change of a payload by a person. `index`, `union` and `branch` are positions in the field's lists, from 0. */
export type FormEdit =
  | { readonly what: "write"; readonly pointer: string; readonly text: string }
  | { readonly what: "suggest"; readonly pointer: string; readonly index: number }
  | {
      readonly what: "branch";
      readonly pointer: string;
      readonly union: number;
      readonly branch: number;
    }
  | { readonly what: "add" | "remove"; readonly pointer: string }
  | { readonly what: "addMember"; readonly pointer: string; readonly name: string };
