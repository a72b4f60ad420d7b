/** What can be written at a position in a payload. Texts of a schema are as the schema has them. */
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
  /** Another choice follows where the snippet ends. */
  readonly continues: boolean;
  /** Where a comma is missing in front of it; absent where none is. */
  readonly comma?: number;
}

/** What is known of the value at a position: its range and, per matching schema, some lines of plain text. */
export interface Explanation {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}
