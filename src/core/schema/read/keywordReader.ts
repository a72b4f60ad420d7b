import { pointerStep } from "../../json/jsonPointer";
import {
  isJsonObject,
  isJsonType,
  type JsonObject,
  type JsonType,
  type JsonValue,
  ownValue,
} from "../../json/jsonValue";
import { type LocalizableText, l10nText } from "../../text/language";
import {
  type Dialect,
  isSince,
  type KeywordValues,
  type SchemaNode,
  type SchemaReference,
  type SchemaRules,
} from "../schemaRules";
import type { SchemaDefects } from "./schemaDefects";

/** The functions that one schema's reader needs from the reader of all schemas. */
export interface ReadContext {
  /** Collects the omitted parts. */
  readonly defects: SchemaDefects;
  /** Returns the rules of the schema at `path` below `node`. Their keywords are read later. */
  rulesBelow(node: SchemaNode, path: string, value: unknown): SchemaRules;
  /** Follows a reference of a schema. Records a defect and returns undefined if it leads nowhere. */
  reference(
    node: SchemaNode,
    rules: SchemaRules,
    keyword: SchemaReference["keyword"],
    reference: string,
  ): SchemaReference | undefined;
  /** Creates rules that apply beside `rules` and contain only a reference. */
  rulesBeside(rules: SchemaRules, reference: SchemaReference): SchemaRules;
}

/** A method for each form of keyword value. */
type KeywordReaders = {
  readonly [Holds in keyof KeywordValues]: (
    keyword: string,
    since?: Dialect,
  ) => KeywordValues[Holds] | undefined;
};

/**
 * Reads the keywords of one schema by their expected shape. Every method returns undefined for a keyword that is absent
 * or newer than the dialect. It omits a keyword of the wrong shape as well, and records it as a defect if it can affect
 * a verdict.
 */
export class KeywordReader implements KeywordReaders {
  /** Whether the keywords that are read now can affect a verdict. Set by the caller. */
  decides = false;
  readonly #node: SchemaNode;
  readonly #rules: SchemaRules;
  readonly #schema: JsonObject;
  readonly #context: ReadContext;

  constructor(node: SchemaNode, rules: SchemaRules, schema: JsonObject, context: ReadContext) {
    this.#node = node;
    this.#rules = rules;
    this.#schema = schema;
    this.#context = context;
  }

  /** Whether keywords that dialects spell differently are recognized by their shape. */
  get readsByShape(): boolean {
    return !this.#node.resource.isDialectDeclared;
  }

  get dialect(): Dialect {
    return this.#node.resource.dialect;
  }

  /** Returns whether the schema has a keyword that its dialect knows. Records a keyword that is too new. */
  has(keyword: string, since: Dialect = "draft-04"): boolean {
    if (!Object.hasOwn(this.#schema, keyword)) return false;
    if (isSince(this.dialect, since)) return true;
    this.#rules.tooNew ??= new Set();
    this.#rules.tooNew.add(keyword);
    return false;
  }

  /** Returns the keyword's value unchanged. */
  value(keyword: string, since?: Dialect): JsonValue | undefined {
    return this.has(keyword, since) ? ownValue(this.#schema, keyword) : undefined;
  }

  text(keyword: string, since?: Dialect): string | undefined {
    return this.#as(keyword, since, l10nText("a string"), (value) => typeof value === "string");
  }

  flag(keyword: string, since?: Dialect): boolean | undefined {
    return this.#as(
      keyword,
      since,
      l10nText("true or false"),
      (value) => typeof value === "boolean",
    );
  }

  number(keyword: string, since?: Dialect): number | undefined {
    return this.#as(keyword, since, l10nText("a number"), (value) => typeof value === "number");
  }

  /** Reads an integer of 0 or more. */
  count(keyword: string, since?: Dialect): number | undefined {
    const count = this.number(keyword, since);
    const isCount = count === undefined || (count >= 0 && Math.floor(count) === count);
    return isCount ? count : this.reportMalformed(keyword, l10nText("a whole number, 0 or more"));
  }

  list(keyword: string, since?: Dialect): JsonValue[] | undefined {
    return this.#as(keyword, since, l10nText("an array"), (value) => Array.isArray(value));
  }

  texts(keyword: string, since?: Dialect): string[] | undefined {
    return this.#as(keyword, since, l10nText("an array of strings"), isTexts);
  }

  map(keyword: string, since?: Dialect): [string, JsonValue][] | undefined {
    const map = this.#as(keyword, since, l10nText("an object"), isJsonObject);
    if (map === undefined) return undefined;
    return Object.keys(map).map((name) => [name, map[name] ?? null]);
  }

  /** Reads an object whose values are lists of names, each once. Omits members of another shape. */
  textsMap(keyword: string, since?: Dialect): Map<string, string[]> | undefined {
    const lists = this.map(keyword, since)?.filter(([name, names]) => {
      if (!isTexts(names)) this.reportMalformedNames(keyword, name);
      return isTexts(names);
    });
    return lists && new Map(lists.map(([name, names]) => [name, unique(names as string[])]));
  }

  reportMalformedNames(keyword: string, name: string): void {
    this.reportMalformed(`${keyword}/${pointerStep(name)}`, l10nText("an array of property names"));
  }

  messages(keyword: string): string | Map<string, string> | undefined {
    const value = this.value(keyword);
    if (typeof value === "string") return value;
    if (!isJsonObject(value)) return undefined;
    const texts = Object.entries(value).filter(([, text]) => typeof text === "string");
    return new Map(texts as [string, string][]);
  }

  types(): JsonType[] | undefined {
    const types = this.value("type");
    const list: unknown = typeof types === "string" ? [types] : types;
    if (list === undefined) return undefined;
    // ajv accepts everything for an empty list, other validators accept nothing.
    if (Array.isArray(list) && list.length > 0 && list.every(isJsonType)) return unique(list);
    return this.reportMalformed("type", l10nText("a JSON type or an array of types"));
  }

  schema(keyword: string, since?: Dialect): SchemaRules | undefined {
    if (!this.has(keyword, since)) return undefined;
    return this.below(`/${keyword}`, ownValue(this.#schema, keyword));
  }

  /** Reads a list of at least one schema. */
  schemas(keyword: string, since?: Dialect): SchemaRules[] | undefined {
    const list = this.list(keyword, since);
    if (list?.length === 0) return this.reportMalformed(keyword, l10nText("a non-empty array"));
    if (list === undefined) return undefined;
    return list.map((value, index) => this.below(`/${keyword}/${index}`, value));
  }

  schemaMap(keyword: string, since?: Dialect): Map<string, SchemaRules> | undefined {
    const map = this.map(keyword, since);
    return (
      map &&
      new Map(
        map.map(([key, value]) => [key, this.below(`/${keyword}/${pointerStep(key)}`, value)]),
      )
    );
  }

  /**
   * Returns the rules of the schema at a path below this one. For a value that is not a schema, returns rules that
   * accept everything.
   */
  below(path: string, value: unknown): SchemaRules {
    const isSchema = typeof value === "boolean" || isJsonObject(value);
    const below = this.#context.rulesBelow(this.#node, path, isSchema ? value : true);
    if (!isSchema) {
      this.reportMalformed(path.slice(1), l10nText("a schema"));
      // Accept everything, since the intended schema is unknown.
      below.omitted ??= new Set([""]);
    }
    return below;
  }

  /** Records that a keyword has the wrong shape. */
  reportMalformed(path: string, expected: LocalizableText): undefined {
    if (this.decides) this.#context.defects.addMalformed(this.#rules, path, expected);
  }

  #as<T extends JsonValue>(
    keyword: string,
    since: Dialect | undefined,
    expected: LocalizableText,
    fits: (value: JsonValue | undefined) => value is T,
  ): T | undefined {
    if (!this.has(keyword, since)) return undefined;
    const value = ownValue(this.#schema, keyword);
    return fits(value) ? value : this.reportMalformed(keyword, expected);
  }
}

/** Meta-schemas forbid what stands in such a list twice, and clients refuse a tool whose schema breaks them. */
function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

/** Returns whether a value is a list of strings. */
export function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
