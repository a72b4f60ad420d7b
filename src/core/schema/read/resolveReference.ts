import { childAt, pointerStep, pointerSteps } from "../../json/jsonPointer";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../json/jsonValue";
import { l10nText } from "../../text/language";
import { parseUrl } from "../../text/parseUrl";
import { shortened } from "../../text/plainText";
import { keywordsWith, rowOf } from "../keywords";
import {
  type Dialect,
  dialectOf,
  isSince,
  type ReadingBounds,
  type SchemaDocument,
  type SchemaNode,
  type SchemaResource,
} from "../schemaRules";
import { SchemaRefusal } from "./schemaDefects";

/** Returns a document that is known without fetching, by its URI: the published meta-schemas. */
export type KnownDocuments = (uri: string) => unknown;

/**
 * Finds the node a `$ref` or `$dynamicRef` leads to, as seen from `resource`. Looks only inside the schema
 * and the known documents; everything else is refused, since nothing is ever fetched.
 */
export function resolveReference(
  reference: string,
  resource: SchemaResource,
  index: ResourceIndex,
  knownDocuments: KnownDocuments,
): SchemaNode {
  const isTooLong = resource.document.lenient !== undefined && reference.length > maxReference;
  const resolved = isTooLong ? undefined : withBase(reference, resource.uri);
  if (resolved === undefined) throw leadsNowhere(reference);
  const hash = resolved.indexOf("#");
  const uri = hash < 0 ? resolved : resolved.slice(0, hash);
  const fragment = decodeFragment(hash < 0 ? "" : resolved.slice(hash + 1), reference);
  const target = resourceAt(uri, reference, index, knownDocuments);
  if (fragment === "" || fragment.startsWith("/"))
    return nodeAt(fragment, target, index, reference);
  const anchored = target.anchors.get(fragment);
  if (anchored === undefined) throw leadsNowhere(reference);
  return anchored;
}

/** Most references stay in their resource, where its URI need not be parsed. */
function withBase(reference: string, uri: string): string | undefined {
  return reference.startsWith("#") ? uri + reference : resolveUri(reference, uri);
}

/** A longer one is not followed where the schema is only displayed: that takes time in proportion to its length. */
const maxReference = 2000;

function resourceAt(
  uri: string,
  reference: string,
  index: ResourceIndex,
  knownDocuments: KnownDocuments,
): SchemaResource {
  if (!index.has(uri)) {
    const value = knownDocuments(uri);
    if (value === undefined) throw leadsOutside(reference);
    // The meta-schemas declare their dialect themselves.
    indexDocument(value, { uri, dialect: "2020-12", isOwn: false, index });
  }
  const found = index.get(uri);
  if (found === undefined || found === "ambiguous") {
    const reason = l10nText(
      "The skill's schema refers to {reference}, and more than one part of it has that name.",
      { reference: quoted(reference) },
    );
    throw new SchemaRefusal("ambiguous", reason, true);
  }
  return found;
}

/** Follows a JSON pointer from a resource's root, even to where no keyword expects a schema. */
function nodeAt(
  fragment: string,
  resource: SchemaResource,
  index: ResourceIndex,
  reference: string,
): SchemaNode {
  const { document } = resource;
  let pointer = resource.pointer;
  let nearest = document.nodes.get(pointer);
  let value = nearest?.value;
  for (const step of pointerSteps(fragment)) {
    value = childAt(value as JsonValue | undefined, step);
    if (value === undefined) throw leadsNowhere(reference);
    pointer += `/${pointerStep(step)}`;
    nearest = document.nodes.get(pointer) ?? nearest;
  }
  const known = document.nodes.get(pointer);
  if (known !== undefined) return known;
  indexNodes({ value, pointer, resource: nearest?.resource ?? resource }, index);
  return document.nodes.get(pointer) ?? { value, pointer, resource };
}

/**
 * Lists the possible replacements of a `$dynamicRef`'s or `$recursiveRef`'s target, by the resource that must
 * have been entered before; empty where the target does not allow any.
 */
export function dynamicNodes(
  keyword: "$dynamicRef" | "$recursiveRef",
  reference: string,
  target: SchemaNode,
  index: ResourceIndex,
): Map<SchemaResource, SchemaNode> | undefined {
  const nodes = new Map<SchemaResource, SchemaNode>();
  const resources = [...index.values()].filter((resource) => resource !== "ambiguous");
  if (keyword === "$recursiveRef") {
    if (!target.resource.isRecursiveAnchor) return undefined;
    for (const resource of resources) {
      const root = resource.document.nodes.get(resource.pointer);
      if (resource.isRecursiveAnchor && root !== undefined) nodes.set(resource, root);
    }
    return nodes;
  }
  const name = decodeFragment(reference.split("#", 2)[1] ?? "", reference);
  if (target.resource.dynamicAnchors.get(name) !== target) return undefined;
  for (const resource of resources) {
    const node = resource.dynamicAnchors.get(name);
    if (node !== undefined && isSince(resource.dialect, "2020-12")) nodes.set(resource, node);
  }
  return nodes;
}

function decodeFragment(fragment: string, reference: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw leadsNowhere(reference);
  }
}

function leadsNowhere(reference: string): SchemaRefusal {
  const reason = l10nText("The skill's schema refers to {reference}, which is not in it.", {
    reference: quoted(reference),
  });
  return new SchemaRefusal("malformed", reason, true);
}

function leadsOutside(reference: string): SchemaRefusal {
  const reason = l10nText(
    "The skill's schema refers to {reference}, which is not part of it. External references are not loaded.",
    { reference: quoted(reference) },
  );
  return new SchemaRefusal("outside", reason, true);
}

function quoted(text: string): string {
  return `"${shortened(text, 200)}"`;
}

/** Resources by URI. A URI that two schemas declare is ambiguous and leads nowhere. */
export type ResourceIndex = Map<string, SchemaResource | "ambiguous">;

/** Schemas nested deeper than this pointer length are not followed where they are only displayed. */
export const maxPointer = 20_000;

/**
 * Finds every schema in a document, with its identifiers and anchors, and adds its resources to `index`.
 * Refuses an unknown dialect, unless the document is read leniently.
 */
export function indexDocument(
  value: unknown,
  options: {
    uri: string;
    dialect: Dialect;
    isOwn: boolean;
    index: ResourceIndex;
    lenient?: ReadingBounds | undefined;
  },
): SchemaDocument {
  const { isOwn, lenient } = options;
  const document: SchemaDocument = { value, isOwn, nodes: new Map(), ...(lenient && { lenient }) };
  const root = newResource(document, options.uri, options.dialect, "");
  root.dialect = dialectIn(value, root);
  root.isDialectDeclared = declaresDialect(value);
  options.index.set(root.uri, root);
  indexNodes({ value, pointer: "", resource: root }, options.index);
  return document;
}

/** Finds every schema from a node downwards. Known nodes stay as they are. */
function indexNodes(start: SchemaNode, index: ResourceIndex): void {
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { nodes } = node.resource.document;
    if (nodes.has(node.pointer)) continue;
    if (isJsonObject(node.value)) identify(node, node.value, index);
    nodes.set(node.pointer, node);
    if (!isJsonObject(node.value) || isEnough(node)) continue;
    const { pointer, resource } = node;
    forEachSubschema(node.value, resource, (path, value) => {
      open.push({ value, pointer: pointer + path, resource });
    });
  }
}

function isEnough({ pointer, resource }: SchemaNode): boolean {
  const { lenient } = resource.document;
  if (lenient === undefined) return false;
  lenient.nodesLeft -= 1;
  return lenient.nodesLeft < 0 || pointer.length > maxPointer;
}

/** Resolves a URI reference; undefined where it or its base is not a URI. */
function resolveUri(reference: string, base: string): string | undefined {
  return parseUrl(reference, base)?.href;
}

function identify(node: SchemaNode, schema: JsonObject, index: ResourceIndex): void {
  const dialect = dialectIn(schema, node.resource);
  const isLenient = node.resource.document.lenient !== undefined;
  const hidesSiblings = !isLenient && !isSince(dialect, "2019-09") && Object.hasOwn(schema, "$ref");
  const id = identifierOf(schema, dialect, isLenient);
  if (typeof id === "string" && !hidesSiblings) enterResource(node, id, dialect, index);
  const { anchors, dynamicAnchors } = node.resource;
  if (isLenient || isSince(dialect, "2019-09")) note(anchors, ownValue(schema, "$anchor"), node);
  if (isLenient || isSince(dialect, "2020-12")) {
    note(anchors, ownValue(schema, "$dynamicAnchor"), node);
    note(dynamicAnchors, ownValue(schema, "$dynamicAnchor"), node);
  }
  if (dialect === "2019-09" && node.pointer === node.resource.pointer) {
    node.resource.isRecursiveAnchor = ownValue(schema, "$recursiveAnchor") === true;
  }
}

function identifierOf(schema: JsonObject, dialect: Dialect, isLenient: boolean): unknown {
  const old = ownValue(schema, "id");
  if (dialect === "draft-04") return old;
  const id = ownValue(schema, "$id");
  const isAnchor = typeof old === "string" && old.startsWith("#");
  return id === undefined && isLenient && isAnchor ? old : id;
}

function enterResource(node: SchemaNode, id: string, dialect: Dialect, index: ResourceIndex): void {
  const isLenient = node.resource.document.lenient !== undefined;
  const resolved = resolveUri(id, node.resource.uri);
  if (resolved === undefined) {
    if (isLenient) return;
    throw new SchemaRefusal(
      "malformed",
      l10nText("The skill's schema has the $id {name}, which is not a URI.", { name: `"${id}"` }),
    );
  }
  const [uri = "", fragment = ""] = resolved.split("#", 2);
  if (!id.startsWith("#")) {
    const { document, isDialectDeclared } = node.resource;
    node.resource = newResource(document, uri, dialect, node.pointer);
    node.resource.isDialectDeclared = isDialectDeclared || declaresDialect(node.value);
    const other = index.get(uri);
    const isSameNode = other !== "ambiguous" && other?.pointer === node.pointer;
    const isTaken = other !== undefined && other !== "ambiguous" && other.document.isOwn;
    index.set(uri, isTaken && !isSameNode ? "ambiguous" : node.resource);
  }
  // Before 2019-09 an anchor is written as the fragment of an identifier.
  if (fragment !== "" && (isLenient || !isSince(dialect, "2019-09")))
    note(node.resource.anchors, fragment, node);
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
    isDialectDeclared: false,
    isRecursiveAnchor: false,
  };
}

function declaresDialect(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && Object.hasOwn(schema, "$schema");
}

function dialectIn(schema: unknown, { dialect: inherited, document }: SchemaResource): Dialect {
  if (!declaresDialect(schema)) return inherited;
  const dialect = dialectOf(schema.$schema);
  if (dialect !== undefined) return dialect;
  if (document.lenient !== undefined) return inherited;
  throw new SchemaRefusal(
    "dialect",
    l10nText("The skill's schema uses the unknown dialect {dialect}.", {
      dialect: JSON.stringify(schema.$schema)?.slice(0, 200) ?? "",
    }),
  );
}

function note(anchors: Map<string, SchemaNode>, name: unknown, node: SchemaNode): void {
  if (typeof name === "string") anchors.set(name, node);
}

interface SubschemaKeyword {
  readonly keyword: string;
  readonly since: Dialect;
}

function subschemaKeywords(
  holds: "schema" | "schemas" | "schemaMap",
  ...others: SubschemaKeyword[]
) {
  const known = keywordsWith({ sort: "applicator", holds }).map((keyword): SubschemaKeyword => {
    const { since = "draft-04" } = rowOf(keyword);
    return { keyword, since };
  });
  return [...known, ...others];
}

/** Where schemas stand; of some keywords they are only referred to, or read by the name of a later one. */
const single = subschemaKeywords(
  "schema",
  { keyword: "additionalItems", since: "draft-04" },
  { keyword: "contentSchema", since: "2019-09" },
);
const lists = subschemaKeywords("schemas", { keyword: "items", since: "draft-04" });
const maps = subschemaKeywords(
  "schemaMap",
  { keyword: "definitions", since: "draft-04" },
  { keyword: "dependencies", since: "draft-04" },
  { keyword: "$defs", since: "2019-09" },
);

/**
 * Visits the direct subschemas of a schema according to its dialect. `path` is the JSON pointer from the
 * schema, starting with a slash.
 */
function forEachSubschema(
  schema: JsonObject,
  { dialect, document: { lenient } }: SchemaResource,
  visit: (path: string, value: unknown) => void,
): void {
  const add = (path: string, value: unknown) => {
    if (isJsonObject(value) || typeof value === "boolean") visit(path, value);
  };
  const isKnown = (since: Dialect) => lenient !== undefined || isSince(dialect, since);
  const most = lenient?.nodesLeft ?? Number.POSITIVE_INFINITY;

  for (const { keyword, since } of single) {
    if (isKnown(since)) add(`/${keyword}`, ownValue(schema, keyword));
  }
  for (const { keyword } of lists) {
    const list = ownValue(schema, keyword);
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.slice(0, most).entries()) add(`/${keyword}/${index}`, value);
  }
  for (const { keyword, since } of maps) {
    const map = ownValue(schema, keyword);
    if (!isJsonObject(map) || !isKnown(since)) continue;
    const names = Object.keys(map).slice(0, most);
    for (const name of names) add(`/${keyword}/${pointerStep(name)}`, map[name]);
  }
}
