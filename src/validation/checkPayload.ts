import { quoted } from "../core/jsonSchema/failureWords";
import { problemOfFailure, wantPlaceOf } from "../core/jsonSchema/problemOfFailure";
import { checkSyntax, type SyntaxFinding } from "../core/jsonText/checkSyntax";
import { type JsonScan, scanJson } from "../core/jsonText/scanJson";
import { WantedPlace } from "../core/jsonText/wantedPlace";
import type { PayloadCheck, PayloadProblem } from "../core/payload/payloadCheck";
import { secretProblems } from "../core/payload/secretProblems";
import { applySchema } from "./applySchema";
import type { CompiledSchema } from "./compileSchema";
import { uncheckedPayload } from "./uncheckedPayload";

const maxProblems = 200;
/** Places where the text itself is broken; after so many the rest is noise. */
const maxSyntaxErrors = 20;

/**
 * Checks one text against one compiled schema: the text as JSON first, then its value. With `secrets`
 * what looks like a credential is marked too, and these are wherever they stand.
 */
export function checkPayload(
  text: string,
  compiled: CompiledSchema,
  secrets?: readonly string[],
): PayloadCheck {
  let value: unknown;
  let readable = text;
  const textProblems = secrets === undefined ? [] : secretProblems(text, secrets);
  let hidden = 0;
  try {
    value = JSON.parse(text);
  } catch {
    const report = checkSyntax(text, maxSyntaxErrors);
    textProblems.push(...report.findings.map(syntaxProblem));
    hidden = report.hidden;
    if (report.readable === undefined) return summed(textProblems, hidden);
    readable = report.readable;
    value = JSON.parse(readable);
  }
  const root = new WantedPlace();
  const verdict = applySchema(compiled, value, maxProblems);
  const { failures, warnings, hidden: hiddenFailures } = verdict.findings;
  const told = [...failures, ...warnings.slice(0, maxProblems)];
  const places = told.map((failure) => ({ failure, wanted: wantPlaceOf(failure, root) }));
  const scan = scanJson(readable, root, maxProblems);
  const problems = [
    ...textProblems,
    ...scanProblems(scan),
    ...places.map(({ failure, wanted }) => problemOfFailure(failure, wanted)),
  ];
  hidden += scan.hidden + hiddenFailures + Math.max(0, warnings.length - maxProblems);
  const check = summed(problems, hidden);
  if (verdict.kind === "decided" || check.state === "invalid") return check;
  const unchecked = uncheckedPayload(verdict.reason, text);
  return { ...unchecked, problems: [...unchecked.problems, ...check.problems] };
}

function syntaxProblem({ kind, message, start, end }: SyntaxFinding): PayloadProblem {
  return { code: "json", message, severity: "error", start, end, pointer: "", data: { kind } };
}

function scanProblems({ duplicateKeys, lossyNumbers }: JsonScan): PayloadProblem[] {
  const repeated = duplicateKeys.map(
    ({ name, range, firstStart }): PayloadProblem => ({
      code: "json",
      message: `${quoted(name)} stands here a second time; readers differ in which of the two they take.`,
      severity: "error",
      ...range,
      pointer: "",
      data: { kind: "duplicateKey", name, firstStart },
    }),
  );
  const lossy = lossyNumbers.map(
    ({ range, readAs }): PayloadProblem => ({
      code: "json",
      message: `Most readers take this number for ${readAs}. It is sent as it stands.`,
      severity: "warning",
      ...range,
      pointer: "",
      data: { kind: "lossyNumber", readAs },
    }),
  );
  return [...repeated, ...lossy];
}

/** Puts problems in the order of the text, errors first where not all can be listed. */
function summed(problems: PayloadProblem[], hidden: number): PayloadCheck {
  const byStart = (left: PayloadProblem, right: PayloadProblem) =>
    left.start - right.start || left.end - right.end;
  const different = new Map(problems.map((problem) => [keyOf(problem), problem]));
  const all = [...different.values()].sort(byStart);
  const errors = all.filter(({ severity }) => severity === "error");
  const warnings = all.filter(({ severity }) => severity === "warning");
  const listed = [...errors, ...warnings].slice(0, maxProblems).sort(byStart);
  return {
    state: errors.length > 0 ? "invalid" : "valid",
    problems: listed,
    hiddenProblems: hidden + all.length - listed.length,
  };
}

/** Two rules that fail for the same reason at the same place are one problem to a reader. */
function keyOf({ code, message, start, end }: PayloadProblem): string {
  return `${start} ${end} ${code} ${message}`;
}
