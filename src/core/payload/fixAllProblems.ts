import { addMembers } from "./addMembers";
import type { PayloadProblem } from "./payloadCheck";
import type { FixInput } from "./payloadFix";
import { payloadFixes } from "./payloadFixes";
import { schemaAtRule } from "./schemaAtRule";
import { type TextEdit, withoutOverlaps } from "./textEdit";
import { textStyle } from "./textStyle";

/** All that can be mended without a doubt, in one go: the edits and how many problems they end. */
export interface FixAll {
  readonly edits: readonly TextEdit[];
  readonly count: number;
}

/**
 * Gathers the edits for every problem that has one unambiguous fix. A missing property is written
 * where the schema gives its value, unless a misspelt one is renamed to it.
 */
export function fixAllProblems(input: FixInput): FixAll {
  const missing = new Map<string, PayloadProblem[]>();
  const edits: TextEdit[] = [];
  const renamed = new Set<string>();
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
    if (problem.data?.kind === "unknownProperty") {
      const parent = problem.pointer.slice(0, problem.pointer.lastIndexOf("/"));
      renamed.add(`${parent}/${problem.data.didYouMean}`);
    }
  }
  for (const problems of missing.values()) {
    const added = addGiven(input, problems, renamed);
    edits.push(...added.edits);
    count += added.count;
  }
  return { edits: withoutOverlaps(edits), count };
}

function addGiven(
  { text, schema }: FixInput,
  problems: readonly PayloadProblem[],
  renamed: ReadonlySet<string>,
): FixAll {
  const [first] = problems;
  if (first === undefined) return { edits: [], count: 0 };
  const { names, sampleOf } = schemaAtRule(schema, first.schemaPointer);
  const given = problems.flatMap(({ data, pointer }) => {
    if (data?.kind !== "missingProperty" || renamed.has(`${pointer}/${data.name}`)) return [];
    const { value, isGiven } = sampleOf(data.name);
    return isGiven ? [{ name: data.name, value }] : [];
  });
  if (given.length === 0) return { edits: [], count: 0 };
  const edits = addMembers(text, first.start, given, names, textStyle(text));
  return { edits, count: given.length };
}
