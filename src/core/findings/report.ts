import {
  lineStartsOf,
  type PayloadCheck,
  type PayloadProblem,
  positionIn,
  type TextPosition,
} from "../payload/payloadCheck";

/** One thing that was found, at a place where it has one. Holds no payload, output or key. */
export interface Finding {
  /** A stable code: a JSON Schema keyword, a kind of drift, … */
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** The file it stands in, relative, with `/` between its parts; empty where it stands in none. */
  readonly file: string;
  readonly start?: TextPosition;
  readonly end?: TextPosition;
}

/**
 * One thing that was looked at: a file, a skill, a case. `unknown` could not be decided, `broken` could
 * not be read.
 */
export interface ReportItem {
  readonly name: string;
  /** As in a finding. */
  readonly file: string;
  readonly state: "good" | "findings" | "unknown" | "broken";
  readonly findings: readonly Finding[];
  /** How long it took, where that is of interest. */
  readonly milliseconds?: number;
  /** Of the invocation it rests on, where one was sent and the registry gave an ID. */
  readonly invocationId?: string;
}

/** The exit codes of the command line, which scripts go by. */
export const exitCodes = {
  good: 0,
  findings: 1,
  /** A usage error, or a file that is broken. */
  broken: 2,
  /** Undecided: the registry could not be reached, or a schema not be applied. */
  unknown: 3,
  /** There was nothing to look at. */
  nothing: 4,
} as const;

/** Chooses the exit code of a report: what is broken comes before findings, these before what is not known. */
export function exitCodeOf(items: readonly Pick<ReportItem, "state">[]): number {
  const worst = (["broken", "findings", "unknown"] as const).find((state) =>
    items.some((item) => item.state === state),
  );
  if (worst !== undefined) return exitCodes[worst];
  return items.length === 0 ? exitCodes.nothing : exitCodes.good;
}

/** Puts the problems of a text where a reader of the file finds them. */
export function findingsOf(
  problems: readonly PayloadProblem[],
  text: string,
  file: string,
): readonly Finding[] {
  const lines = lineStartsOf(text);
  return problems.map(({ code, severity, message, start, end, mark }) => {
    const range = mark ?? { start, end };
    return {
      rule: code,
      severity,
      message,
      file,
      start: positionIn(lines, range.start),
      end: positionIn(lines, range.end),
    };
  });
}

/** Says how a payload's check counts. Warnings alone are no findings, as in the editor. */
export function stateOfCheck({ state }: PayloadCheck): ReportItem["state"] {
  if (state === "valid") return "good";
  return state === "invalid" ? "findings" : "unknown";
}
