/** The JSON Schema dialects that are understood, oldest first. */
export type Dialect = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

/** The dialect of a schema that declares none. */
export const defaultDialect: Dialect = "2020-12";

const dialects: readonly Dialect[] = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"];

const dialectByUri: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft-04/schema", "draft-04"],
  ["json-schema.org/draft-06/schema", "draft-06"],
  ["json-schema.org/draft-07/schema", "draft-07"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
]);

/** Reads a `$schema` value. Nothing when it names a dialect that is not understood. */
export function dialectOf(schemaUri: unknown): Dialect | undefined {
  if (typeof schemaUri !== "string") return undefined;
  return dialectByUri.get(schemaUri.replace(/^https?:\/\//, "").replace(/#$/, ""));
}

/** Tells whether `dialect` is `other` or a later one. */
export function isSince(dialect: Dialect, other: Dialect): boolean {
  return dialects.indexOf(dialect) >= dialects.indexOf(other);
}
