import { pointerStep } from "../../json/jsonPointer";
import { isJsonObject, type JsonObject, ownValue } from "../../json/jsonValue";
import { l10nText } from "../../text/localizableText";
import type { SchemaDocument, SchemaPlace, SchemaResource } from "../schemaRules";
import { type Dialect, dialectOf, isSince } from "./dialect";
import { SchemaRefusal } from "./schemaDefects";

/** Resources by URI. A URI that two places claim leads nowhere: it is ambiguous. */
export type ResourceIndex = Map<string, SchemaResource | "ambiguous">;

/**
 * Finds every schema in a document, with the identifiers and anchors it declares, and adds its
 * resources to `index`. Fails with a refusal where a declared dialect is not understood.
 */
export function indexDocument(
  value: unknown,
  options: { uri: string; dialect: Dialect; isOwn: boolean; index: ResourceIndex },
): SchemaDocument {
  const document: SchemaDocument = { value, isOwn: options.isOwn, places: new Map() };
  const root = newResource(document, options.uri, dialectIn(value, options.dialect), "");
  options.index.set(root.uri, root);
  indexPlaces({ value, pointer: "", resource: root }, options.index);
  return document;
}

/** Finds every schema from a place downwards. Places that are known already stay as they are. */
export function indexPlaces(start: SchemaPlace, index: ResourceIndex): void {
  const open = [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { places } = place.resource.document;
    if (places.has(place.pointer)) continue;
    if (isJsonObject(place.value)) identify(place, place.value, index);
    places.set(place.pointer, place);
    if (!isJsonObject(place.value)) continue;
    for (const { path, value } of subschemasOf(place.value, place.resource.dialect)) {
      open.push({ value, pointer: place.pointer + path, resource: place.resource });
    }
  }
}

/** Resolves a URI reference; nothing when it or its base is not a URI. */
export function resolveUri(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function identify(place: SchemaPlace, schema: JsonObject, index: ResourceIndex): void {
  const dialect = dialectIn(schema, place.resource.dialect);
  const hidesSiblings = !isSince(dialect, "2019-09") && Object.hasOwn(schema, "$ref");
  const id = ownValue(schema, dialect === "draft-04" ? "id" : "$id");
  if (typeof id === "string" && !hidesSiblings) enterResource(place, id, dialect, index);
  const { anchors, dynamicAnchors } = place.resource;
  if (isSince(dialect, "2019-09")) note(anchors, ownValue(schema, "$anchor"), place);
  if (isSince(dialect, "2020-12")) {
    note(anchors, ownValue(schema, "$dynamicAnchor"), place);
    note(dynamicAnchors, ownValue(schema, "$dynamicAnchor"), place);
  }
  if (dialect === "2019-09" && place.pointer === place.resource.pointer) {
    place.resource.isRecursiveAnchor = ownValue(schema, "$recursiveAnchor") === true;
  }
}

function enterResource(
  place: SchemaPlace,
  id: string,
  dialect: Dialect,
  index: ResourceIndex,
): void {
  const resolved = resolveUri(id, place.resource.uri);
  if (resolved === undefined) {
    throw new SchemaRefusal(
      "malformed",
      l10nText("The skill's schema names itself {name}, which is not a URI.", { name: `"${id}"` }),
    );
  }
  const [uri = "", fragment = ""] = resolved.split("#", 2);
  if (!id.startsWith("#")) {
    place.resource = newResource(place.resource.document, uri, dialect, place.pointer);
    const other = index.get(uri);
    const isSamePlace = other !== "ambiguous" && other?.pointer === place.pointer;
    const isTaken = other !== undefined && other !== "ambiguous" && other.document.isOwn;
    index.set(uri, isTaken && !isSamePlace ? "ambiguous" : place.resource);
  }
  // Before 2019-09 an anchor is written as the fragment of an identifier.
  if (fragment !== "" && !isSince(dialect, "2019-09"))
    note(place.resource.anchors, fragment, place);
}

function newResource(
  document: SchemaDocument,
  uri: string,
  dialect: Dialect,
  pointer: string,
): SchemaResource {
  return {
    uri,
    dialect,
    document,
    pointer,
    anchors: new Map(),
    dynamicAnchors: new Map(),
    isRecursiveAnchor: false,
  };
}

function dialectIn(schema: unknown, inherited: Dialect): Dialect {
  if (!isJsonObject(schema) || !Object.hasOwn(schema, "$schema")) return inherited;
  const dialect = dialectOf(schema.$schema);
  if (dialect !== undefined) return dialect;
  throw new SchemaRefusal(
    "dialect",
    l10nText("The skill's schema is written in {dialect}, which is not a dialect known here.", {
      dialect: JSON.stringify(schema.$schema)?.slice(0, 200) ?? "",
    }),
  );
}

function note(anchors: Map<string, SchemaPlace>, name: unknown, place: SchemaPlace): void {
  if (typeof name === "string") anchors.set(name, place);
}

interface Subschema {
  /** Pointer steps below the schema that holds it, starting with a slash. */
  path: string;
  value: unknown;
}

const single = ["not", "additionalProperties", "items", "additionalItems"];
const singleSince: readonly [string, Dialect][] = [
  ["contains", "draft-06"],
  ["propertyNames", "draft-06"],
  ["if", "draft-07"],
  ["then", "draft-07"],
  ["else", "draft-07"],
  ["unevaluatedItems", "2019-09"],
  ["unevaluatedProperties", "2019-09"],
  ["contentSchema", "2019-09"],
];
const lists = ["allOf", "anyOf", "oneOf", "items", "prefixItems"];
const maps = ["properties", "patternProperties", "definitions", "dependencies"];
const mapsSince: readonly [string, Dialect][] = [
  ["$defs", "2019-09"],
  ["dependentSchemas", "2019-09"],
];

/** Lists the places directly in a schema where its dialect expects schemas. */
function subschemasOf(schema: JsonObject, dialect: Dialect): Subschema[] {
  const found: Subschema[] = [];
  const add = (path: string, value: unknown) => {
    if (isJsonObject(value) || typeof value === "boolean") found.push({ path, value });
  };
  const since = (known: readonly [string, Dialect][]) =>
    known.filter(([, first]) => isSince(dialect, first)).map(([keyword]) => keyword);

  for (const keyword of [...single, ...since(singleSince)]) {
    add(`/${keyword}`, ownValue(schema, keyword));
  }
  for (const keyword of lists) {
    const list = ownValue(schema, keyword);
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) add(`/${keyword}/${index}`, value);
  }
  for (const keyword of [...maps, ...since(mapsSince)]) {
    const map = ownValue(schema, keyword);
    if (!isJsonObject(map)) continue;
    for (const [key, value] of Object.entries(map)) add(`/${keyword}/${pointerStep(key)}`, value);
  }
  return found;
}
