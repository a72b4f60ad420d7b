import * as vscode from "vscode";
import { environmentName } from "../../core/environment/payloadEnvironment";
import { skillOfSuite } from "../../core/payload/payloadBinding";
import { type Result, registryFailureText } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { readFileRow } from "../../core/skillList/rows/skillFileRows";
import {
  type CaseLevel,
  casesQuestion,
  type SentLevel,
  sentCases,
} from "../../core/suite/caseCost";
import { casePointer, type Verdict } from "../../core/suite/caseReport";
import { acceptedChange, lacksOutput } from "../../core/suite/judgeCase";
import { type CaseTools, runCase } from "../../core/suite/runSuite";
import {
  isSuiteFile,
  type Suite,
  type SuiteCase,
  suiteEnding,
  testedVersion,
} from "../../core/suite/suite";
import { replaceValueEdit } from "../../core/suite/suiteText";
import { labelText, revealHidden } from "../../core/text/plainText";
import type { PayloadChecks } from "../author/payloadChecks";
import { payloadDocument } from "../author/payloadDocument";
import { type WindowPlace, windowTarget } from "../environments/windowPlace";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import { casesTag } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import type { SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform, showStatus } from "../ui/messages";
import { choose } from "../ui/quickInput/choose";
import { type ExplorerRun, FileTests, runTest } from "./fileTests";
import type { LazyTestController } from "./lazyTestController";
import type { SkillTests } from "./skillTests";
import {
  messageOf,
  type OpenCases,
  type OpenedSkill,
  problemMessages,
  rangesIn,
  reportCase,
  type StartCases,
} from "./suiteCases";
import {
  editSuite,
  type FoundSuite,
  isDamaged,
  mayStore,
  readPayloadFile,
  readSuiteFile,
  storedOutputs,
  storeOutput,
} from "./suiteFiles";
import type { SkillItems } from "./testItems";
import { testKey } from "./testItems";

/** The dependencies of running suites. */
export interface SuiteTestsParts {
  readonly details: Pick<SkillDetails, "find">;
  readonly checks: Pick<PayloadChecks, "checkText">;
  readonly environments: Pick<WorkspaceEnvironments, "of">;
  readonly startCases: StartCases;
  readonly place: Pick<WindowPlace, "address" | "environment">;
  readonly files: SkillFiles;
}

/** A suite as read for a run. */
interface ReadFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly suite: Suite;
  /** The requested cases, with their items and ranges in the suite. */
  readonly cases: readonly RequestedCase[];
}

interface RequestedCase {
  readonly suiteCase: SuiteCase;
  readonly index: number;
  readonly item: vscode.TestItem;
}

/**
 * Fills the Test Explorer with the suites of the workspace and runs their cases as `skill-registry test` does: offline,
 * or sent after the user agreed.
 */
export class SuiteTests extends FileTests {
  /** The last verdicts of cases, by `testKey`. */
  private readonly verdicts = new Map<string, Verdict>();

  constructor(
    controller: vscode.TestController,
    skills: SkillItems,
    private readonly parts: SuiteTestsParts,
  ) {
    super(controller, skills, "suite", parts.files);
  }

  /** Runs the requested cases up to a level. Resolves when all have run or the user stopped the run. */
  async run(wanted: ExplorerRun, level: CaseLevel): Promise<void> {
    const files = await this.readWanted(wanted);
    const openCases = level === "offline" ? undefined : await this.parts.startCases();
    const isReady =
      level === "offline" ||
      (openCases !== undefined && (await this.agrees(files, level, wanted.signal)));
    if (!isReady) return skipAll(files, wanted.run);
    for (const file of files) await this.runFile(file, level, wanted, openCases);
  }

  /**
   * Stores the output in a message as the expected output of its case; without a message, the output of the last run
   * for which nothing was stored.
   */
  async accept(item: vscode.TestItem, given?: vscode.TestMessage): Promise<void> {
    const { uri } = item;
    const verdict = this.verdicts.get(testKey(item)) ?? {
      kind: "judged",
      problems: [],
    };
    const problem = verdict.problems.find((element) =>
      given === undefined
        ? lacksOutput(element)
        : messageOf(element, verdict).message === given.message,
    );
    const change = problem && acceptedChange(problem, verdict);
    if (uri === undefined || change === undefined) {
      // The results of the run already say why a case has no output.
      return given === undefined ? undefined : showNothingToAccept();
    }
    if (!(await mayStore([JSON.stringify(change.value)]))) return;
    const name = item.id.slice(item.id.indexOf(" ") + 1);
    const isAccepted =
      change.in === "snapshot"
        ? await storeOutput(uri, name, change.value)
        : await editSuite(uri, (text, { cases }) => {
            const at = casePointer(
              cases.findIndex((element) => element.name === name),
              change,
            );
            return replaceValueEdit(text, at, change.value);
          });
    if (!isAccepted) return;
    this.controller.invalidateTestResults(item);
    showStatus("check", vscode.l10n.t("Output accepted. Run the case again to see it pass."));
  }

  /** Shows a suite with the current cases of its file, below its skill. */
  async put(uri: vscode.Uri): Promise<void> {
    const found = await readSuiteFile(uri);
    if (found === undefined) return this.remove(uri);
    const known = this.itemOf(uri);
    this.fill(known ?? this.addSuite(uri), uri, found);
    if (known !== undefined) this.controller.invalidateTestResults(known);
  }

  private addSuite(uri: vscode.Uri): vscode.TestItem {
    const path = vscode.workspace.asRelativePath(uri);
    const item = this.add(uri, path.slice(0, -suiteEnding.length));
    item.tags = [new vscode.TestTag(casesTag)];
    return item;
  }

  /** Shows the content of a file: its cases, or its problems. */
  private fill(item: vscode.TestItem, uri: vscode.Uri, { read, text }: FoundSuite): void {
    if (!read.ok) {
      item.children.replace([]);
      const [first] = read.problems;
      item.error = first && revealHidden(first.message);
      this.skills.put(item, item.parent?.id);
      return;
    }
    item.error = undefined;
    const { address, cases } = read.value;
    item.description = labelText(address.version);
    this.skills.put(item, address.slug);
    const ranges = rangesIn(
      text,
      cases.map((_, index) => casePointer(index, {})),
    );
    const items = cases.map((element, index) => {
      const id = caseId(element, index);
      const child = this.controller.createTestItem(id, labelText(element.name), uri);
      child.tags = item.tags;
      child.range = ranges.get(casePointer(index, {}));
      return child;
    });
    item.children.replace(items);
  }

  /** Reads the requested suites again. Invalid ones get their results immediately. */
  private async readWanted({ requested, run }: ExplorerRun): Promise<readonly ReadFile[]> {
    const files: ReadFile[] = [];
    for (const item of this.items) {
      const { uri } = item;
      if (uri === undefined || !requested.hasPart(item)) continue;
      const found = await readSuiteFile(uri);
      if (found === undefined) continue;
      this.fill(item, uri, found);
      const { read, text } = found;
      if (!read.ok) {
        run.errored(item, [...problemMessages(read.problems, text, uri)]);
        continue;
      }
      const suite = read.value;
      const cases = suite.cases.flatMap((element, index): RequestedCase[] => {
        const child = item.children.get(caseId(element, index));
        return child !== undefined && requested.has(child)
          ? [{ suiteCase: element, index, item: child }]
          : [];
      });
      for (const { item: child } of cases) run.enqueued(child);
      files.push({ uri, text, suite, cases });
    }
    return files;
  }

  /** Asks the user once for all suites together. */
  private async agrees(
    files: readonly ReadFile[],
    level: SentLevel,
    signal: AbortSignal,
  ): Promise<boolean> {
    const planned = [];
    for (const { suite, cases } of files) {
      const read = await this.readSkill(suite);
      if (signal.aborted) return false;
      const count = sentCases(cases.map(({ suiteCase: one }) => one)).length;
      if (read.ok) planned.push({ skill: read.value, count });
    }
    if (planned.every(({ count }) => count === 0)) return true;
    const question = casesQuestion(planned, level, windowTarget(this.parts.place), hostLanguage());
    return (await confirm({ ...question, maxLineLength: 500 })) && !signal.aborted;
  }

  /** Runs the cases of a file. `openCases` is undefined for a level that sends nothing. */
  private async runFile(
    file: ReadFile,
    level: CaseLevel,
    wanted: ExplorerRun,
    openCases: OpenCases | undefined,
  ): Promise<void> {
    const { run, signal } = wanted;
    if (signal.aborted) return skipAll([file], run);
    const { suite, uri, text } = file;
    const outputs = await storedOutputs(uri);
    const found = await this.readSkill(suite);
    const sent = sentCases(file.cases.map(({ suiteCase: one }) => one));
    const environment = await this.parts.environments.of(uri);
    let opened: OpenedSkill | undefined;
    if (level !== "offline" && openCases !== undefined && found.ok && sent.length > 0) {
      // After a stop nothing is sent, so the user need not be asked.
      if (signal.aborted) return skipAll([file], run);
      const cases = { count: sent.length, level, environment: environmentName(environment) };
      opened = await openCases(found.value, cases, signal);
      if (opened === undefined) return skipAll([file], run);
    }
    const tested = opened === undefined ? found : { ok: true as const, value: opened.skill };
    const version = testedVersion(tested, suite.address, (failure) =>
      revealHidden(registryFailureText(failure, hostLanguage())),
    );
    const tools: Omit<CaseTools, "send" | "earlier"> = {
      check: (payload, schema, { allowedSecrets } = { allowedSecrets: [] }) =>
        this.parts.checks.checkText(schema, payload, signal, allowedSecrets),
      environment,
      outputs: new Map(),
      readPayload: (name) => readPayloadFile(name, uri),
      allowsUnchecked: false,
      isUpdate: false,
      language: hostLanguage(),
    };
    for (const { suiteCase: one, index, item } of file.cases) {
      await runTest(wanted, item, async (time) => {
        const { verdict, record } = isDamaged(outputs)
          ? {
              verdict: { kind: "unknown", problems: [{ message: outputs.damaged }] } as const,
              record: undefined,
            }
          : await runCase(one, version, outputs, {
              ...tools,
              earlier: suite.cases.slice(0, index).map(({ name }) => name),
              send: opened?.senderOf(`${uri}#${one.name}`),
            });
        this.verdicts.set(testKey(item), verdict);
        reportCase(run, { item, index, verdict, record, text, uri }, time());
      });
    }
  }

  private async readSkill({ address }: Suite): Promise<Result<SkillDetail>> {
    const { slug, version } = address;
    const found = await this.parts.details.find(slug, version || undefined);
    return skillOfSuite(found, address, hostLanguage());
  }
}

/**
 * Accepts the output in a message of the Test Explorer. The editor passes the test and the message as arguments. For
 * any other argument, explains what to do first.
 */
export async function acceptOutput(
  suites: SuiteTests | undefined,
  argument: unknown,
): Promise<void> {
  const { test, message } = (argument ?? {}) as {
    readonly test?: vscode.TestItem;
    readonly message?: vscode.TestMessage;
  };
  if (suites === undefined || test === undefined || message === undefined) showNothingToAccept();
  else await suites.accept(test, message);
}

/**
 * Invokes the skill for a case that has no stored output, after the questions of *Invoke Live*, and stores the output.
 * The editor passes the test as an argument; for any other argument, explains what to do first.
 */
export async function storeMissingOutput(
  tests: Pick<SkillTests, "run" | "suites"> | undefined,
  argument: unknown,
): Promise<void> {
  const { test } = (argument ?? {}) as { readonly test?: vscode.TestItem };
  if (tests === undefined || test === undefined) return showNothingToAccept();
  await tests.run(new vscode.TestRunRequest([test]), "live");
  await tests.suites.accept(test);
}

/** Runs the suite of a row in the Skills view, or of the editor whose title has the command, else the visible suite. */
export async function runSuite(
  tests: Pick<LazyTestController, "runSuite">,
  argument: unknown,
): Promise<void> {
  const row = readFileRow(argument);
  const uri =
    row === undefined ? payloadDocument(argument)?.uri : vscode.Uri.parse(row.address, true);
  if (uri !== undefined && (await tests.runSuite(uri, choose))) return;
  const isOutside =
    uri !== undefined &&
    isSuiteFile(uri.path) &&
    vscode.workspace.getWorkspaceFolder(uri) === undefined;
  void inform(
    isOutside
      ? vscode.l10n.t("This suite is not in an open folder. Open its folder and run it there.")
      : vscode.l10n.t("No suite is open. Open one, then run this again."),
  );
}

function showNothingToAccept(): void {
  void inform(
    vscode.l10n.t(
      "Run a suite first. If an output differs from the expected one, accept it in its message.",
    ),
  );
}

/** Identifies a case in its suite by its index and its name. */
function caseId({ name }: SuiteCase, index: number): string {
  return `${index} ${name}`;
}

function skipAll(files: readonly ReadFile[], run: vscode.TestRun): void {
  for (const { item } of files.flatMap(({ cases }) => cases)) run.skipped(item);
}
