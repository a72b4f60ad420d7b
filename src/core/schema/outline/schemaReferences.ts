import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";

/** Finds what a `$ref` inside a schema points at. Undefined for another document, or where nothing is there. */
export type ResolveReference = (reference: string) => JsonValue | undefined;

/** Prepares the lookup of local references: `#`, `#/json/pointer` and `#anchor`. Never leaves the schema. */
export function localReferences(root: JsonValue): ResolveReference {
  let anchors: Map<string, JsonValue> | undefined;
  const known = new Map<string, JsonValue | undefined>();
  return (reference) => {
    if (!reference.startsWith("#") || reference.length > maxReference) return undefined;
    if (known.has(reference)) return known.get(reference);
    const target = find(reference);
    known.set(reference, target);
    return target;
  };

  function find(reference: string): JsonValue | undefined {
    const fragment = decodeFragment(reference.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment === "" || fragment.startsWith("/")) return atPointer(root, fragment);
    anchors ??= anchorsOf(root);
    return anchors.get(fragment);
  }
}

/** Longer references are not followed: reading one takes time by its length. */
const maxReference = 2000;
/** So many values of a schema are searched for anchors. */
const maxSearched = 5000;

function atPointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const escaped of pointer.split("/").slice(1)) {
    const step = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function anchorsOf(root: JsonValue): Map<string, JsonValue> {
  const anchors = new Map<string, JsonValue>();
  const waiting: JsonValue[] = [root];
  let left = maxSearched;
  for (let value = waiting.pop(); value !== undefined && left > 0; value = waiting.pop()) {
    left -= 1;
    if (isJsonObject(value)) {
      for (const name of anchorNames(value)) if (!anchors.has(name)) anchors.set(name, value);
    }
    const parts = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (const part of parts.slice(0, left)) {
      if (typeof part === "object" && part !== null) waiting.push(part);
    }
  }
  return anchors;
}

// Drafts up to 7 name a place with an `$id` (draft 4: `id`) that is a fragment.
function anchorNames(schema: JsonObject): string[] {
  const names = [schema["$anchor"], schema["$dynamicAnchor"]];
  const fragments = [schema["$id"], schema["id"]].map((id) =>
    typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined,
  );
  return [...names, ...fragments].filter((name) => typeof name === "string");
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
