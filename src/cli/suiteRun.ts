import type { ReportItem } from "../core/findings/report";
import type { Invocation, InvocationOutcome } from "../core/invocation/invocation";
import { type Allowances, payloadGate } from "../core/invocation/permission/unattendedGate";
import type { JsonValue } from "../core/json/jsonValue";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { SkillDetail } from "../core/skill/skill";
import { answerDifference, type CaseAnswer, notAnswered } from "../core/suite/caseAnswers";
import { judgeOutcome, judgePayload, type SuiteCase } from "../core/suite/suite";
import { english } from "../core/text/language";
import type { PayloadChecker } from "./checkPayloads";
import { payloadText, type SuiteFile } from "./suiteFiles";

/** A version of a suite's skill, or why it could not be read. */
export interface TestedVersion {
  /** Names it in messages: the version, or the slug where it is the registry's current one. */
  readonly name: string;
  readonly skill: SkillDetail | undefined;
  readonly reason: string;
}

/** A suite with the version it is for, and those that are compared with it. */
export interface ReadySuite extends SuiteFile {
  readonly own: TestedVersion;
  readonly against: readonly TestedVersion[];
}

/** What cases are run with. */
export interface CaseTools {
  readonly checker: PayloadChecker;
  readonly allowed: Allowances;
  /** Sends a payload; undefined where nothing is sent. */
  readonly send: ((call: Invocation) => Promise<InvocationOutcome>) | undefined;
  readonly isUpdate: boolean;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Runs the cases of a suite one by one. `kept` takes the outputs that `isUpdate` keeps. */
export async function runSuite(
  suite: ReadySuite,
  kept: Map<string, JsonValue>,
  tools: CaseTools,
): Promise<readonly ReportItem[]> {
  const items: ReportItem[] = [];
  for (const one of suite.suite.cases) {
    tools.signal.throwIfAborted();
    const startedAt = performance.now();
    const text = await payloadText(one, suite.file, tools.cwd);
    const answer = await answerOf(one, text, suite.own, kept, tools);
    const result = answer.kind === "answered" ? judged(one, answer, kept, tools) : answer;
    const milliseconds = Math.round(performance.now() - startedAt);
    items.push({ ...itemOf(one.name, suite.file, "case", result), milliseconds });
    for (const version of suite.against) {
      const other = await answerOf(one, text, version, kept, tools);
      const difference = compared(one, answer, other);
      items.push(itemOf(`${one.name}, against ${version.name}`, suite.file, "differs", difference));
    }
  }
  return items;
}

interface Verdict {
  readonly kind: "judged" | "unknown";
  /** What is not as expected; empty where all is. */
  readonly problems: readonly string[];
}

type Answer =
  | Verdict
  | ({ readonly kind: "answered"; readonly outputCheck?: PayloadCheck | undefined } & CaseAnswer);

function itemOf(
  name: string,
  file: string,
  rule: "case" | "differs",
  { kind, problems }: Verdict,
): ReportItem {
  const isUnknown = kind === "unknown";
  return {
    name: `${file}: ${name}`,
    file,
    state: problems.length === 0 ? "good" : isUnknown ? "unknown" : "findings",
    findings: problems.map((problem) => ({
      rule: isUnknown ? "unknown" : rule,
      severity: isUnknown ? "warning" : "error",
      message: `${name}: ${problem}`,
      file,
    })),
  };
}

async function answerOf(
  one: SuiteCase,
  text: string | undefined,
  { name, skill, reason }: TestedVersion,
  kept: ReadonlyMap<string, JsonValue>,
  tools: CaseTools,
): Promise<Answer> {
  if (skill === undefined) return unknown(`The skill could not be read. ${reason}`);
  if (text === undefined) {
    return { kind: "judged", problems: [`${one.payloadFile} could not be read.`] };
  }
  const { checker, allowed, send } = tools;
  const check = await checker.check(text, skill.inputSchema);
  const answer = { kind: "answered", version: name, check } as const;
  if (judgePayload(one, check, english).length > 0 || one.expect?.invalid !== undefined) {
    return answer;
  }
  if (check.state === "unchecked" && !allowed.unchecked) {
    return unknown(check.reason ?? "The payload could not be checked.");
  }
  if (send === undefined) {
    const snapshot = kept.get(one.name);
    if (snapshot === undefined || skill.outputSchema === undefined) return answer;
    const keptCheck = await checker.check(JSON.stringify(snapshot), skill.outputSchema);
    return { ...answer, keptCheck };
  }
  const { slug, version } = skill.summary;
  const stop = payloadGate(slug, check, allowed, english);
  if (stop !== undefined) return { kind: "judged", problems: [stop.message] };
  const outcome = await send({ skillSlug: slug, version, inputText: text });
  if (outcome.kind === "notSent" || outcome.kind === "outcomeUnknown") {
    return unknown(notAnswered(slug, outcome, english) ?? outcome.kind);
  }
  const outputText = outcome.kind === "success" ? outcome.outputText : undefined;
  if (outputText === undefined) return { ...answer, outcome };
  const output = JSON.parse(outputText) as JsonValue;
  const { outputSchema } = skill;
  if (outputSchema === undefined) return { ...answer, outcome, output };
  return { ...answer, outcome, output, outputCheck: await checker.check(outputText, outputSchema) };
}

function unknown(problem: string): Verdict {
  return { kind: "unknown", problems: [problem] };
}

function judged(
  one: SuiteCase,
  { check, keptCheck, outcome, output, outputCheck }: Extract<Answer, { kind: "answered" }>,
  kept: Map<string, JsonValue>,
  { isUpdate }: CaseTools,
): Verdict {
  const problems = judgePayload(one, check, english);
  if (problems.length > 0 || one.expect?.invalid !== undefined) return { kind: "judged", problems };
  if (outcome === undefined) return { kind: "judged", problems: keptProblems(keptCheck) };
  if (isUpdate && one.expect?.snapshot && output !== undefined) kept.set(one.name, output);
  const facts = { output, outputCheck, snapshot: kept.get(one.name) };
  return { kind: "judged", problems: judgeOutcome(one, outcome, facts, english) };
}

/** Without sending, what is kept can be compared with the schema that outputs have now. */
function keptProblems(check: PayloadCheck | undefined): readonly string[] {
  return (check?.problems ?? [])
    .filter(({ severity }) => severity === "error")
    .map(
      ({ pointer, message }) =>
        `The output that is kept does not match its schema at ${pointer || "/"}: ${message}`,
    );
}

function compared(one: SuiteCase, before: Answer, now: Answer): Verdict {
  if (before.kind !== "answered") return unknown("There is nothing to compare it with.");
  if (now.kind !== "answered") return now;
  for (const { outcome, version } of [before, now]) {
    const why = outcome && notAnswered(version, outcome, english);
    if (why !== undefined) return unknown(why);
  }
  const difference = answerDifference(one, before, now, english);
  return { kind: "judged", problems: difference === undefined ? [] : [difference] };
}
