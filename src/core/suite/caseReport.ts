import { untoldDoubts } from "../environment/placeholderDoubts";
import type { ReportItem } from "../findings/report";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { JsonValue } from "../json/jsonValue";
import { jsonRanges, lineStartsOf, type PayloadCheck, positionsIn } from "../payload/payloadCheck";
import type { Language } from "../text/language";
import { type CaseProblem, lacksOutput } from "./judgeCase";
import { type OrphanedOutput, snapshotFileName } from "./suite";

/**
 * The result of a case. `unknown` could not be decided, with the reason in the problems; `untested` has a valid
 * payload, but nothing was sent to test the rest.
 */
export interface Verdict {
  readonly kind: "judged" | "untested" | "unknown";
  /** The failed expectations; empty for none. */
  readonly problems: readonly CaseProblem[];
  /** The judged output; undefined without one. */
  readonly output?: JsonValue | undefined;
}

/** Returns the JSON pointer of a problem in its suite. A problem of the whole case is at the case's name. */
export function casePointer(index: number, { at = "/name" }: Pick<CaseProblem, "at">): string {
  return `/cases/${index}${at}`;
}

/** A case that was run, or its comparison with another version. */
export interface RanCase {
  readonly name: string;
  readonly rule: "case" | "differs";
  readonly index: number;
  readonly verdict: Verdict;
  readonly milliseconds?: number;
  readonly record: InvocationRecord | undefined;
  /** The check of the payload; undefined if there was none, and for a comparison. */
  readonly check?: PayloadCheck | undefined;
}

/** A suite with its file, and the stored outputs that belong to none of its cases. */
interface ReportedSuite {
  readonly file: string;
  readonly text: string;
  readonly orphans: readonly OrphanedOutput[];
}

/**
 * Lists the results of cases for a terminal, each problem at its range in the suite. A word in double braces that is
 * sent as text is named once, at the first payload with it.
 */
export function caseItems(
  ran: readonly RanCase[],
  { file, text, orphans }: ReportedSuite,
  { t }: Language,
): readonly ReportItem[] {
  const hintFor = (name: string) => {
    const orphan = orphans.find(({ renamedTo }) => renamedTo === name);
    return orphan === undefined
      ? t("Store one with `skill-registry test --live --update`.")
      : t("Rename “{name}” to it in {file}.", { name: orphan.name, file: snapshotFileName(file) });
  };
  const told = new Set<string>();
  const doubts = ran.map(({ check, index }) =>
    (check === undefined ? [] : untoldDoubts(check, told)).map((doubt) => ({
      ...doubt,
      at: `/cases/${index}/payload${doubt.pointer}`,
    })),
  );
  const pointers = ran.flatMap(({ index, verdict }) =>
    verdict.problems.map((problem) => casePointer(index, problem)),
  );
  const ranges = jsonRanges(text, new Set([...pointers, ...doubts.flat().map(({ at }) => at)]));
  const lines = lineStartsOf(text);
  const placeOf = (pointer: string) => {
    const range = ranges.get(pointer);
    return range === undefined ? {} : positionsIn(lines, range);
  };
  return ran.map(({ name, rule, index, verdict, milliseconds, record }, at): ReportItem => {
    const { kind, problems } = verdict;
    const { invocationId } = record ?? {};
    const isUnknown = kind === "unknown";
    return {
      name: itemName(file, name),
      file,
      state: stateOf(verdict),
      findings: [
        ...problems.map((problem) => ({
          rule: isUnknown ? "unknown" : rule,
          severity: isUnknown ? ("warning" as const) : ("error" as const),
          message: `${name}: ${problem.message}${lacksOutput(problem) ? ` ${hintFor(name)}` : ""}`,
          file,
          ...placeOf(casePointer(index, problem)),
        })),
        ...(doubts[at] ?? []).map((doubt) => ({
          rule: doubt.code,
          severity: doubt.severity,
          message: `${name}: ${doubt.message}`,
          file,
          ...placeOf(doubt.at),
        })),
      ],
      ...(milliseconds !== undefined && { milliseconds }),
      ...(invocationId !== undefined && { invocationId }),
    };
  });
}

/** Names a case in reports. */
export function itemName(file: string, name: string): string {
  return `${file}: ${name}`;
}

/** Returns the state of a case in reports. */
export function stateOf({ kind, problems }: Verdict): ReportItem["state"] {
  if (kind !== "judged") return kind;
  return problems.length === 0 ? "good" : "findings";
}
