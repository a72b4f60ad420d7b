import * as vscode from "vscode";
import { boundSkill } from "../../core/payload/payloadBinding";
import { registryFailureText } from "../../core/registry/registryFailure";
import {
  fileProblem,
  maxTeamFileBytes,
  type TeamText,
  unreadableText,
} from "../../core/review/files/reviewFolder";
import { readFileRow } from "../../core/skillList/skillFileRows";
import { type CaseLevel, sentCases } from "../../core/suite/caseCost";
import {
  type CaseTools,
  casePointer,
  runCase,
  testedVersion,
  type Verdict,
} from "../../core/suite/runSuite";
import { acceptedChange, readSuite, type Suite, type SuiteCase } from "../../core/suite/suite";
import { replaceValueEdit } from "../../core/suite/suiteText";
import { labelText, revealHidden } from "../../core/text/plainText";
import { maxTextBytes } from "../../engine/files/repositoryFile";
import type { PayloadChecks } from "../author/payloadChecks";
import { documentOnScreen } from "../author/payloadDocument";
import { casesTag } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import type { SkillFileChange, SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { inform, showStatus } from "../ui/messages";
import { Owner } from "../ui/owner";
import { readEditedFile, readWorkspaceFile } from "../workspaceFile";
import { type RequestedTests, type SkillItems, testKey, type WantedRun } from "./skillTests";
import {
  messageOf,
  type OpenedSkill,
  problemMessages,
  rangesIn,
  reportCase,
  type SentLevel,
  type SuiteSender,
} from "./suiteCases";
import { editSuite, isDamaged, maxSuitesRead, storedOutputs, storeOutput } from "./suiteFiles";

/** Upper limit of cases, each of which is an item in the editor: beyond it, no further suite is listed. */
const maxCases = 20_000;

/** The dependencies of running suites. */
export interface SuiteTestsParts {
  readonly details: Pick<SkillDetails, "find">;
  readonly checks: Pick<PayloadChecks, "checkText">;
  readonly sender: SuiteSender;
  readonly files: Pick<SkillFiles, "suites" | "onDidChangeFile">;
}

/** A suite as it was read for a run. */
interface ReadFile {
  readonly item: vscode.TestItem;
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly suite: Suite;
  /** The requested cases, with their items and ranges in the suite. */
  readonly cases: readonly WantedCase[];
}

interface WantedCase {
  readonly one: SuiteCase;
  readonly index: number;
  readonly item: vscode.TestItem;
}

/**
 * Fills the Test Explorer with the suites of the workspace and runs their cases, as `skill-registry test`
 * does: offline, or sent after the user agreed.
 */
export class SuiteTests extends Owner {
  /** How the cases went last, by `testKey`. */
  private readonly verdicts = new Map<string, Verdict>();
  /** The suites by their addresses. */
  private readonly files = new Map<string, vscode.TestItem>();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly skills: SkillItems,
    private readonly parts: SuiteTestsParts,
  ) {
    super();
    this.own(parts.files.onDidChangeFile((change) => this.follow(change)));
  }

  /** Returns the suite of a file; undefined where it is not known. */
  itemOf(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.files.get(uri.toString());
  }

  /** Discovers the files again. */
  async discover(): Promise<void> {
    const found = await this.parts.files.suites();
    const uris = found.slice(0, maxSuitesRead);
    const names = new Set(uris.map((uri) => uri.toString()));
    for (const name of [...this.files.keys()]) if (!names.has(name)) this.remove(name);
    let [listed, cases] = [0, 0];
    for (const uri of uris) {
      if (cases >= maxCases) break;
      await this.put(uri);
      listed += 1;
      cases += this.files.get(uri.toString())?.children.size ?? 0;
    }
    this.skills.noteMore("suites", listed < found.length ? listed : undefined);
  }

  /** Runs the requested cases up to a level. Resolves when all have run or the user stopped the run. */
  async run({ requested, run, signal }: WantedRun, level: CaseLevel): Promise<void> {
    const files = await this.readWanted(requested, run);
    if (level === "offline" || (await this.agrees(files, level, signal))) {
      for (const file of files) await this.runFile(file, level, run, signal);
    } else skipAll(files, run);
  }

  /** Makes the output that a message of a case shows the expected one. */
  async accept(item: vscode.TestItem, { message: words }: vscode.TestMessage): Promise<void> {
    const { uri } = item;
    const verdict = this.verdicts.get(testKey(item)) ?? {
      kind: "judged",
      problems: [],
    };
    const problem = verdict.problems.find((one) => messageOf(one, verdict).message === words);
    const change = problem && acceptedChange(problem, verdict);
    if (uri === undefined || change === undefined) return showNothingToAccept();
    const name = item.id.slice(item.id.indexOf(" ") + 1);
    const isAccepted =
      change.in === "snapshot"
        ? await storeOutput(uri, name, change.value)
        : await editSuite(uri, (text, { cases }) => {
            const at = casePointer(
              cases.findIndex((one) => one.name === name),
              change,
            );
            return replaceValueEdit(text, at, change.value);
          });
    if (!isAccepted) return;
    this.controller.invalidateTestResults(item);
    showStatus("check", vscode.l10n.t("Output accepted. Run the case again to see it pass."));
  }

  private follow({ use, kind, uri }: SkillFileChange): void {
    const name = uri.toString();
    if (use !== "suite" || (kind === "opened" && this.files.has(name))) return;
    if (kind === "deleted") this.remove(name);
    else void this.put(uri);
  }

  /** Shows a suite with the current cases of its file, below its skill. */
  private async put(uri: vscode.Uri): Promise<void> {
    const name = uri.toString();
    const found = await readEditedFile(uri, maxTeamFileBytes);
    if (found.kind === "none") return this.remove(name);
    const known = this.files.get(name);
    const item = known ?? this.newItem(uri);
    this.files.set(name, item);
    this.fill(item, found);
    if (known !== undefined) this.controller.invalidateTestResults(item);
  }

  private remove(name: string): void {
    const item = this.files.get(name);
    this.files.delete(name);
    if (item !== undefined) this.skills.remove(item);
  }

  private newItem(uri: vscode.Uri): vscode.TestItem {
    const name = vscode.workspace.asRelativePath(uri).replace(/\.skill-suite\.json$/, "");
    const item = this.controller.createTestItem(uri.toString(), labelText(name), uri);
    item.tags = [new vscode.TestTag(casesTag)];
    return item;
  }

  /** Returns the suite; undefined where it is invalid, which the item shows. */
  private fill(item: vscode.TestItem, found: FoundText): Suite | undefined {
    const { uri } = item;
    const read = suiteOf(found);
    if (uri === undefined || !read.ok || found.kind !== "text") {
      item.children.replace([]);
      const [first] = read.ok ? [] : read.problems;
      item.error = first === undefined ? undefined : revealHidden(first.message);
      this.skills.put(item, item.parent?.id);
      return undefined;
    }
    const { text } = found;
    item.error = undefined;
    const { address, cases } = read.value;
    item.description = labelText(address.version);
    this.skills.put(item, address.slug);
    const ranges = rangesIn(
      text,
      cases.map((_, index) => casePointer(index, {})),
    );
    const items = cases.map((one, index) => {
      const child = this.controller.createTestItem(
        `${index} ${one.name}`,
        labelText(one.name),
        uri,
      );
      child.tags = item.tags;
      child.range = ranges.get(casePointer(index, {}));
      return child;
    });
    item.children.replace(items);
    return read.value;
  }

  /** Reads the requested suites again; invalid ones get their results immediately. */
  private async readWanted(
    requested: RequestedTests,
    run: vscode.TestRun,
  ): Promise<readonly ReadFile[]> {
    const files: ReadFile[] = [];
    for (const item of [...this.files.values()]) {
      const { uri } = item;
      if (uri === undefined || !requested.hasPart(item)) continue;
      const found = await readEditedFile(uri, maxTeamFileBytes);
      if (found.kind === "none") continue;
      const suite = this.fill(item, found);
      const text = found.kind === "text" ? found.text : "";
      if (suite === undefined) {
        const read = suiteOf(found);
        run.errored(item, read.ok ? [] : [...problemMessages(read.problems, text, uri)]);
        continue;
      }
      const items = [...item.children].map(([, child]) => child);
      const cases = suite.cases.flatMap((one, index): WantedCase[] => {
        const child = items.find(({ id }) => id === `${index} ${one.name}`);
        return child !== undefined && requested.has(child) ? [{ one, index, item: child }] : [];
      });
      for (const { item: child } of cases) run.enqueued(child);
      files.push({ item, uri, text, suite, cases });
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
      const count = sentCases(cases.map(({ one }) => one)).length;
      if (read.ok) planned.push({ skill: read.value, count });
    }
    if (planned.every(({ count }) => count === 0)) return true;
    return (await this.parts.sender.agrees(planned, level)) && !signal.aborted;
  }

  private async runFile(
    file: ReadFile,
    level: CaseLevel,
    run: vscode.TestRun,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return skipAll([file], run);
    const { suite, uri } = file;
    const kept = await storedOutputs(uri);
    const found = boundSkill(await this.readSkill(suite), suite.address, hostLanguage());
    const sent = sentCases(file.cases.map(({ one }) => one));
    let opened: OpenedSkill | undefined;
    if (level !== "offline" && found.ok && sent.length > 0) {
      // No question for cases that will not be sent.
      if (signal.aborted) return skipAll([file], run);
      opened = await this.parts.sender.open(found.value, { count: sent.length, level }, signal);
      if (opened === undefined) return skipAll([file], run);
    }
    const tested = opened === undefined ? found : { ok: true as const, value: opened.skill };
    const version = testedVersion(tested, suite.address, (failure) =>
      revealHidden(registryFailureText(failure, hostLanguage())),
    );
    for (const { one, index, item } of file.cases) {
      if (signal.aborted) {
        run.skipped(item);
        continue;
      }
      run.started(item);
      const startedAt = performance.now();
      try {
        const verdict = isDamaged(kept)
          ? ({ kind: "unknown", problems: [{ message: kept.damaged }] } as const)
          : await runCase(
              one,
              version,
              kept,
              this.toolsFor({ uri, name: one.name }, opened, signal),
            );
        this.verdicts.set(testKey(item), verdict);
        reportCase(
          run,
          { item, index, verdict, text: file.text, uri },
          performance.now() - startedAt,
        );
      } catch (error) {
        if (!signal.aborted) throw error;
        run.skipped(item);
      }
    }
  }

  private readSkill({ address: { slug, version } }: Suite) {
    return this.parts.details.find(slug, version || undefined);
  }

  private toolsFor(
    { uri, name }: { readonly uri: vscode.Uri; readonly name: string },
    opened: OpenedSkill | undefined,
    signal: AbortSignal,
  ): CaseTools {
    return {
      check: (text, schema) => this.parts.checks.checkText(schema, text, signal),
      payloadText: (one) => payloadText(one, uri),
      allowsUnchecked: false,
      send:
        opened &&
        ((invocation, check) =>
          opened.send(invocation, { check, source: `${uri}#${name}` }, signal)),
      isUpdate: false,
      language: hostLanguage(),
    };
  }
}

/**
 * Accepts the output that a message in the Test Explorer shows, of which the editor passes the test and the message; for
 * any other argument says what to do first.
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

/** Runs the suite of a row of the Skills view, else the one in the active editor. */
export async function runSuite(
  tests: { readonly runSuite: (uri: vscode.Uri) => Promise<boolean> },
  argument: unknown,
): Promise<void> {
  const row = readFileRow(argument);
  const uri = row === undefined ? documentOnScreen()?.uri : vscode.Uri.parse(row.address, true);
  if (uri !== undefined && (await tests.runSuite(uri))) return;
  void inform(vscode.l10n.t("No suite is open. Open one, then run this again."));
}

function showNothingToAccept(): void {
  void inform(
    vscode.l10n.t(
      "Run a suite first. Where an output is not as expected, its message can be accepted.",
    ),
  );
}

function skipAll(files: readonly ReadFile[], run: vscode.TestRun): void {
  for (const { item } of files.flatMap(({ cases }) => cases)) run.skipped(item);
}

type FoundText = Exclude<TeamText, { kind: "none" }>;

/** The suite in a file, or why there is none: a file that cannot be read is a problem as well. */
function suiteOf(found: FoundText): ReturnType<typeof readSuite> {
  if (found.kind === "text") return readSuite(found.text, hostLanguage());
  const problem = fileProblem(unreadableText(found, hostLanguage()));
  return { ok: false, problems: [problem] };
}

/** Reads the payload of a case. Undefined where its file cannot be read, or lies outside the suite's folder. */
async function payloadText(
  { payload, payloadFile }: SuiteCase,
  suite: vscode.Uri,
): Promise<string | undefined> {
  if (payloadFile === undefined) return JSON.stringify(payload);
  const folder = vscode.Uri.joinPath(suite, "..");
  const file = vscode.Uri.joinPath(folder, ...payloadFile.split("/"));
  const found = await readWorkspaceFile(file, maxTextBytes, folder);
  return found.kind === "text" ? found.text : undefined;
}
