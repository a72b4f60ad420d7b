/** A completion for a position in a payload. Texts of a schema are unescaped. */
export interface Proposal {
  readonly label: string;
  readonly kind: "property" | "value" | "object";
  /** In the editor's snippet syntax; special characters of the schema's texts are escaped. */
  readonly snippet: string;
  readonly filterText: string;
  /** Plain text, some lines; empty where nothing is known. */
  readonly documentation: string;
  /** The start of the replaced range, in UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** Further completion is useful at the snippet's end. */
  readonly continues: boolean;
  /** The offset of a missing comma before it; absent where none is missing. */
  readonly comma?: number;
}

/** Facts about the value at a position: its range and, for each matching schema, some lines of plain text. */
export interface Explanation {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}
