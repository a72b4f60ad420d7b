import type { Finding } from "../../findings/report";
import type { LineEnd } from "./journalEntry";

/** The lines of a run that failed for one reason. */
export interface LineFailures {
  /** The code of the registry or the skill; without one, how the lines ended. */
  readonly code: string;
  /** What was said of the first of them. */
  readonly message: string;
  readonly count: number;
  /** The first that ended so. */
  readonly lines: readonly number[];
}

/** More reasons than these are not told apart. */
const maxReasons = 20;
/** More lines than these are counted, not listed. */
const maxListed = 20;

/** Adds a line that failed to those that failed for the same reason. */
export function withFailure(
  failures: readonly LineFailures[],
  { line, status, code = status, message = "" }: LineEnd,
): readonly LineFailures[] {
  const same = failures.find((one) => one.code === code);
  if (same === undefined) {
    const first = { code, message, count: 1, lines: [line] };
    return failures.length < maxReasons ? [...failures, first] : failures;
  }
  const lines = same.lines.length < maxListed ? [...same.lines, line] : same.lines;
  const more = { ...same, lines, count: same.count + 1 };
  return failures.map((one) => (one === same ? more : one));
}

/** Describes why lines of a file failed, one finding a reason, most lines first; each is at the first of its lines. */
export function failureFindings(
  failures: readonly LineFailures[],
  file: string,
): readonly Finding[] {
  return failures
    .toSorted((one, other) => other.count - one.count)
    .map(({ code, message, count, lines }) => {
      const [first = 1, ...others] = lines.toSorted((one, other) => one - other);
      const also = count === 1 ? "" : ` Also ${linesText(others, count - 1)}.`;
      return {
        rule: code,
        severity: "error",
        message: `${message}${also}`.trim(),
        file,
        start: { line: first - 1, character: 0 },
      };
    });
}

/** Names lines, of which there are `count`: `line 3`, `lines 3, 17 and 40 more`. */
export function linesText(lines: readonly number[], count: number = lines.length): string {
  const listed = lines.slice(0, maxListed);
  const more = count > listed.length ? ` and ${count - listed.length} more` : "";
  return `${count === 1 ? "line" : "lines"} ${listed.join(", ")}${more}`;
}
