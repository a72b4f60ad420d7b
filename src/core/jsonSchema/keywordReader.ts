import { type Dialect, isSince } from "./dialect";
import { pointerStep } from "./jsonPointer";
import { isJsonObject, type JsonObject, type JsonType, ownValue } from "./jsonValue";
import type { ReadContext } from "./readRules";
import { SchemaRefusal } from "./schemaRefusal";
import type { SchemaPlace, SchemaRules } from "./schemaRules";

const typeNames: readonly string[] = [
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
];

/**
 * Reads the keywords of one schema by their expected shape. Every method gives nothing for a keyword
 * that is absent or newer than the dialect, and refuses the schema for one of the wrong shape.
 */
export class KeywordReader {
  readonly #place: SchemaPlace;
  readonly #schema: JsonObject;
  readonly #context: ReadContext;

  constructor(place: SchemaPlace, schema: JsonObject, context: ReadContext) {
    this.#place = place;
    this.#schema = schema;
    this.#context = context;
  }

  get dialect(): Dialect {
    return this.#place.resource.dialect;
  }

  has(keyword: string, since: Dialect = "draft-04"): boolean {
    return isSince(this.dialect, since) && Object.hasOwn(this.#schema, keyword);
  }

  /** The keyword's value as it stands. */
  raw(keyword: string, since?: Dialect): unknown {
    return this.has(keyword, since) ? ownValue(this.#schema, keyword) : undefined;
  }

  text(keyword: string, since?: Dialect): string | undefined {
    return this.#as(keyword, since, "a text", (value) => typeof value === "string") as
      | string
      | undefined;
  }

  flag(keyword: string, since?: Dialect): boolean | undefined {
    return this.#as(keyword, since, "true or false", (value) => typeof value === "boolean") as
      | boolean
      | undefined;
  }

  number(keyword: string, since?: Dialect): number | undefined {
    return this.#as(keyword, since, "a number", (value) => typeof value === "number") as
      | number
      | undefined;
  }

  /** A whole number of 0 or more. */
  count(keyword: string, since?: Dialect): number | undefined {
    const isCount = (value: unknown) =>
      typeof value === "number" && value >= 0 && Math.floor(value) === value;
    return this.#as(keyword, since, "a whole number", isCount) as number | undefined;
  }

  list(keyword: string, since?: Dialect): unknown[] | undefined {
    return this.#as(keyword, since, "a list", Array.isArray) as unknown[] | undefined;
  }

  texts(keyword: string, since?: Dialect): string[] | undefined {
    return this.#as(keyword, since, "a list of texts", isTexts) as string[] | undefined;
  }

  map(keyword: string, since?: Dialect): [string, unknown][] | undefined {
    const map = this.#as(keyword, since, "an object", isJsonObject);
    return map === undefined ? undefined : Object.entries(map as JsonObject);
  }

  types(): JsonType[] | undefined {
    const isType = (value: unknown) => typeof value === "string" && typeNames.includes(value);
    const areTypes = (value: unknown) => isType(value) || (isTexts(value) && value.every(isType));
    const types = this.#as(
      "type",
      undefined,
      "the name of a JSON type, or a list of them",
      areTypes,
    );
    return types === undefined ? undefined : ([types].flat() as JsonType[]);
  }

  schema(keyword: string, since?: Dialect): SchemaRules | undefined {
    if (!this.has(keyword, since)) return undefined;
    return this.below(`/${keyword}`, ownValue(this.#schema, keyword));
  }

  /** A list of at least one schema. */
  schemas(keyword: string, since?: Dialect): SchemaRules[] | undefined {
    if (this.list(keyword, since)?.length === 0) this.refuse(keyword, "a list that is not empty");
    return this.list(keyword, since)?.map((value, index) =>
      this.below(`/${keyword}/${index}`, value),
    );
  }

  schemaMap(keyword: string, since?: Dialect): [string, SchemaRules][] | undefined {
    return this.map(keyword, since)?.map(([key, value]) => [
      key,
      this.below(`/${keyword}/${pointerStep(key)}`, value),
    ]);
  }

  /** Rules of the schema at a path below this one. */
  below(path: string, value: unknown): SchemaRules {
    if (typeof value !== "boolean" && !isJsonObject(value)) this.refuse(path.slice(1), "a schema");
    return this.#context.rulesBelow(this.#place, path, value);
  }

  /** Refuses the schema because a keyword has the wrong shape. */
  refuse(keyword: string, expected: string): never {
    const where = this.#place.pointer === "" ? "at its root" : `at ${this.#place.pointer}`;
    throw new SchemaRefusal(
      "malformed",
      `The skill's schema is malformed ${where.slice(0, 200)}: "${keyword.slice(0, 100)}" must be ${expected} in ${this.dialect}.`,
    );
  }

  #as(
    keyword: string,
    since: Dialect | undefined,
    expected: string,
    fits: (value: unknown) => boolean,
  ): unknown {
    if (!this.has(keyword, since)) return undefined;
    const value = ownValue(this.#schema, keyword);
    return fits(value) ? value : this.refuse(keyword, expected);
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
