import type { JsonObject } from "../../text/json";
import type { RuleChange } from "./ruleChanges";

/** Compares whether properties and items that are not described may be given. */
export function closureChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): RuleChange[] {
  return [
    ...closureChange("additionalProperties", before, after, isClosedObject),
    ...closureChange("items", before, after, isClosedArray),
  ];
}

/** Tells whether an object of this schema may hold no property that is not described. */
function isClosedObject(layer: JsonObject): boolean {
  return layer["additionalProperties"] === false || layer["unevaluatedProperties"] === false;
}

function isClosedArray(layer: JsonObject): boolean {
  return layer["items"] === false || layer["additionalItems"] === false;
}

/** Tells whether objects may hold no property that is not described. */
export function closesObject(layers: readonly JsonObject[]): boolean {
  return layers.some(isClosedObject);
}

/** The keys of `otherPlaces` where nothing is taken. */
export function closedPlaces(layers: readonly JsonObject[]): ReadonlySet<string> {
  const places = [
    ...(closesObject(layers) ? ["others"] : []),
    ...(layers.some(isClosedArray) ? ["items"] : []),
  ];
  return new Set(places);
}

function closureChange(
  keyword: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  isClosed: (layer: JsonObject) => boolean,
): RuleChange[] {
  const [old, now] = [before.some(isClosed), after.some(isClosed)];
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: false } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: false } }];
}
