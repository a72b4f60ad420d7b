import type { JsonObject } from "../../json/jsonValue";

/** One difference between two schemas, at one value they describe. */
export interface SchemaChange {
  /** What it means for a value: `tightened` refuses more than before, `changed` may do both or neither. */
  readonly kind: "added" | "removed" | "tightened" | "loosened" | "changed";
  /** The way from the whole value to the one that changed; empty for the whole. */
  readonly path: readonly SchemaStep[];
  /** The JSON Schema keyword behind it; `properties` for a property that is new or gone. */
  readonly keyword: string;
  /**
   * The rule as a fragment of a schema, such as `{ maxLength: 5 }`, before and after; undefined
   * where there was or is none. An `enum` holds only the values that went (before) or came (after).
   */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /** True where a property that is new, or was there, must be given. */
  readonly required?: boolean;
  /** True where a property that went is refused from now on. */
  readonly isRefused?: boolean;
  /** The name that a property which went seems to have got. */
  readonly newName?: string;
}

/** One step into a value. */
export type SchemaStep =
  | { readonly to: "property"; readonly name: string }
  /** Names that match a pattern; an empty one stands for every name not listed. */
  | { readonly to: "otherProperties"; readonly pattern: string }
  /** Counted from 0. */
  | { readonly to: "item"; readonly index: number }
  | { readonly to: "items" }
  /** An alternative, by its title, its number from 1, or what sets it apart from the others. */
  | { readonly to: "option"; readonly name: string };

/** The differences found. */
export interface SchemaChanges {
  readonly changes: readonly SchemaChange[];
  /** False where a limit of size or depth ended the search. */
  readonly complete: boolean;
  /** False where they are written differently, be it only in words for people. */
  readonly isSameText: boolean;
}
