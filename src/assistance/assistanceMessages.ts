/** What can be written at a place in a payload. Texts of a schema are as the schema has them. */
export interface Proposal {
  readonly label: string;
  readonly kind: "property" | "value" | "object";
  /** In the editor's snippet syntax, the schema's own signs escaped. */
  readonly snippet: string;
  readonly filterText: string;
  /** Plain text, some lines; empty where nothing is known. */
  readonly documentation: string;
  /** What it replaces, as UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** Another choice follows at the place where the snippet ends. */
  readonly continues: boolean;
  /** Where a comma is missing in front of it; absent where none is. */
  readonly comma?: number;
}

/** What is known of the value at a place: its range and, per matching schema, some lines of plain text. */
export interface Explanation {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/** Asks the thread about a place in a text. `schemaText` is there when the thread does not hold the schema yet. */
export interface AssistanceQuestion {
  readonly id: number;
  readonly wants: "proposals" | "explanation";
  readonly text: string;
  readonly offset: number;
  readonly schemaKey: string;
  readonly schemaText?: string;
  /** Schemas the thread may drop, so that both sides keep the same bounded set. */
  readonly forget: readonly string[];
}

/** What the thread says: it began with a question, or it is done. */
export type AssistanceAnswer =
  | { readonly kind: "started"; readonly id: number }
  | { readonly kind: "proposals"; readonly id: number; readonly proposals: readonly Proposal[] }
  | {
      readonly kind: "explanation";
      readonly id: number;
      readonly explanation: Explanation | undefined;
    };
