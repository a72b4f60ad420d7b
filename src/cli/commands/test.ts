import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { version } from "../../../package.json";
import { environmentName } from "../../core/environment/payloadEnvironment";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes, type ReportItem } from "../../core/findings/report";
import { isNotExpectedToRun, type Stopped } from "../../core/invocation/permission/question";
import { isInShard, readShard } from "../../core/invocation/run/shard";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import { contractParts } from "../../core/review/checkTeam";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { SkillDetail, SkillPart } from "../../core/skill/skill";
import { addressText, readSkillAddress, type SkillAddress } from "../../core/skill/skillAddress";
import {
  type CaseLevel,
  caseCost,
  caseCostText,
  mayCostMore,
  type PlannedCases,
  type SentLevel,
  sentCases,
} from "../../core/suite/caseCost";
import {
  type CaseCall,
  type CasePayload,
  runSuite,
  type SuiteTools,
} from "../../core/suite/runSuite";
import {
  isSuiteFile,
  type ReadySuite,
  type SuiteCase,
  type TestedVersion,
  testedVersion,
} from "../../core/suite/suite";
import { createTurns } from "../../core/suite/turns";
import { durationText, english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { Allowance } from "../../engine/gates/skillQueue";
import { sha256 } from "../../engine/sha256";
import type { TestRunTarget } from "../../registry/registryClient";
import { command } from "../command";
import { askerByOptions, waitingAnswers } from "../engine/askerByOptions";
import { defaultJobs, gateOptions, readAllowances, remedyOf, stopError } from "../engine/cliEngine";
import { openChecker } from "../engine/payloadChecker";
import { questionsAt } from "../engine/person";
import { findFiles, nothingFoundText, unreadItems } from "../files/findFiles";
import {
  OutputStore,
  readPayload,
  readSuites,
  type SuiteFile,
  suiteWarnings,
} from "../files/suiteFiles";
import { type OptionTable, type OptionValues, rowsWith } from "../options";
import { readReport, reportOptions, writePartialReport, writeReport } from "../output/writeReport";
import { environmentOption, openEnvironment } from "../registry/environment";
import { type OpenRegistry, skillOptions } from "../registry/openRegistry";
import { chosenProject, rateLimits } from "../registry/project";
import { failureText, readSkill } from "../registry/readSkill";
import { type Terminal, UsageError } from "../terminal";
import {
  type Invocations,
  type OpenedBatch,
  openInvocations,
  valuesIn,
} from "../window/openInvocations";

/** The options that send cases. Without one of them, cases are not sent. */
const onlyIfSent = { needs: ["live", "test-run"] } as const;

const options = {
  live: { text: "Invoke the skills. Needs a Project Key.", not: ["test-run"] },
  "test-run": { text: "Run the skills in a project without billing. Needs a user token." },
  against: {
    value: "VERSIONS",
    text: "Compare with these versions, such as 1.2.0,1.3.0.",
  },
  shard: {
    value: "I/N",
    text: "Run shard I of N, such as 1/3. Adding cases does not move others.",
  },
  update: { text: "Store the outputs of cases with a snapshot.", ...onlyIfSent },
  "max-cents": {
    value: "N",
    text: "Invoke only if all cases together cost at most N cents. Amounts in several currencies exceed it.",
    count: { min: 0 },
    needs: ["live"],
    group: "Limits",
  },
  jobs: {
    value: "N",
    text: `Run N cases at the same time. Default: as many as the project's rate limit allows, at most ${defaultJobs}; 1 if the limit is not known.`,
    count: { min: 1 },
    ...onlyIfSent,
    group: "Limits",
  },
  ...rowsWith(gateOptions, onlyIfSent),
  unchecked: { ...gateOptions.unchecked, text: "Accept payloads that could not be checked." },
  secrets: {
    ...gateOptions.secrets,
    text: "Send payloads, and store outputs, that appear to contain a credential. Default: ask on a terminal.",
    ...onlyIfSent,
  },
  ...reportOptions,
  ...environmentOption,
  ...skillOptions,
} as const satisfies OptionTable;

type Options = OptionValues<typeof options>;

export const test = command({
  name: "test",
  operands: "[FILES…]",
  summary: "Run the cases of *.skill-suite.json files.",
  details: [
    "A case has a payload and what to expect: values in the output by JSON pointer, a refusal, a failure, time, cost, or the output stored by --update.",
    "There are three levels. By default nothing is sent: payloads are checked against the input schema, and stored outputs against the output schema and the expected values; cases that need an invocation are reported as not tested. With --test-run, each case runs once in a project without billing, with the user token from the environment. With --live, each case is invoked once with the Project Key, after the number of cases and their price are printed.",
    "With --live, each skill is read again every five minutes. If it changed at the registry, its remaining cases are not sent and are reported as unknown.",
    "--against also runs every case with other versions, at the same level, and lists where their results differ.",
    "The report includes the invocation ID of each case that was sent; the text format, only of cases with findings. After Ctrl+C it covers the cases that were sent before.",
  ],
  options,
  examples: [
    ["Check all cases below this folder, without sending any", "skill-registry test"],
    ["Compare versions", "skill-registry test --against 1.2.0,1.3.0"],
    ["Run them in a project, without billing", "skill-registry test --test-run --project shop"],
    [
      "Invoke them in CI",
      "skill-registry test suites/ --live --yes --max-cents 50 --report-junit results.xml",
    ],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const forms = readReport(given);
    const level = readLevel(given);
    const against = readVersions(given);
    const isWanted = readWanted(given);
    const { jobs, "max-cents": maxCents, update: isUpdate } = given;
    const names = operands.length === 0 ? ["."] : operands;
    const found = await findFiles(terminal.cwd, names, isSuiteFile);
    const unread = unreadItems(found);
    const source = { command: "test", version, folder: terminal.cwd };
    const suites = await readSuites(found.files.filter(isSuiteFile), terminal.cwd);
    if (suites.broken.length > 0) {
      return writeReport([...suites.broken, ...unread], forms, source, terminal);
    }
    if (suites.read.length === 0) {
      const nothing = nothingFoundText("*.skill-suite.json", names);
      return writeReport(unread, forms, { ...source, nothing }, terminal);
    }
    const isByKey = level === "live" || (level === "offline" && given.project === undefined);
    const isKeyless = level === "offline";
    const { registry, environment } = await openEnvironment(given, terminal, {
      isByKey,
      isKeyless,
    });
    const { signal, cwd } = terminal;
    // After Ctrl+C, cases that were sent are still awaited and judged. A second Ctrl+C ends the process.
    const whileSending = level === "offline" ? signal : new AbortController().signal;
    const checker = await openChecker({ ...terminal, signal: whileSending });
    const allowed = readAllowances(given);
    let invocations: Invocations | undefined;
    try {
      const isOwnTestRun = level === "testRun" && registry.window === undefined;
      const target = isOwnTestRun ? await testRunTarget(registry, given, signal) : undefined;
      if (level === "live") registry.keyToSend();
      invocations = await openInvocations(registry, "test", allowed, terminal, target);
      const readAt = performance.now();
      const ready: (ReadySuite & SuiteFile)[] = [];
      const needs: readonly SkillPart[] = level === "offline" ? ["listing"] : contractParts;
      const read = versionReader(registry, needs, signal);
      for (const suite of suites.read) ready.push(await readVersionsOf(suite, against, read));
      const planned = plannedCases(ready, isWanted);
      const questions = questionsAt(terminal);
      const batches = new Map<string, OpenedBatch | Stopped>();
      const rates: (number | undefined)[] = [];
      const hasAllowance = level === "live" && maxCents !== undefined;
      const allowance = hasAllowance ? new Allowance(maxCents) : undefined;
      if (level !== "offline") {
        const waits = waitingAnswers((message) => terminal.err(`${message}\n`));
        const limitOf = level === "live" ? await rateLimits(registry, given, signal) : undefined;
        for (const [name, { skill, count }] of planned) {
          const { slug } = skill.summary;
          const asker = askerByOptions(allowed, terminal, questions, slug, waits);
          rates.push(await limitOf?.(slug));
          const wanted = {
            ...{ registry, skill, readAt, count, caller: invocations.caller },
            ...(limitOf !== undefined && { perMinute: () => limitOf(slug) }),
            environment: environmentName(environment),
            isTestRun: level === "testRun",
            isWaitedFor: true,
            allowance,
            isNumberChosen: jobs !== undefined,
          };
          const opened = await invocations.open(wanted, asker, signal);
          if (opened.kind === "stopped") {
            // Cases of other skills still run, unless a person declined.
            const isOfSkill = isNotExpectedToRun(opened.stop) && questions.refusal() === undefined;
            if (!isOfSkill) throw stopError(slug, opened.stop, questions);
          }
          batches.set(name, opened);
        }
        questions.close();
        const sent = [...planned].filter(([name]) => batches.get(name)?.kind !== "stopped");
        printCost(
          sent.map(([, suiteCase]) => suiteCase),
          level,
          maxCents,
          terminal,
        );
        await questions.confirmPlan();
      }
      const sendFrom = (source: string) => async (call: CaseCall, checked: PayloadCheck) => {
        const opened = batches.get(`${call.skillSlug}@${call.version}`);
        if (opened === undefined) throw new Error("A skill was not asked about.");
        return opened.kind === "stopped"
          ? opened
          : opened.invokeCase(call, checked, source, signal);
      };
      const { window } = registry;
      const checkFrom = (source: string) =>
        window &&
        ((skill: SkillDetail, { text, caseValues }: CasePayload) =>
          window.check(skill, { text, source, ...valuesIn(caseValues) }));
      const { check, mistakes } = checker;
      // Only a person at a terminal sees progress: a report in a file or for another program lists every case anyway.
      const isWatched = forms.format === "text" && terminal.errColumns !== undefined;
      const shared = {
        check,
        environment,
        allowsUnchecked: allowed.unchecked,
        isUpdate,
        remedyOf,
        isCanceled: () => signal.aborted,
        now: () => performance.now(),
        ...(isWatched && { ended: (end: EndedCase) => terminal.err(endedText(end)) }),
        language: english,
      };
      const turns = createTurns(level === "offline" ? 1 : (jobs ?? jobsFor(rates)));
      const outputs = new OutputStore(allowed.secrets, cwd);
      const runOne = async (suite: (typeof ready)[number]) => {
        const stored = new Map(suite.snapshots);
        const source = pathToFileURL(resolve(cwd, suite.file)).href;
        const tools: SuiteTools = {
          ...shared,
          turns,
          checkElsewhere: checkFrom(source),
          send: level === "offline" ? undefined : sendFrom(source),
          readPayload: (file) => readPayload(file, suite.file, cwd),
          isWanted: (suiteCase) => isWanted(suite.file, suiteCase),
        };
        const ran = await runSuite(suite, stored, tools);
        if (isUpdate) await outputs.add(suite, stored);
        return [...ran, ...(await suiteWarnings({ ...suite, snapshots: stored }, cwd, mistakes))];
      };
      const running = Promise.allSettled(ready.map(runOne));
      const ended = await (level === "offline" ? running : terminal.finish(running));
      const items: ReportItem[] = [...unread];
      for (const suite of ended) {
        if (suite.status === "rejected") throw suite.reason;
        items.push(...suite.value);
      }
      // Sent cases are reported in any case, since they may have cost something.
      const write = level === "offline" ? writeReport : writePartialReport;
      const code = await write(items, forms, source, terminal);
      if (signal.aborted) terminal.err("Canceled.\n");
      await outputs.finish(questions, terminal.err);
      // If there are few cases, a shard may have none of them.
      return items.length === 0 ? exitCodes.good : code;
    } finally {
      await invocations?.close();
      checker.close();
      registry.close();
    }
  },
});

function readLevel({ live: isLive, "test-run": isTestRun }: Options): CaseLevel {
  return isLive ? "live" : isTestRun ? "testRun" : "offline";
}

/**
 * Returns how many cases run at once: several only if the rate limit is known, since a case rejected by the rate limit
 * is not sent again.
 */
function jobsFor(rates: readonly (number | undefined)[]): number {
  return Math.min(defaultJobs, ...rates.map((perMinute = 1) => Math.max(1, perMinute)));
}

type EndedCase = Parameters<NonNullable<SuiteTools["ended"]>>[0];

const endings: Readonly<Record<EndedCase["state"], string>> = {
  good: "passed",
  untested: "payload valid",
  findings: "failed",
  unknown: "undecided",
  broken: "broken",
};

/** Returns one line about the end of a case; the report has the reason. */
function endedText({ name, state, milliseconds }: EndedCase): string {
  const took = milliseconds === undefined ? "" : `, ${durationText(milliseconds, english)}`;
  return `${oneLine(name, 200)}: ${endings[state]}${took}\n`;
}

type IsWanted = (file: string, suiteCase: SuiteCase) => boolean;

/** Selects the cases of a shard by file and name. */
function readWanted({ shard: text }: Options): IsWanted {
  if (text === undefined) return () => true;
  const shard = readShard(text);
  if (shard === undefined) {
    throw new UsageError("--shard expects I/N, such as 1/3.");
  }
  return (file, { name }) => isInShard(sha256(`${file}\n${name}`), shard);
}

function readVersions({ against: text }: Options): readonly string[] {
  const versions = text === undefined ? [] : text.split(",").map((item) => item.trim());
  if (versions.some((item) => !readSkillAddress(`a@${item}`)?.version)) {
    throw new UsageError("--against expects versions, such as 1.2.0,1.3.0.");
  }
  return [...new Set(versions)];
}

async function testRunTarget(
  registry: OpenRegistry,
  given: Options,
  signal: AbortSignal,
): Promise<TestRunTarget> {
  const project = await chosenProject(registry, given, signal);
  if (!project.isChosen) throw new CommandError(project.why, project.exitCode);
  return { project: project.slug, token: project.who.token };
}

/** Reads each version of a skill once, for all its suites. */
function versionReader(
  registry: OpenRegistry,
  needs: readonly SkillPart[],
  signal: AbortSignal,
): (wanted: SkillAddress) => Promise<TestedVersion> {
  const known = new Map<string, Promise<TestedVersion>>();
  const read = async (wanted: SkillAddress) => {
    const found = await readSkill(registry, wanted, signal, needs);
    return testedVersion(found, wanted, (failure) => failureText(registry, failure, wanted));
  };
  return (wanted) => {
    const name = addressText(wanted.slug, wanted.version);
    const reading = known.get(name) ?? read(wanted);
    known.set(name, reading);
    return reading;
  };
}

async function readVersionsOf(
  suite: SuiteFile,
  against: readonly string[],
  read: (wanted: SkillAddress) => Promise<TestedVersion>,
): Promise<ReadySuite & SuiteFile> {
  const { address } = suite.suite;
  const own = await read(address);
  const others: TestedVersion[] = [];
  for (const version of against) {
    if (!isSameVersion(version, own.name)) others.push(await read({ slug: address.slug, version }));
  }
  return { ...suite, own, against: others };
}

/** Counts the cases that are sent to each version of a skill, by `slug@version`. */
function plannedCases(
  suites: readonly ReadySuite[],
  isWanted: IsWanted,
): ReadonlyMap<string, PlannedCases> {
  const planned = new Map<string, PlannedCases>();
  for (const { file, own, against, suite } of suites) {
    const { length } = sentCases(suite.cases.filter((item) => isWanted(file, item)));
    for (const { skill } of [own, ...against]) {
      if (skill === undefined) continue;
      const name = `${skill.summary.slug}@${skill.summary.version}`;
      planned.set(name, { skill, count: (planned.get(name)?.count ?? 0) + length });
    }
  }
  return planned;
}

/**
 * Prints the cost. Throws a `CommandError` if all cases together cost more than allowed, or if their cost is unknown.
 */
function printCost(
  planned: readonly PlannedCases[],
  level: SentLevel,
  maxCents: number | undefined,
  { err }: Terminal,
): void {
  const cost = caseCost(planned);
  err(`${caseCostText(cost, level, english)}\n`);
  if (level !== "live" || maxCents === undefined || !mayCostMore(cost, maxCents)) return;
  const message = "Nothing was sent: the cases could cost more than --max-cents.";
  throw new CommandError(message, exitCodes.findings);
}
