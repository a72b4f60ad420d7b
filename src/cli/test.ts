import { readFile, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { version } from "../../package.json";
import { exitCodes, type Finding, findingsOf, type ReportItem } from "../core/findings/report";
import { invocationPrice } from "../core/invocation/limits/spending";
import { payloadGate } from "../core/invocation/permission/unattendedGate";
import type { JsonValue } from "../core/json/jsonValue";
import { registryFailureText } from "../core/registry/registryFailureText";
import { moneyText } from "../core/skill/description/priceText";
import type { SkillDetail } from "../core/skill/skill";
import {
  isSuiteFile,
  judgeOutcome,
  judgePayload,
  readSnapshots,
  readSuite,
  type Suite,
  type SuiteCase,
  snapshotFileName,
  writeSnapshots,
} from "../core/suite/suite";
import { english } from "../core/text/language";
import { openChecker, type PayloadChecker } from "./checkPayloads";
import { CliError, type Command, type Terminal } from "./command";
import { findFiles } from "./findFiles";
import { type OpenRegistry, openRegistry, registryOption } from "./openRegistry";
import { readSkill } from "./readSkill";
import { formatOption, readFormat, writeReport } from "./report";
import { gateOptions, passSkillGate, readAllowances } from "./sendGates";

export const test: Command = {
  name: "test",
  operands: "[FILES…]",
  summary: "Run the cases of *.skill-suite.json files.",
  details: [
    "A case has a payload and what is expected: values in the output by JSON pointer, a refusal, a failure, time, cost, or the output that was kept by --update. Without --live nothing is sent: payloads are checked against the input schema, and kept outputs against the output schema. With --live each case is invoked once, after their number and price were said.",
  ],
  options: {
    live: { text: "Invoke the skills. Needs a Project Key." },
    update: { text: "Keep the outputs of cases with a snapshot. Needs --live." },
    "max-cents": {
      value: "N",
      text: "Invoke only where all cases together cost at most N hundredths.",
    },
    ...gateOptions,
    ...formatOption,
    ...registryOption,
  },
  examples: [
    "skill-registry test",
    "skill-registry test suites/ --live --yes --max-cents 50 --format junit > results.xml",
  ],
  run: async (given, terminal) => {
    const format = readFormat(given, "test");
    const isLive = given.isSet("live");
    if (given.isSet("update") && !isLive) throw new CliError("--update needs --live.");
    const names = given.operands.length === 0 ? ["."] : given.operands;
    const files = (await findFiles(terminal.cwd, names, isSuiteFile)).filter(isSuiteFile);
    const source = { command: "test", version };
    const suites = await readSuites(files, terminal);
    if (suites.broken.length > 0) return writeReport(suites.broken, format, source, terminal);
    if (suites.read.length === 0) return writeReport([], format, source, terminal);
    const registry = await openRegistry(given, terminal);
    const checker = await openChecker(terminal);
    const allowed = readAllowances(given);
    const tools = { registry, checker, terminal, allowed, isUpdate: given.isSet("update") };
    try {
      const ready = await readSkills(suites.read, tools);
      if (isLive) {
        for (const { skill } of ready) {
          if (skill !== undefined) await passSkillGate(skill, registry, allowed, terminal);
        }
        sayCost(ready, given.count("max-cents", 0), terminal);
      }
      const items: ReportItem[] = [];
      for (const suite of ready) items.push(...(await runSuite(suite, isLive, tools)));
      return writeReport(items, format, source, terminal);
    } finally {
      checker.close();
      registry.close();
    }
  },
};

interface Tools {
  readonly registry: OpenRegistry;
  readonly checker: PayloadChecker;
  readonly terminal: Terminal;
  readonly allowed: ReturnType<typeof readAllowances>;
  readonly isUpdate: boolean;
}

interface SuiteFile {
  readonly file: string;
  readonly suite: Suite;
  /** The outputs that are kept beside it. */
  readonly snapshots: ReadonlyMap<string, JsonValue>;
}

async function readSuites(files: readonly string[], { cwd }: Terminal) {
  const read: SuiteFile[] = [];
  const broken: ReportItem[] = [];
  for (const file of files) {
    const path = resolve(cwd, file);
    const text = await readFile(path, "utf8");
    const suite = readSuite(text, english);
    const snapshotText = await readFile(snapshotFileName(path), "utf8").catch(() => undefined);
    const snapshots =
      snapshotText === undefined ? new Map<string, JsonValue>() : readSnapshots(snapshotText);
    if (!suite.ok) {
      broken.push({
        name: file,
        file,
        state: "broken",
        findings: findingsOf(suite.problems, text, file),
      });
    } else if (snapshots === undefined) {
      const name = snapshotFileName(file);
      const message = "This file is damaged. Remove it, and keep the outputs again with --update.";
      const finding: Finding = { rule: "file", severity: "error", message, file: name };
      broken.push({ name, file: name, state: "broken", findings: [finding] });
    } else read.push({ file, suite: suite.value, snapshots });
  }
  return { read, broken };
}

/** A suite with its skill, or why that could not be read. */
interface ReadySuite extends SuiteFile {
  readonly skill: SkillDetail | undefined;
  readonly reason: string;
}

async function readSkills(
  suites: readonly SuiteFile[],
  { registry, terminal }: Tools,
): Promise<readonly ReadySuite[]> {
  const ready: ReadySuite[] = [];
  for (const suite of suites) {
    const read = await readSkill(registry, suite.suite.address, terminal.signal);
    const reason = read.ok ? "" : registryFailureText(read.failure, english);
    ready.push({ ...suite, skill: read.ok ? read.value : undefined, reason });
  }
  return ready;
}

/** Throws a `CliError` where the cases together cost more than is allowed, or nobody knows. */
function sayCost(
  suites: readonly ReadySuite[],
  maxCents: number | undefined,
  { err }: Terminal,
): void {
  let [count, cents, isKnown] = [0, 0, true];
  let currency: string | undefined;
  for (const { skill, suite } of suites) {
    if (skill === undefined) continue;
    const sent = suite.cases.filter(({ expect }) => expect?.invalid === undefined).length;
    const price = invocationPrice(skill);
    count += sent;
    if (price.kind === "amount") {
      cents += price.cents * sent;
      currency ??= price.currency || undefined;
    } else if (price.kind === "unknown" && sent > 0) isKnown = false;
  }
  const cost = !isKnown
    ? "at a price that is not known"
    : cents === 0
      ? "free"
      : `at most ${moneyText(cents, currency, english)}`;
  err(`${count} invocations, ${cost}.\n`);
  if (maxCents !== undefined && (!isKnown || cents > maxCents)) {
    throw new CliError(
      "Nothing was sent: the cases could cost more than --max-cents.",
      exitCodes.findings,
    );
  }
}

async function runSuite(
  { file, suite, snapshots, skill, reason }: ReadySuite,
  isLive: boolean,
  tools: Tools,
): Promise<readonly ReportItem[]> {
  const kept = new Map(snapshots);
  const items: ReportItem[] = [];
  for (const one of suite.cases) {
    tools.terminal.signal.throwIfAborted();
    const startedAt = performance.now();
    const result =
      skill === undefined
        ? { problems: [`The skill could not be read. ${reason}`], isUnknown: true }
        : await runCase(one, file, skill, kept, isLive, tools);
    const milliseconds = Math.round(performance.now() - startedAt);
    const { problems, isUnknown } = result;
    items.push({
      name: `${file}: ${one.name}`,
      file,
      state: problems.length === 0 ? "good" : isUnknown ? "unknown" : "findings",
      findings: problems.map((problem) => ({
        rule: isUnknown ? "unknown" : "case",
        severity: isUnknown ? ("warning" as const) : ("error" as const),
        message: `${one.name}: ${problem}`,
        file,
      })),
      milliseconds,
    });
  }
  if (tools.isUpdate && kept.size > 0) {
    const path = snapshotFileName(resolve(tools.terminal.cwd, file));
    const beside = `${path}.${process.pid}.tmp`;
    await writeFile(beside, writeSnapshots(kept));
    await rename(beside, path);
  }
  return items;
}

interface CaseResult {
  readonly problems: readonly string[];
  readonly isUnknown: boolean;
}

async function runCase(
  one: SuiteCase,
  file: string,
  skill: SkillDetail,
  kept: Map<string, JsonValue>,
  isLive: boolean,
  { registry, checker, terminal, allowed, isUpdate }: Tools,
): Promise<CaseResult> {
  const text = await payloadText(one, file, terminal);
  if (text === undefined) return found([`${one.payloadFile} could not be read.`]);
  const check = await checker.check(text, skill.inputSchema);
  const problems = judgePayload(one, check, english);
  if (problems.length > 0 || one.expect?.invalid !== undefined) return found(problems);
  if (check.state === "unchecked" && !allowed.unchecked) {
    return { problems: [check.reason ?? "The payload could not be checked."], isUnknown: true };
  }
  if (!isLive) return found(await offlineProblems(one, skill, kept, checker));
  const { slug, version } = skill.summary;
  const stop = payloadGate(slug, check, allowed, english);
  if (stop !== undefined) return found([stop.message]);
  const call = { skillSlug: slug, version, inputText: text };
  const outcome = await registry.client.invoke(call, registry.projectKey(), terminal.signal);
  if (outcome.kind === "notSent" || outcome.kind === "outcomeUnknown") {
    return { problems: [registryFailureText(outcome.failure, english)], isUnknown: true };
  }
  const outputText = outcome.kind === "success" ? outcome.outputText : undefined;
  const output = outputText === undefined ? undefined : (JSON.parse(outputText) as JsonValue);
  if (isUpdate && one.expect?.snapshot && output !== undefined) kept.set(one.name, output);
  const outputCheck =
    outputText === undefined || skill.outputSchema === undefined
      ? undefined
      : await checker.check(outputText, skill.outputSchema);
  const facts = { output, outputCheck, snapshot: kept.get(one.name) };
  return found(judgeOutcome(one, outcome, facts, english));
}

/** Without sending, what is kept can be compared with the schema that outputs have now. */
async function offlineProblems(
  { name }: SuiteCase,
  { outputSchema }: SkillDetail,
  kept: ReadonlyMap<string, JsonValue>,
  checker: PayloadChecker,
): Promise<readonly string[]> {
  const snapshot = kept.get(name);
  if (snapshot === undefined || outputSchema === undefined) return [];
  const check = await checker.check(JSON.stringify(snapshot), outputSchema);
  return check.problems
    .filter(({ severity }) => severity === "error")
    .map(
      ({ pointer, message }) =>
        `The output that is kept does not match its schema at ${pointer || "/"}: ${message}`,
    );
}

function found(problems: readonly string[]): CaseResult {
  return { problems, isUnknown: false };
}

async function payloadText(
  { payload, payloadFile }: SuiteCase,
  file: string,
  { cwd }: Terminal,
): Promise<string | undefined> {
  if (payloadFile === undefined) return JSON.stringify(payload);
  try {
    const folder = await realpath(dirname(resolve(cwd, file)));
    const path = await realpath(join(folder, payloadFile));
    // A link could lead to a file of the user's, which would then be sent.
    return path.startsWith(folder + sep) ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
