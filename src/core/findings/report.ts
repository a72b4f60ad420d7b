import {
  lineStartsOf,
  type PayloadCheck,
  type PayloadProblem,
  positionsIn,
  problemText,
  type TextPosition,
} from "../payload/payloadCheck";

/** One finding, with its location if known. Contains no payload, output or key. */
export interface Finding {
  /** A stable code: a JSON Schema keyword, a kind of drift, … */
  readonly rule: string;
  readonly severity: PayloadProblem["severity"];
  readonly message: string;
  /** The relative path of the file, with `/` separators; empty if the finding is not in a file. */
  readonly file: string;
  readonly start?: TextPosition;
  readonly end?: TextPosition;
}

/**
 * One checked item: a file, a skill, a case. `untested` has a valid payload and an unchecked output, `unknown` could
 * not be decided, `broken` could not be read.
 */
export interface ReportItem {
  readonly name: string;
  readonly file: string;
  readonly state: "good" | "untested" | "findings" | "unknown" | "broken";
  readonly findings: readonly Finding[];
  /** How long the check took, if that matters. */
  readonly milliseconds?: number;
  /** The ID of the item's invocation, if one was sent and the registry returned an ID. */
  readonly invocationId?: string;
}

/** The maximum number of files that one check reads, on the command line and in the editor. */
export const maxFilesRead = 20_000;

/** The exit codes of the command line. Scripts rely on them. */
export const exitCodes = {
  good: 0,
  findings: 1,
  /** A usage error, or a broken file. */
  broken: 2,
  /** Undecided: the registry was unreachable, or a schema could not be applied. */
  unknown: 3,
  /** There was nothing to check. */
  nothing: 4,
} as const;

/** Chooses the exit code of a report: broken items outrank findings, and findings outrank unknown items. */
export function exitCodeOf(items: readonly Pick<ReportItem, "state">[]): number {
  const worst = (["broken", "findings", "unknown"] as const).find((state) =>
    items.some((item) => item.state === state),
  );
  if (worst !== undefined) return exitCodes[worst];
  return items.length === 0 ? exitCodes.nothing : exitCodes.good;
}

/** Converts problems of a text to findings in a file, with line and character. Each message names its property. */
export function findingsOf(
  problems: readonly PayloadProblem[],
  text: string,
  file: string,
): readonly Finding[] {
  const lines = lineStartsOf(text);
  return problems.map((problem) => {
    const { code: rule, severity, mark } = problem;
    const message = problemText(problem);
    return { rule, severity, message, file, ...positionsIn(lines, mark ?? problem) };
  });
}

/** Returns the report state for a payload's check. Warnings alone are no findings, as in the editor. */
export function stateOfCheck({ state }: PayloadCheck): ReportItem["state"] {
  if (state === "valid") return "good";
  return state === "invalid" ? "findings" : "unknown";
}
