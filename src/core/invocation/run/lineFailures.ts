import type { Finding } from "../../findings/report";
import { asSentence } from "../../text/plainText";
import type { LineEnd } from "./journalEntry";

/** The lines of a run that failed for the same reason. After twenty reasons, one last entry joins all others. */
export interface LineFailures {
  /**
   * The code of the registry or the skill, else the status of the lines. Empty in the entry that joins other reasons.
   */
  readonly code: string;
  /** The message of the first of these lines in the file, else its status. */
  readonly message: string;
  readonly count: number;
  /** The first of these lines in the order of the file. */
  readonly lines: readonly number[];
}

/** The maximum number of separate reasons. */
const maxReasons = 20;
const otherReasons = "Failed for other reasons, which the journal has.";
/** The maximum number of listed lines; the rest are counted. */
const maxListed = 20;

/** Adds a failed line to those with the same reason. */
export function withFailure(
  failures: readonly LineFailures[],
  { line, status, code, message }: LineEnd,
): readonly LineFailures[] {
  const alone = { code: code || status, message: message || status, count: 1, lines: [line] };
  const isSeparate =
    failures.length < maxReasons || failures.some((item) => item.code === alone.code);
  const failure = isSeparate ? alone : { ...alone, code: "", message: otherReasons };
  const same = failures.find((item) => item.code === failure.code);
  if (same === undefined) return [...failures, failure];
  // Lines do not end in the order of the file.
  const lines = [...same.lines, line].sort((one, other) => one - other).slice(0, maxListed);
  const { message: first } = lines[0] === line ? failure : same;
  const more = { ...same, message: first, lines, count: same.count + 1 };
  return failures.map((item) => (item === same ? more : item));
}

/**
 * Describes why lines of a file failed: one finding per reason, most lines first, other reasons last. Each finding is
 * at the first of its lines.
 */
export function failureFindings(
  failures: readonly LineFailures[],
  file: string,
): readonly Finding[] {
  return failures
    .toSorted((one, other) => rank(other) - rank(one))
    .map(({ code, message, count, lines: [first = 1, ...others] }) => {
      const also = count === 1 ? "" : ` Also ${linesText(others, count - 1)}.`;
      return {
        rule: code || "other",
        severity: "error",
        message: `${asSentence(message)}${also}`,
        file,
        start: { line: first - 1, character: 0 },
      };
    });
}

function rank({ code, count }: LineFailures): number {
  return code === "" ? 0 : count;
}

/**
 * Returns the message of a canceled command that still waits for responses. `lines` names the sent lines, `count` is
 * their number.
 */
export function awaitedText(lines: string, count: number): string {
  const [answers, outcomes] =
    count === 1 ? ["answer", "its outcome is"] : ["answers", "their outcomes are"];
  return `Waiting for the ${answers} to ${lines}. Press Ctrl+C again to end now; ${outcomes} then unknown.`;
}

/** Names `count` lines: `line 3`, `lines 3, 17 and 40 more`. */
export function linesText(lines: readonly number[], count: number = lines.length): string {
  const listed = lines.slice(0, maxListed);
  const more = count > listed.length ? ` and ${count - listed.length} more` : "";
  return `${count === 1 ? "line" : "lines"} ${listed.join(", ")}${more}`;
}
