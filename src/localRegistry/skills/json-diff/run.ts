import { isDeepStrictEqual } from "node:util";
import { pointerStep } from "../../../core/json/jsonPointer";
import { isJsonObject, type JsonValue, ownValue } from "../../../core/json/jsonValue";
import type { SkillRun } from "../skillRun";

interface Input {
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly arrays?: "edit" | "replace";
  readonly tests?: boolean;
}

type Operation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string };

/** Creates the JSON Patch (RFC 6902) from one JSON value to another. */
export const run: SkillRun<Input> = ({ before, after, arrays = "edit", tests = false }) => {
  const [changes, guards]: [Operation[], Operation[]] = [[], []];
  const replace = (path: string, from: JsonValue, to: JsonValue) => {
    guards.push({ op: "test", path, value: from });
    changes.push({ op: "replace", path, value: to });
  };
  const remove = (path: string, from: JsonValue) => {
    guards.push({ op: "test", path, value: from });
    changes.push({ op: "remove", path });
  };
  const compare = (path: string, from: JsonValue, to: JsonValue): void => {
    if (isDeepStrictEqual(from, to)) return;
    if (isJsonObject(from) && isJsonObject(to)) {
      for (const [name, value] of Object.entries(from)) {
        const [below, next] = [`${path}/${pointerStep(name)}`, ownValue(to, name)];
        if (next === undefined) remove(below, value);
        else compare(below, value, next);
      }
      for (const [name, value] of Object.entries(to)) {
        if (Object.hasOwn(from, name)) continue;
        changes.push({ op: "add", path: `${path}/${pointerStep(name)}`, value });
      }
    } else if (Array.isArray(from) && Array.isArray(to) && arrays === "edit") {
      compareItems(path, from, to);
    } else {
      replace(path, from, to);
    }
  };
  // Keep common items at both ends, and pair the items between them in order.
  const compareItems = (path: string, from: JsonValue[], to: JsonValue[]) => {
    const shorter = Math.min(from.length, to.length);
    let head = 0;
    while (head < shorter && isDeepStrictEqual(from[head], to[head])) head += 1;
    let tail = 0;
    while (tail < shorter - head && isDeepStrictEqual(from.at(-1 - tail), to.at(-1 - tail))) {
      tail += 1;
    }
    const paired = shorter - tail;
    for (let index = head; index < paired; index += 1) {
      compare(`${path}/${index}`, from[index] ?? null, to[index] ?? null);
    }
    // Remove from the end, so that the remaining indexes stay valid.
    for (let index = from.length - tail - 1; index >= paired; index -= 1) {
      remove(`${path}/${index}`, from[index] ?? null);
    }
    for (let index = paired; index < to.length - tail; index += 1) {
      changes.push({ op: "add", path: `${path}/${index}`, value: to[index] ?? null });
    }
  };
  compare("", before, after);
  const count = (op: Operation["op"]) => changes.filter((change) => change.op === op).length;
  return {
    patch: [...(tests ? guards : []), ...changes].map((operation) => ({ ...operation })),
    changes: { added: count("add"), removed: count("remove"), replaced: count("replace") },
    equal: changes.length === 0,
    arrays,
  };
};
