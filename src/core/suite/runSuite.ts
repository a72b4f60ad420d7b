import type { PayloadEnvironment } from "../environment/payloadEnvironment";
import {
  checkResolved,
  type ResolvedPayload,
  resolvePayload,
} from "../environment/resolvedPayload";
import type { ReportItem } from "../findings/report";
import { costOf } from "../invocation/cost";
import { outcomeOf } from "../invocation/outcome";
import { endNotice, otherVersionText } from "../invocation/outcomeNotice";
import {
  isAboutPayload,
  type Stop,
  type Stopped,
  stopText,
} from "../invocation/permission/question";
import { statusText } from "../invocation/record/invocationLabels";
import type { EndedInvocation, InvocationRecord } from "../invocation/record/invocationRecord";
import { parseExactly } from "../json/exactJson";
import { isDeeperThan, type JsonValue } from "../json/jsonValue";
import { jsonText } from "../json/printJson";
import type { TextRange } from "../json/token";
import type { PayloadCheck } from "../payload/payloadCheck";
import { inputSchemaOf, outputSchemaOf, type SkillDetail, type SkillSchema } from "../skill/skill";
import { caseItems, itemName, type RanCase, stateOf, type Verdict } from "./caseReport";
import {
  type CaseOutputs,
  type CaseValues,
  caseValuesOf,
  missingValueText,
  withCaseValues,
} from "./caseValues";
import {
  type AnswerOrVerdict,
  caseVerdict,
  comparisonVerdict,
  judgedAs,
  uncheckedIn,
  unknownVerdict,
  type VerdictOptions,
} from "./caseVerdict";
import { judgePayload } from "./judgeCase";
import {
  orphanedOutputs,
  type ReadySuite,
  type SuiteCase,
  type TestedVersion,
  unreadablePayloadText,
} from "./suite";
import type { Turns } from "./turns";

/**
 * The payload of a case. For a command in a terminal of the editor, the editor's window may replace the placeholders;
 * then the text still contains them.
 */
export interface CasePayload extends ResolvedPayload {
  /** The values from earlier cases, if the editor's window inserts them. */
  readonly caseValues?: CaseValues;
}

/** A version of a skill, and the payload to send to it. */
export interface CaseCall extends CasePayload {
  readonly skillSlug: string;
  readonly version: string;
}

/** The functions that run cases. */
export interface CaseTools extends VerdictOptions {
  /** Checks a payload or an output. A payload may contain secrets at `allowedSecrets`. */
  readonly check: (
    text: string,
    schema: SkillSchema,
    options?: { readonly allowedSecrets: readonly TextRange[] },
  ) => Promise<PayloadCheck>;
  /** The environment whose values and secrets replace placeholders. */
  readonly environment: PayloadEnvironment;
  /** Checks a payload whose placeholders the editor's window replaces; left out if they are replaced here. */
  readonly checkElsewhere?:
    | ((skill: SkillDetail, payload: CasePayload) => Promise<PayloadCheck>)
    | undefined;
  /** The names of the suite's cases before this one, and their outputs, from which it may take values. */
  readonly earlier: readonly string[];
  readonly outputs: CaseOutputs;
  /** Reads the file of a payload, by its path from the suite; undefined if it cannot be read, or lies outside. */
  readonly readPayload: (file: string) => Promise<string | undefined>;
  /** Sends a checked payload; undefined if nothing is sent. */
  readonly send:
    | ((
        call: CaseCall,
        check: PayloadCheck,
      ) => Promise<Stopped | (EndedInvocation & { readonly kind: "sent" })>)
    | undefined;
  /** Names the option or action that would allow sending a stopped case; left out for none. */
  readonly remedyOf?: (stop: Stop) => string | undefined;
}

/** The functions that run the cases of a suite. */
export interface SuiteTools extends Omit<CaseTools, "earlier" | "outputs"> {
  /** Returns whether a case should run. Without this function, all do. */
  readonly isWanted?: (suiteCase: SuiteCase) => boolean;
  /** Runs a case when it is its turn, together with its comparisons, which need its result. */
  readonly turns: Turns;
  /** Returns whether the user canceled. The remaining cases are then `unknown`, and not sent. */
  readonly isCanceled: () => boolean;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Called with each case and each comparison as it ends. */
  readonly ended?: (item: Pick<ReportItem, "name" | "state" | "milliseconds">) => void;
}

/**
 * Runs the cases of a suite. Once all have ended, resolves to the results in the order of the cases, or rejects if a
 * case could not run. `snapshots` receives the outputs that `isUpdate` stores.
 */
export async function runSuite(
  ready: ReadySuite,
  snapshots: Map<string, JsonValue>,
  tools: SuiteTools,
): Promise<readonly ReportItem[]> {
  const outputs: CaseOutputs = new Map();
  const cases = ready.suite.cases.map(async (item, index) => {
    if (tools.isWanted?.(item) === false) return [];
    const earlier = ready.suite.cases.slice(0, index).map(({ name }) => name);
    const running = tools.turns(async () => {
      const caseTools = { ...tools, earlier, outputs };
      const ran = await runWithComparisons(ready, item, index, snapshots, caseTools);
      for (const { name, verdict, milliseconds } of ran) {
        const took = milliseconds === undefined ? {} : { milliseconds };
        tools.ended?.({ name: itemName(ready.file, name), state: stateOf(verdict), ...took });
      }
      return ran;
    });
    const output = running.then(
      ([own]) => own && outputForLaterCases(item, own.verdict, snapshots, tools),
    );
    outputs.set(
      item.name,
      output.catch(() => undefined),
    );
    return running;
  });
  const ended = await Promise.allSettled(cases);
  const ran = ended.flatMap((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  const orphans = orphanedOutputs(ready.suite, snapshots);
  return caseItems(ran, { ...ready, orphans }, tools.language);
}

/** Runs a case with the suite's own version, and with the versions to compare. */
async function runWithComparisons(
  { own, against }: ReadySuite,
  suiteCase: SuiteCase,
  index: number,
  snapshots: Map<string, JsonValue>,
  tools: SuiteTools & CaseTools,
): Promise<readonly RanCase[]> {
  const answer = async (
    payload: string | undefined,
    version: TestedVersion,
  ): Promise<AnswerOrVerdict> =>
    tools.isCanceled()
      ? unknownVerdict(tools.language.t("Canceled before it was run."))
      : answerOf(suiteCase, payload, version, snapshots, tools);
  const startedAt = tools.now();
  const payload = await payloadOf(suiteCase, tools);
  const answered = await answer(payload, own);
  const verdict = caseVerdict(suiteCase, answered, snapshots, tools);
  const milliseconds = Math.round(tools.now() - startedAt);
  const { record } = answered;
  const check = answered.kind === "answered" ? answered.check : undefined;
  const ran: RanCase[] = [
    { name: suiteCase.name, rule: "case", index, verdict, milliseconds, record, check },
  ];
  for (const version of against) {
    const other = await answer(payload, version);
    const difference = comparisonVerdict(suiteCase, answered, other, tools);
    const name = `${suiteCase.name}, against ${version.name}`;
    ran.push({ name, rule: "differs", index, verdict: difference, record: other.record });
  }
  return ran;
}

/** Runs one case with one version. If it was sent, resolves to its record as well. */
export async function runCase(
  suiteCase: SuiteCase,
  version: TestedVersion,
  snapshots: Map<string, JsonValue>,
  tools: CaseTools,
): Promise<{ readonly verdict: Verdict; readonly record: InvocationRecord | undefined }> {
  const answer = await answerOf(
    suiteCase,
    await payloadOf(suiteCase, tools),
    version,
    snapshots,
    tools,
  );
  const verdict = caseVerdict(suiteCase, answer, snapshots, tools);
  tools.outputs.set(
    suiteCase.name,
    Promise.resolve(outputForLaterCases(suiteCase, verdict, snapshots, tools)),
  );
  return { verdict, record: answer.record };
}

/**
 * Returns the output that later cases may use: that of a case without failures, or its stored output if nothing is
 * sent.
 */
function outputForLaterCases(
  { name }: SuiteCase,
  { problems, output }: Verdict,
  snapshots: ReadonlyMap<string, JsonValue>,
  { send }: Pick<CaseTools, "send">,
): JsonValue | undefined {
  if (problems.length > 0) return undefined;
  return output ?? (send === undefined ? snapshots.get(name) : undefined);
}

async function payloadOf(
  { payload, payloadFile }: SuiteCase,
  { readPayload }: CaseTools,
): Promise<string | undefined> {
  return payloadFile === undefined ? JSON.stringify(payload) : readPayload(payloadFile);
}

/** Returns whether a value is nested too deeply for a case, since comparing and storing it are recursive. */
export function isTooDeepForCase(value: JsonValue): boolean {
  return isDeeperThan(value, 1000);
}

async function answerOf(
  suiteCase: SuiteCase,
  text: string | undefined,
  { name, skill, reason }: TestedVersion,
  snapshots: ReadonlyMap<string, JsonValue>,
  tools: CaseTools,
): Promise<AnswerOrVerdict> {
  const { check: checkText, send, language, earlier, outputs } = tools;
  const { t } = language;
  if (skill === undefined)
    return unknownVerdict(`${t("The skill could not be read.")} ${reason}`.trim());
  if (text === undefined) {
    const message = unreadablePayloadText(suiteCase.payloadFile ?? "", language);
    return judgedAs([{ message, at: "/payloadFile" }]);
  }
  const given = await caseValuesOf(text, earlier, outputs);
  if (!given.ok) {
    if (send === undefined) return { kind: "untested", problems: [] };
    return unknownVerdict(missingValueText(given.missing, language));
  }
  const { payload, check } = await checkedPayload(text, given.values, skill, tools);
  const unresolved = check.problems.find(({ code }) => code === "placeholder");
  if (unresolved !== undefined) return unknownVerdict(unresolved.message);
  const answer = { kind: "answered", version: name, check } as const;
  if (
    judgePayload(suiteCase, check, language).length > 0 ||
    suiteCase.expect?.invalid !== undefined
  ) {
    return answer;
  }
  const unchecked = uncheckedIn(answer, tools);
  if (unchecked !== undefined) return unchecked;
  if (send === undefined) {
    const snapshot = snapshots.get(suiteCase.name);
    if (snapshot === undefined || skill.outputSchema === undefined) return answer;
    const storedCheck = await checkText(jsonText(snapshot), outputSchemaOf(skill));
    return { ...answer, storedCheck };
  }
  const { slug, version } = skill.summary;
  const ending = await send({ ...payload, skillSlug: slug, version }, check);
  if (ending.kind === "stopped") {
    const { stop } = ending;
    const { message, detail } = stopText(slug, stop, language);
    if (isAboutPayload(stop)) return judgedAs([{ message }]);
    const remedy = tools.remedyOf?.(stop);
    if (remedy === undefined) return unknownVerdict(message);
    const sentences = detail.map((line) => (line.endsWith(".") ? line : `${line}.`));
    return unknownVerdict([message, ...sentences, remedy].join(" "));
  }
  const { outcome, record } = ending;
  const outcomeText = endNotice(ending, language)?.message;
  const otherVersion = otherVersionText(record, language);
  // The result says nothing about the requested version.
  if (otherVersion !== undefined) return { ...unknownVerdict(otherVersion), record };
  if (["notSent", "undecided"].includes(outcomeOf(record).counts)) {
    return { ...unknownVerdict(outcomeText ?? statusText(record.status, language)), record };
  }
  const sent = { ...answer, outcome, outcomeText, record, cost: costOf(record) };
  const outputText = outcome.kind === "success" ? outcome.outputText : undefined;
  if (outputText === undefined) return sent;
  if (isTooDeepForCase(JSON.parse(outputText) as JsonValue)) {
    return { ...unknownVerdict(t("The output is nested too deeply to compare.")), record };
  }
  const output = parseExactly(outputText);
  if (skill.outputSchema === undefined) return { ...sent, output };
  const outputCheck = await checkText(outputText, outputSchemaOf(skill));
  return { ...sent, output, outputCheck };
}

/** Replaces the placeholders of a payload and checks it, here or in the editor's window. */
async function checkedPayload(
  text: string,
  caseValues: CaseValues,
  skill: SkillDetail,
  { environment, check: checkText, checkElsewhere, language }: CaseTools,
): Promise<{ readonly payload: CasePayload; readonly check: PayloadCheck }> {
  if (checkElsewhere !== undefined) {
    const payload = { text, caseValues };
    return { payload, check: await checkElsewhere(skill, payload) };
  }
  const resolution = resolvePayload(text, withCaseValues(environment, text, caseValues), language);
  const schema = inputSchemaOf(skill);
  const check = await checkResolved(
    resolution,
    (resolved, allowedSecrets) => checkText(resolved, schema, { allowedSecrets }),
    language,
  );
  return { payload: resolution.ok ? resolution.value : { text }, check };
}
