import { childAt, pointerStep, pointerSteps } from "../../json/jsonPointer";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../json/jsonValue";
import { l10nText } from "../../text/language";
import { parseUrl } from "../../text/parseUrl";
import { shortened } from "../../text/plainText";
import { type KeywordRow, keywordsWith, rowOf } from "../keywords";
import {
  type Dialect,
  defaultDialect,
  dialectOf,
  isSince,
  type SchemaDocument,
  type SchemaNode,
  type SchemaResource,
} from "../schemaRules";
import { metaSchema } from "./metaSchemas";
import { type SchemaDefects, UnresolvedReference } from "./schemaDefects";

/**
 * The resources of a schema by URI, and its defects. A URI that two parts declare is `ambiguous`, and references to it
 * are not resolved.
 */
export interface SchemaIndex {
  readonly resources: Map<string, SchemaResource | "ambiguous">;
  readonly defects: SchemaDefects;
}

/**
 * Finds the target of a `$ref` or `$dynamicRef` in `resource`. Searches only the schema and the published meta-schemas,
 * since nothing is ever fetched. Throws `UnresolvedReference` for everything else.
 */
export function resolveReference(
  reference: string,
  resource: SchemaResource,
  index: SchemaIndex,
): SchemaNode {
  const resolved = withBase(reference, resource.uri);
  if (resolved === undefined) throw leadsNowhere(reference);
  const hash = resolved.indexOf("#");
  const uri = hash < 0 ? resolved : resolved.slice(0, hash);
  const fragment = decodeFragment(hash < 0 ? "" : resolved.slice(hash + 1), reference);
  const target = resourceAt(uri, reference, index);
  if (fragment === "" || fragment.startsWith("/"))
    return nodeAt(fragment, target, index, reference);
  const anchored = target.anchors.get(fragment);
  if (anchored === undefined) throw leadsNowhere(reference);
  return anchored;
}

/**
 * Resolves a reference against a base URI. Undefined if that is impossible. Appends a reference that starts with `#`,
 * which most do, since parsing the URI takes longer.
 */
function withBase(reference: string, uri: string): string | undefined {
  return reference.startsWith("#") ? uri + reference : resolveUri(reference, uri);
}

function resourceAt(uri: string, reference: string, index: SchemaIndex): SchemaResource {
  const { resources } = index;
  if (!resources.has(uri)) {
    const value = metaSchema(uri);
    if (value === undefined) throw leadsOutside(reference);
    // This dialect does not matter, since meta-schemas declare theirs.
    indexDocument(value, { uri, dialect: defaultDialect, isOwn: false }, index);
  }
  const found = resources.get(uri);
  if (found === undefined || found === "ambiguous") {
    const reason = l10nText(
      "The skill's schema refers to {reference}, and more than one part of it has that name.",
      { reference: quoted(reference) },
    );
    throw new UnresolvedReference("ambiguous", reason);
  }
  return found;
}

/** Follows a JSON pointer from a resource's root, even if no keyword expects a schema at its end. */
function nodeAt(
  fragment: string,
  resource: SchemaResource,
  index: SchemaIndex,
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
  const existing = document.nodes.get(pointer);
  if (existing !== undefined) return existing;
  indexNodes({ value, pointer, resource: nearest?.resource ?? resource }, index);
  return document.nodes.get(pointer) ?? { value, pointer, resource };
}

/**
 * Maps resources to their replacements for the target of a `$dynamicRef` or `$recursiveRef`. A replacement applies only
 * if the evaluation has entered its resource before. Undefined if the target cannot be replaced.
 */
export function dynamicNodes(
  keyword: "$dynamicRef" | "$recursiveRef",
  reference: string,
  target: SchemaNode,
  index: SchemaIndex,
): Map<SchemaResource, SchemaNode> | undefined {
  const nodes = new Map<SchemaResource, SchemaNode>();
  const resources = [...index.resources.values()].filter((resource) => resource !== "ambiguous");
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

function leadsNowhere(reference: string): UnresolvedReference {
  const reason = l10nText("The skill's schema refers to {reference}, which is not in it.", {
    reference: quoted(reference),
  });
  return new UnresolvedReference("malformed", reason);
}

function leadsOutside(reference: string): UnresolvedReference {
  const reason = l10nText(
    "The skill's schema refers to {reference}, which is not part of it. External references are not loaded.",
    { reference: quoted(reference) },
  );
  return new UnresolvedReference("outside", reason);
}

function quoted(text: string): string {
  return `"${shortened(text, 200)}"`;
}

/**
 * Finds every schema in a document, with its identifiers and anchors. Adds its resources to `index`. Refuses an unknown
 * dialect and an identifier that is not a URI. Returns the document's root.
 */
export function indexDocument(
  value: unknown,
  { uri, dialect, isOwn }: { uri: string; dialect: Dialect; isOwn: boolean },
  index: SchemaIndex,
): SchemaNode {
  const document: SchemaDocument = { isOwn, nodes: new Map() };
  const resource = newResource(document, uri, dialect, "");
  resource.dialect = dialectIn(value, resource, index);
  resource.isDialectDeclared = declaresDialect(value);
  index.resources.set(uri, resource);
  const root = { value, pointer: "", resource };
  indexNodes(root, index);
  return root;
}

/** Finds every schema from a node down. Skips schemas that were found before. */
function indexNodes(start: SchemaNode, index: SchemaIndex): void {
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { nodes } = node.resource.document;
    if (nodes.has(node.pointer)) continue;
    if (isJsonObject(node.value)) identify(node, node.value, index);
    nodes.set(node.pointer, node);
    if (!isJsonObject(node.value)) continue;
    const { pointer, resource } = node;
    forEachSubschema(node.value, resource, (path, value) => {
      open.push({ value, pointer: pointer + path, resource });
    });
  }
}

/** Resolves a URI reference. Undefined if the reference or its base is not a URI. */
function resolveUri(reference: string, base: string): string | undefined {
  return parseUrl(reference, base)?.href;
}

function identify(node: SchemaNode, schema: JsonObject, index: SchemaIndex): void {
  const dialect = dialectIn(schema, node.resource, index);
  const hidesSiblings = !isSince(dialect, "2019-09") && Object.hasOwn(schema, "$ref");
  const id = ownValue(schema, dialect === "draft-04" ? "id" : "$id");
  if (typeof id === "string" && !hidesSiblings) enterResource(node, id, dialect, index);
  const { anchors, dynamicAnchors } = node.resource;
  if (isSince(dialect, "2019-09")) addAnchor(anchors, ownValue(schema, "$anchor"), node);
  if (isSince(dialect, "2020-12")) {
    addAnchor(anchors, ownValue(schema, "$dynamicAnchor"), node);
    addAnchor(dynamicAnchors, ownValue(schema, "$dynamicAnchor"), node);
  }
  if (dialect === "2019-09" && node.pointer === node.resource.pointer) {
    node.resource.isRecursiveAnchor = ownValue(schema, "$recursiveAnchor") === true;
  }
}

function enterResource(
  node: SchemaNode,
  id: string,
  dialect: Dialect,
  { resources, defects }: SchemaIndex,
): void {
  const resolved = resolveUri(id, node.resource.uri);
  if (resolved === undefined) {
    const name = { name: `"${id}"` };
    const reason = l10nText("The skill's schema has the $id {name}, which is not a URI.", name);
    defects.refuse("malformed", reason);
    return;
  }
  const [uri = "", fragment = ""] = resolved.split("#", 2);
  if (!id.startsWith("#")) {
    const { document, isDialectDeclared } = node.resource;
    node.resource = newResource(document, uri, dialect, node.pointer);
    node.resource.isDialectDeclared = isDialectDeclared || declaresDialect(node.value);
    const other = resources.get(uri);
    const isSameNode = other !== "ambiguous" && other?.pointer === node.pointer;
    const isTaken = other !== undefined && other !== "ambiguous" && other.document.isOwn;
    resources.set(uri, isTaken && !isSameNode ? "ambiguous" : node.resource);
  }
  // Before 2019-09, an anchor is the fragment of an identifier.
  if (fragment !== "" && !isSince(dialect, "2019-09"))
    addAnchor(node.resource.anchors, fragment, node);
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

function dialectIn(
  schema: unknown,
  { dialect: inherited }: SchemaResource,
  { defects }: SchemaIndex,
): Dialect {
  if (!declaresDialect(schema)) return inherited;
  const dialect = dialectOf(schema.$schema);
  if (dialect !== undefined) return dialect;
  const reason = l10nText("The skill's schema uses the unknown dialect {dialect}.", {
    dialect: JSON.stringify(schema.$schema)?.slice(0, 200) ?? "",
  });
  defects.refuse("dialect", reason);
  return inherited;
}

function addAnchor(anchors: Map<string, SchemaNode>, name: unknown, node: SchemaNode): void {
  if (typeof name === "string") anchors.set(name, node);
}

/**
 * The keywords that hold subschemas. They include keywords whose subschemas apply only through references, such as
 * `$defs`, and older names of other keywords, such as `additionalItems`.
 */
const subschemaKeywords: readonly {
  readonly keyword: string;
  readonly holds: KeywordRow["holds"];
  readonly since?: Dialect;
}[] = [
  ...keywordsWith({ sort: "applicator" }).map((keyword) => ({ keyword, ...rowOf(keyword) })),
  { keyword: "additionalItems", holds: "schema" },
  { keyword: "contentSchema", holds: "schema", since: "2019-09" },
  { keyword: "items", holds: "schemas" },
  { keyword: "definitions", holds: "schemaMap" },
  { keyword: "dependencies", holds: "schemaMap" },
  { keyword: "$defs", holds: "schemaMap", since: "2019-09" },
];

/**
 * Visits the direct subschemas of a schema according to its dialect. `path` is the JSON pointer from the schema,
 * starting with a slash.
 */
function forEachSubschema(
  schema: JsonObject,
  { dialect }: SchemaResource,
  visit: (path: string, value: unknown) => void,
): void {
  const add = (path: string, value: unknown) => {
    if (isJsonObject(value) || typeof value === "boolean") visit(path, value);
  };
  for (const { keyword, holds, since = "draft-04" } of subschemaKeywords) {
    const content = ownValue(schema, keyword);
    if (content === undefined || !isSince(dialect, since)) continue;
    if (holds === "schema") add(`/${keyword}`, content);
    else if (holds === "schemaMap" && isJsonObject(content)) {
      for (const name of Object.keys(content))
        add(`/${keyword}/${pointerStep(name)}`, content[name]);
    } else if (holds === "schemas" && Array.isArray(content)) {
      for (const [index, value] of content.entries()) add(`/${keyword}/${index}`, value);
    }
  }
}
