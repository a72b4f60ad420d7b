import { pointerOf, pointerSteps, valueAt } from "../../json/jsonPointer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue";
import { testableSchema } from "../read/testableSchema";
import { type SchemaMistake, schemaMistakes } from "./schemaMistakes";

/** The maximum number of misspelled keywords inside each other. */
const maxPasses = 5;

/**
 * Lists the mistakes of a schema with those that its misspelled keywords hide: `mistakes`, and what appears once all with
 * a better name have it. Each is at its pointer in `source`.
 */
export function withMistakesBehind(
  source: JsonObject,
  mistakes: readonly SchemaMistake[],
): readonly SchemaMistake[] {
  let all = mistakes;
  let found = mistakes;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    if (found.every(({ betterName }) => betterName === undefined)) break;
    found = mistakesBehind(source, all);
    all = [...all, ...found];
  }
  return all;
}

/** Lists what appears in a schema once all of `mistakes` with a better name have it. */
function mistakesBehind(
  source: JsonObject,
  mistakes: readonly SchemaMistake[],
): readonly SchemaMistake[] {
  const betterNames = new Map(
    mistakes.flatMap(({ pointer, betterName }) =>
      betterName === undefined ? [] : [[pointer, betterName] as const],
    ),
  );
  const renamed = [...betterNames.keys()]
    .map((pointer) => ({ pointer, corrected: correctedPointer(pointer, betterNames) }))
    // Of several members with one better name, only the first can have it.
    .filter(
      ({ corrected }, index, all) => all.findIndex((one) => one.corrected === corrected) === index,
    )
    .toSorted((one, other) => other.pointer.length - one.pointer.length);
  const inSource = (pointer: string) => {
    const outer = renamed.find(({ corrected }) => `${pointer}/`.startsWith(`${corrected}/`));
    return outer === undefined ? pointer : outer.pointer + pointer.slice(outer.corrected.length);
  };
  const told = new Set(mistakes.map(({ pointer }) => pointer));
  return schemaMistakes(testableSchema(correctedSchema(source, renamed)))
    .map(({ pointer, fix, ...mistake }) => ({
      ...mistake,
      pointer: inSource(pointer),
      ...(fix && { fix: { ...fix, pointer: inSource(fix.pointer) } }),
    }))
    .filter(({ pointer }) => !told.has(pointer));
}

interface RenamedMember {
  readonly pointer: string;
  readonly corrected: string;
}

/** Returns a pointer with the better names of all its steps. */
function correctedPointer(pointer: string, betterNames: ReadonlyMap<string, string>): string {
  const steps = pointerSteps(pointer);
  return pointerOf(
    steps.map((step, index) => betterNames.get(pointerOf(steps.slice(0, index + 1))) ?? step),
  );
}

/** Returns a copy of a schema with renamed members, of which the innermost are first in `renamed`. */
function correctedSchema(source: JsonObject, renamed: readonly RenamedMember[]): JsonValue {
  const copy = JSON.parse(JSON.stringify(source)) as JsonValue;
  for (const { pointer, corrected } of renamed) {
    const steps = pointerSteps(pointer);
    const parent = valueAt(copy, pointerOf(steps.slice(0, -1)));
    const [name, better] = [steps.at(-1), pointerSteps(corrected).at(-1)];
    if (!isJsonObject(parent) || name === undefined || better === undefined) continue;
    Object.assign(parent, { [better]: parent[name] });
    Reflect.deleteProperty(parent, name);
  }
  return copy;
}
