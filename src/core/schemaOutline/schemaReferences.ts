import { isJsonObject, type JsonObject, type JsonValue } from "../text/json";

/** Finds what a `$ref` inside a schema points at. Undefined for another document, or where nothing is there. */
export type ResolveReference = (reference: string) => JsonValue | undefined;

/** Prepares the lookup of local references: `#`, `#/json/pointer` and `#anchor`. Never leaves the schema. */
export function localReferences(root: JsonValue): ResolveReference {
  let anchors: Map<string, JsonValue> | undefined;
  return (reference) => {
    if (!reference.startsWith("#")) return undefined;
    const fragment = decodeFragment(reference.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment === "" || fragment.startsWith("/")) return atPointer(root, fragment);
    anchors ??= anchorsOf(root);
    return anchors.get(fragment);
  };
}

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
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value.slice(0, 10_000));
    if (!isJsonObject(value)) continue;
    for (const name of anchorNames(value)) if (!anchors.has(name)) anchors.set(name, value);
    waiting.push(...Object.values(value).slice(0, 10_000));
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
