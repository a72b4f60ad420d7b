import type { JsonObject, JsonValue } from "../../core/text/json";
import { member, objectOf } from "./field";

/** Finds the object an answer is about, bare or in an envelope: `{data:{…}}` or `{<name>:{…}}`. */
export function unwrapObject(body: JsonValue, ...names: readonly string[]): JsonObject | undefined {
  const outer = objectOf(body);
  if (outer === undefined) return undefined;
  for (const name of ["data", ...names]) {
    const inner = objectOf(member(outer, name));
    if (inner !== undefined) return unwrapObject(inner, ...names) ?? inner;
  }
  return outer;
}

/** A list out of an answer, and the object that held it, which may say more about it. */
export interface WireList {
  readonly items: readonly JsonValue[];
  readonly holder: JsonObject;
}

/** Finds a list: a bare array, or under `name`, items, results or data, also inside `{data:{…}}`. */
export function unwrapList(body: JsonValue, name: string): WireList | undefined {
  if (Array.isArray(body)) return { items: body, holder: {} };
  const outer = objectOf(body);
  if (outer === undefined) return undefined;
  for (const key of [name, "items", "results", "data"]) {
    const found = member(outer, key);
    if (Array.isArray(found)) return { items: found, holder: outer };
  }
  const inner = objectOf(member(outer, "data"));
  return inner === undefined ? undefined : unwrapList(inner, name);
}
