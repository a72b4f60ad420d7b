import type { TestableSchema } from "../../schema/read/testableSchema";
import { l10nText } from "../../text/language";
import type { PayloadProblem, PayloadProblemData } from "../payloadCheck";
import {
  type FixAll,
  type FixesRequest,
  type FixesResult,
  type FixInput,
  fixInput,
  offeredFix,
  type PayloadFix,
} from "./payloadFix";
import {
  addDefinedProperties,
  editFixes,
  leaveOutFixes,
  missingFixes,
  unknownFixes,
} from "./propertyFixes";
import {
  bracesFixes,
  byteOrderMarkFixes,
  commentFixes,
  duplicateKeyFixes,
  lossyNumberFixes,
  syntaxFixes,
  trailingCommaFixes,
} from "./syntaxFixes";
import { stringAround, type TextEdit, withoutOverlaps } from "./textEdit";
import {
  allowedValueFixes,
  conversionFixes,
  limitFixes,
  repeatedItemFixes,
  textFormFixes,
} from "./valueFixes";

/**
 * Lists the quick fixes of one problem, the likeliest first. Empty if none is known. No fix is unambiguous if another
 * alternative of the schema may be intended.
 */
export function payloadFixes(input: FixInput, problem: PayloadProblem): PayloadFix[] {
  const all = [...leaveOutFixes(input, problem), ...fixesFor(input, problem)];
  const fixes = all.filter(({ edits }) => edits.length > 0);
  if (problem.guess !== "branch") return fixes;
  return fixes.map((fix) => ({ ...fix, isUnambiguous: false }));
}

function fixesFor(input: FixInput, problem: PayloadProblem): PayloadFix[] {
  const { data } = problem;
  if (data === undefined) return [];
  const find = fixesByKind[data.kind] as FixesOf<typeof data>;
  return find(input, problem, data);
}

type FixesOf<Data> = (input: FixInput, problem: PayloadProblem, data: Data) => PayloadFix[];

/** The fixes of each kind of problem. */
const fixesByKind: {
  readonly [Kind in PayloadProblemData["kind"]]: FixesOf<
    Extract<PayloadProblemData, { kind: Kind }>
  >;
} = {
  missingProperty: (input, problem, { name }) => missingFixes(input, problem, name),
  unknownProperty: unknownFixes,
  wrongType: (input, problem, { expected }) =>
    conversionFixes(input, problem, expected, input.schemaAt(problem.schemaPointer)),
  allowedValues: allowedValueFixes,
  limit: (input, problem, { limit }) => limitFixes(input, problem, limit),
  textForm: textFormFixes,
  repeatedItem: repeatedItemFixes,
  credential: ({ readable }, problem) => credentialFixes(readable, problem),
  syntax: ({ text }, problem, { repair, lacksBraces }) =>
    lacksBraces === true ? bracesFixes(text, problem) : syntaxFixes(text, problem, repair),
  empty: () => [],
  byteOrderMark: byteOrderMarkFixes,
  comment: commentFixes,
  trailingComma: trailingCommaFixes,
  duplicateKey: duplicateKeyFixes,
  lossyNumber: lossyNumberFixes,
  // The change is in the environments file.
  placeholder: () => [],
  undeclared: () => [],
  edit: (_, __, data) => editFixes(data),
};

/** Offers to empty the whole string, not only the match: of a key with several lines, only the first is recognized. */
function credentialFixes(text: string, { start }: PayloadProblem): PayloadFix[] {
  const string = stringAround(text, start);
  if (string === undefined || /^\s*:/.test(text.slice(string.end, string.end + 1000))) return [];
  return [offeredFix(l10nText("Remove the credential"), { ...string, text: '""' })];
}

/** Finds the requested fixes of a text that was checked against a schema. */
export function findFixes(
  { indexes, includesAll, ...rest }: FixesRequest,
  schema: TestableSchema | undefined,
): FixesResult {
  const input = fixInput(rest, schema);
  const { problems } = input;
  const fixes = indexes.map((index) => {
    const problem = problems[index];
    return problem === undefined ? [] : payloadFixes(input, problem);
  });
  return { fixes, all: includesAll ? fixAllProblems(input) : { edits: [], count: 0 } };
}

/** Problems of the text that are found before it is JSON. */
const kindsInText: readonly (PayloadProblemData["kind"] | undefined)[] = [
  "syntax",
  "comment",
  "trailingComma",
];

/**
 * Collects the edits for every problem with one unambiguous fix. Adds a missing property if the schema defines its
 * value, unless a misspelled property is renamed to it. After a syntax error without such a fix, it is only a guess
 * what is inside a string, so nothing after it is changed.
 */
export function fixAllProblems(input: FixInput): FixAll {
  const missing = new Map<string, PayloadProblem[]>();
  const edits: TextEdit[] = [];
  const renamed = new Map<number, string>();
  const replaced = new Set<string>();
  let count = 0;
  let isGuessing = false;
  for (const problem of input.problems) {
    if (isGuessing && kindsInText.includes(problem.data?.kind)) continue;
    if (problem.data?.kind === "missingProperty") {
      if (problem.guess !== undefined) continue;
      const object = `${problem.start}${problem.pointer}`;
      missing.set(object, [...(missing.get(object) ?? []), problem]);
      continue;
    }
    const fix = payloadFixes(input, problem).find(({ isUnambiguous }) => isUnambiguous);
    if (fix === undefined) {
      isGuessing ||= problem.data?.kind === "syntax";
      continue;
    }
    edits.push(...fix.edits);
    count += 1;
    if (problem.data?.kind === "unknownProperty" && problem.data.didYouMean !== undefined) {
      const parent = problem.pointer.slice(0, problem.pointer.lastIndexOf("/"));
      replaced.add(`${parent}/${problem.data.didYouMean}`);
      renamed.set(problem.start, problem.data.didYouMean);
    }
  }
  for (const problems of missing.values()) {
    const added = addDefinedProperties(input, problems, { replaced, renamed });
    edits.push(...added.edits);
    count += added.count;
  }
  return { edits: withoutOverlaps(edits), count };
}
