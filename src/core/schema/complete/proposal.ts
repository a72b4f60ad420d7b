/** A completion for a position in a payload. Texts of a schema are not escaped. */
export interface Proposal {
  readonly label: string;
  readonly kind: "property" | "value" | "object";
  /** The text in the editor's snippet syntax. Special characters of the schema's texts are escaped. */
  readonly snippet: string;
  readonly filterText: string;
  /** Some lines of plain text. Empty without documentation. */
  readonly documentation: string;
  /** The start of the replaced range, as a UTF-16 offset. */
  readonly start: number;
  readonly end: number;
  /** True if the end of the snippet should trigger another completion. */
  readonly continues: boolean;
  /** The offset of a missing comma before the proposal. Absent if no comma is missing. */
  readonly comma?: number;
}

/** An explanation of the value at a position: its range and, for each matching schema, some lines of plain text. */
export interface Explanation {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}
