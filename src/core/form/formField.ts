/** A form for a payload: its fields, as far as they are opened, made from a schema and a text. */
export interface Form {
  /** The payload itself; of an object, its fields are the form. */
  readonly root: FormField;
  /** Why there is no form for this text; empty where there is one. */
  readonly note: string;
}

/** One value of a payload, there or not, as a person sees it. Texts are bounded, hidden characters escaped. */
export interface FormField {
  /** The JSON pointer of the value. */
  readonly pointer: string;
  /** The title that the schema gives it, else its name; empty for the payload itself. */
  readonly label: string;
  /** Its name in the JSON, where the label is another one; else empty. */
  readonly name: string;
  readonly description: string;
  /** Type and limits as short phrases. */
  readonly facts: readonly string[];
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Whether the payload has the value. */
  readonly isSet: boolean;
  readonly canRemove: boolean;
  /** The value that applies where the payload has none, as JSON; empty where the schema names none. */
  readonly fallback: string;
  /** Values to choose instead of typing one, as JSON. */
  readonly suggestions: readonly string[];
  /** Alternatives of the schema, of which the value is one. */
  readonly unions: readonly FieldUnion[];
  readonly control: FieldControl;
  /** What cannot be shown, and why; empty where everything is. */
  readonly note: string;
}

/** Alternatives for a value, by their names; `chosen` is the index of the value's own, -1 where it is none of them. */
interface FieldUnion {
  readonly labels: readonly string[];
  readonly chosen: number;
}

/** What a value is shown and changed with. */
export type FieldControl =
  | { readonly kind: "text"; readonly text: string; readonly input: TextInput }
  /** A number as it is spelled in the payload. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly chosen: number }
  /** The only value that is allowed, as JSON. */
  | { readonly kind: "fixed"; readonly text: string }
  /** Any other value, as JSON. */
  | { readonly kind: "json"; readonly text: string }
  /** Too long for a field; this is its start. */
  | { readonly kind: "long"; readonly text: string }
  | FieldGroup;

/** How a text is typed: on one line, on several, or as a date. */
export type TextInput = "line" | "lines" | "date";

/** The members of an object or the items of a list. */
export interface FieldGroup {
  readonly kind: "object" | "list";
  /** Those that are shown, required ones first. */
  readonly fields: readonly FormField[];
  /** How many more there are. */
  readonly more: number;
  readonly isOpen: boolean;
  /** What can be added: an item, a member that needs a name, or nothing that the schema does not name. */
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
  /** What was typed into JSON fields and is not JSON, by pointer. It is not in the payload, which is not sent meanwhile. */
  readonly unread: Readonly<Record<string, string>>;
}

/** How many fields of a group are shown, by its pointer: 0 closes it. What is not named here is decided by its depth. */
export type ShownFields = Readonly<Record<string, number>>;

/** One change of a person to a payload. `index`, `union` and `branch` count from 0 what the field lists. */
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
