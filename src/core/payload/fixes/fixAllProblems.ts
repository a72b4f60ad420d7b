import type { JsonValue } from "../../json/jsonValue";
import type { PayloadProblem } from "../payloadCheck";
import { schemaLookup } from "../schemaAtPointer";
import { addMembers } from "./addMembers";
import type { FixAll, FixesRequest, FixesResult, FixInput } from "./payloadFix";
import { payloadFixes } from "./payloadFixes";
import { type TextEdit, textStyle, withoutOverlaps } from "./textEdit";

/** Finds the fixes that are asked for, of a text that was checked against a schema. */
export function findFixes(
  { text, problems, indexes, includesAll }: FixesRequest,
  schema: JsonValue | undefined,
): FixesResult {
  const input = { text, problems, schemaAt: schemaLookup(schema) };
  const fixes = indexes.map((index) => {
    const problem = problems[index];
    return problem === undefined ? [] : payloadFixes(input, problem);
  });
  return { fixes, all: includesAll ? fixAllProblems(input) : { edits: [], count: 0 } };
}

/**
 * Gathers the edits for every problem that has one unambiguous fix. A missing property is written
 * where the schema gives its value, unless a misspelt one is renamed to it.
 */
export function fixAllProblems(input: FixInput): FixAll {
  const missing = new Map<string, PayloadProblem[]>();
  const edits: TextEdit[] = [];
  const renamed = new Map<number, string>();
  const replaced = new Set<string>();
  let count = 0;
  for (const problem of input.problems) {
    if (problem.data?.kind === "missingProperty") {
      const object = `${problem.start}${problem.pointer}`;
      missing.set(object, [...(missing.get(object) ?? []), problem]);
      continue;
    }
    const sure = payloadFixes(input, problem).find(({ isUnambiguous }) => isUnambiguous);
    if (sure === undefined) continue;
    edits.push(...sure.edits);
    count += 1;
    if (problem.data?.kind === "unknownProperty" && problem.data.didYouMean !== undefined) {
      const parent = problem.pointer.slice(0, problem.pointer.lastIndexOf("/"));
      replaced.add(`${parent}/${problem.data.didYouMean}`);
      renamed.set(problem.start, problem.data.didYouMean);
    }
  }
  for (const problems of missing.values()) {
    const added = addGiven(input, problems, { replaced, renamed });
    edits.push(...added.edits);
    count += added.count;
  }
  return { edits: withoutOverlaps(edits), count };
}

interface Renames {
  /** The pointers that properties have by their new names. */
  readonly replaced: ReadonlySet<string>;
  /** The new names by the start of the key. */
  readonly renamed: ReadonlyMap<number, string>;
}

function addGiven(
  { text, schemaAt }: FixInput,
  problems: readonly PayloadProblem[],
  { replaced, renamed }: Renames,
): FixAll {
  const [first] = problems;
  if (first === undefined) return { edits: [], count: 0 };
  const { names, sampleOf } = schemaAt(first.schemaPointer);
  const given = problems.flatMap(({ data, pointer }) => {
    if (data?.kind !== "missingProperty" || replaced.has(`${pointer}/${data.name}`)) return [];
    const { value, isGiven } = sampleOf(data.name);
    return isGiven ? [{ name: data.name, value }] : [];
  });
  if (given.length === 0) return { edits: [], count: 0 };
  const edits = addMembers(text, first.start, given, names, textStyle(text), renamed);
  return { edits, count: given.length };
}
