import { isJsonObject, type JsonValue } from "../json/jsonValue";
import { jsonFileEnding } from "../text/jsonFileEnding";

/** An input that may be opened, and what its `$schema` named, where that was left out of it. */
export interface OpenableInput {
  readonly value: JsonValue;
  /** Undefined where nothing was left out. A `$schema` that is no text is written as JSON. */
  readonly leftOut: string | undefined;
}

/**
 * Leaves a `$schema` that names something other than the standard's own out of the root of an input
 * that comes from a registry: the editor's JSON support would fetch it as soon as the input is open.
 */
export function withoutSchemaAddress(value: JsonValue): OpenableInput {
  if (!isJsonObject(value) || jsonFileEnding(value) === "json")
    return { value, leftOut: undefined };
  const { $schema: named, ...rest } = value;
  return { value: rest, leftOut: typeof named === "string" ? named : JSON.stringify(named) };
}
