import { pointerStep, pointerSteps } from "../../json/jsonPointer";
import { isJsonObject, ownValue } from "../../json/jsonValue";
import { l10nText } from "../../text/localizableText";
import { isSince, type SchemaNode, type SchemaResource } from "../schemaRules";
import { indexDocument, indexNodes, type ResourceIndex, resolveUri } from "./indexSchema";
import { SchemaRefusal } from "./schemaDefects";

/** Gives a document that is known without asking anyone, by its URI: the published meta-schemas. */
export type KnownDocuments = (uri: string) => unknown;

/**
 * Finds the node a `$ref` or `$dynamicRef` leads to, as seen from `resource`. Looks only inside the
 * schema and the known documents; everything else is refused, because nothing is ever fetched.
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

/** A longer one is not followed where only people read the schema: it takes time by its length. */
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

/** Follows a JSON pointer from a resource's root, also to where no keyword expects a schema. */
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
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
    else value = isJsonObject(value) ? ownValue(value, step) : undefined;
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
 * Lists what may take the place of a `$dynamicRef`'s or `$recursiveRef`'s target, by the resource
 * that must have been entered before; nothing when the target does not allow it.
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
  return `"${text.length > 200 ? `${text.slice(0, 200)}…` : text}"`;
}
