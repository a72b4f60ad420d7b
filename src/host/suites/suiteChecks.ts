import * as vscode from "vscode";
import { skillMistakes } from "../../core/findings/skillMistakes";
import { valueAt } from "../../core/json/jsonPointer";
import { type JsonValue, parsedJson } from "../../core/json/jsonValue";
import type { TextRange } from "../../core/json/token";
import { skillOfSuite } from "../../core/payload/payloadBinding";
import type { PayloadProblem } from "../../core/payload/payloadCheck";
import { sharedTextProblems } from "../../core/payload/sharedText";
import { type VersionNews, versionNews, versionNewsText } from "../../core/payload/versionNews";
import { type Result, registryFailureText } from "../../core/registry/registryFailure";
import { inputSchemaOf, type SkillDetail } from "../../core/skill/skill";
import { addressText, type SkillAddress } from "../../core/skill/skillAddress";
import { mayReferToCases } from "../../core/suite/caseValues";
import { isSuiteFile, snapshotEnding, suiteMistakes } from "../../core/suite/suite";
import { movedProblem, type PayloadPart, suiteParts } from "../../core/suite/suiteText";
import { oneLine, revealHidden } from "../../core/text/plainText";
import { isWorkingCopy } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import {
  diagnosticOf,
  eachRuleOnce,
  type ProblemMark,
  ProblemMarks,
  type SchemaDocuments,
  versionCode,
} from "../author/payloadDiagnostics";
import type { CheckedPart, EmbeddedPayload, EmbeddedPayloads } from "../embeddedPayloads";
import { connectActions } from "../environments/connectActions";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import { diagnosticSource, suiteFilePattern } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { codeAction, mark, rangeIn, workspaceEdit } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { LatestRequest, unlessAborted } from "../ui/wait";

/** A suite that was checked, with the payloads of its cases. */
interface CheckedSuite {
  readonly text: string;
  readonly parts: readonly CheckedPart[];
  /** Whether the registry does not have the suite's skill. */
  readonly isMissing?: boolean;
  /** The newer version that the project runs, and the range of the skill's name in the suite. */
  readonly newer?: { readonly address: SkillAddress; readonly place: TextRange };
}

/** The maximum length of a suite that is checked while open. A longer one is checked when it runs. */
const maxText = 1_000_000;

/**
 * Checks the payloads in open suites by their skill's input schema, except payloads that should be invalid. Reports
 * mistakes in the skill's schemas, and if the project runs another version than a suite names. Marks credentials in suites and in stored outputs. Only the
 * newest text counts.
 */
export class SuiteChecks extends Owner implements EmbeddedPayloads, vscode.CodeActionProvider {
  private readonly marks = this.own(new ProblemMarks(`${diagnosticSource}-suites`));
  private readonly running = new Map<string, LatestRequest>();
  private readonly latest = new Map<string, CheckedSuite>();

  constructor(
    private readonly checks: Pick<PayloadChecks, "checkIn" | "mistakes" | "onDidStartOver">,
    private readonly details: Pick<SkillDetails, "findForCheck">,
    private readonly schemas: Pick<SchemaDocuments, "location">,
    private readonly environments: Pick<WorkspaceEnvironments, "list" | "place">,
  ) {
    super();
    this.own(
      vscode.workspace.onDidOpenTextDocument((document) => void this.check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void this.check(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      checks.onDidStartOver(() => this.checkAll()),
      vscode.languages.registerCodeActionsProvider({ pattern: suiteFilePattern }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.checkAll();
  }

  /**
   * Finds the payload around an offset of a suite, checked or not. Undefined if there is none, or its skill is unknown.
   */
  async payloadAt(
    document: vscode.TextDocument,
    offset: number,
  ): Promise<EmbeddedPayload | undefined> {
    if (!isSuiteFile(document.uri.path)) return undefined;
    const text = document.getText();
    const { address, payloads } = suiteParts(text);
    const part = payloads.find(({ start, end }) => start <= offset && offset <= end);
    const found = part && address && (await this.readSkill(address));
    if (part === undefined || !found?.ok) return undefined;
    const { inputSchema: schema } = found.value;
    return { from: part.start, text: text.slice(part.start, part.end), schema };
  }

  /** Returns the check of the payload around an offset. Undefined if the current text was not checked. */
  checkedAt(document: vscode.TextDocument, offset: number): CheckedPart | undefined {
    const checked = this.latest.get(document.uri.toString());
    if (checked?.text !== document.getText()) return undefined;
    return checked.parts.find(({ from, text }) => from <= offset && offset <= from + text.length);
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const checked = this.latest.get(document.uri.toString());
    const unchecked = diagnostics.filter(({ code }) => code === "unchecked");
    if (checked?.isMissing && unchecked.length > 0) {
      return connectActions(this.environments, unchecked);
    }
    const versionDiagnostics = diagnostics.filter(({ code }) => code === versionCode);
    if (checked?.newer === undefined || checked.text !== document.getText()) return [];
    if (versionDiagnostics.length === 0) return [];
    const { address, place } = checked.newer;
    const title = vscode.l10n.t("Update to {0}", oneLine(address.version, 40));
    const name = JSON.stringify(addressText(address.slug, address.version));
    const edit = workspaceEdit(document, [{ ...place, text: name }]);
    return [codeAction(title, { edit, diagnostics: versionDiagnostics })];
  }

  /** Checks all open suites again, for instance after a skill changed. */
  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const isOfSuite = isSuiteFile(uri.path) || uri.path.endsWith(snapshotEnding);
    if (!isOfSuite || !isWorkingCopy(uri) || document.isClosed) return;
    const name = uri.toString();
    const checks = this.running.get(name) ?? new LatestRequest();
    this.running.set(name, checks);
    const signal = AbortSignal.any([checks.begin(), this.untilDisposed]);
    const found = await unlessAborted(this.checkText(document, signal), signal);
    if (signal.aborted || found === undefined) return;
    this.latest.set(name, found);
    this.marks.set(document, found.marks);
  }

  /** Checks a suite's text and shows the results. The editor itself marks invalid JSON. */
  private async checkText(
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<CheckedSuite & { readonly marks: readonly ProblemMark[] }> {
    const text = document.getText();
    if (text.length > maxText) return { text, parts: [], marks: [] };
    const marksOf = (problems: readonly PayloadProblem[]) =>
      problems.map((problem) => ({
        problem,
        diagnostic: diagnosticOf(document, problem, undefined),
      }));
    const shared = marksOf(sharedTextProblems(text, hostLanguage()));
    // The editor itself marks what the schema of suites finds.
    const isSuite = isSuiteFile(document.uri.path);
    const mistakes = marksOf(isSuite ? suiteMistakes(text, hostLanguage()) : []);
    const nothing = { text, parts: [], marks: [...mistakes, ...shared] };
    const written = parsedJson(text);
    if (written === undefined) return nothing;
    const { skill, address, payloads } = suiteParts(text);
    if (address === undefined || skill === undefined) return nothing;
    const { length } = text.slice(skill.start, skill.end).trimStart();
    const place = { start: skill.end - length, end: skill.end };
    const read = await this.readSkill(address);
    if (!read.ok) {
      const reason = registryFailureText(read.failure, hostLanguage());
      const message = `${vscode.l10n.t("The payloads of this suite could not be checked.")} ${reason}`;
      const diagnostic = mark(rangeIn(document, place), message, "unchecked");
      const isMissing = read.failure.kind === "notFound" && read.failure.returned === undefined;
      return { ...nothing, isMissing, marks: [...nothing.marks, { diagnostic }] };
    }
    const parts: CheckedPart[] = [];
    const once = eachRuleOnce();
    const marks: ProblemMark[] = [...mistakes];
    for (const { start: from, end } of payloads.filter(isExpectedValid(written))) {
      const payload = text.slice(from, end);
      // The payload refers to an earlier case, whose value is known only when the suite runs.
      if (mayReferToCases(payload)) continue;
      const schema = inputSchemaOf(read.value);
      const { check } = await this.checks.checkIn(document.uri, schema, payload, signal);
      signal.throwIfAborted();
      parts.push({ from, text: payload, schema: read.value.inputSchema, check });
      for (const problem of check.problems) {
        const moved = movedProblem(problem, from);
        const rule = once(this.schemas.location(read.value, problem));
        marks.push({ problem: moved, diagnostic: diagnosticOf(document, moved, rule) });
      }
    }
    for (const text of await skillMistakes(read.value, this.checks.mistakes, hostLanguage())) {
      const message = revealHidden(text);
      marks.push({ diagnostic: mark(rangeIn(document, place), message, "schema") });
    }
    // The check of a payload already marks its credentials, and offers a fix.
    const isMarked = ({ start, end }: TextRange) =>
      marks.some(
        ({ problem }) => problem?.code === "secret" && problem.start < end && start < problem.end,
      );
    marks.push(...shared.filter(({ problem }) => !isMarked(problem)));
    const news = await this.newsFor(address, read.value);
    if (news === undefined) return { text, parts, marks };
    const message = revealHidden(versionNewsText(news, hostLanguage()));
    const diagnostic = mark(rangeIn(document, place), message, versionCode, "information");
    marks.push({ diagnostic });
    const newer = { address: { slug: address.slug, version: news.after }, place };
    return { text, parts, marks, newer };
  }

  /**
   * Returns the changes if the project runs a newer version than a suite names. None for a suite without a version,
   * which follows the project.
   */
  private async newsFor(
    { slug, version }: SkillAddress,
    named: SkillDetail,
  ): Promise<VersionNews | undefined> {
    if (version === "") return undefined;
    const current = await this.details.findForCheck(slug);
    return current.ok ? versionNews(version, named, current.value, hostLanguage()) : undefined;
  }

  private async readSkill(address: SkillAddress): Promise<Result<SkillDetail>> {
    const { slug, version } = address;
    const found = await this.details.findForCheck(slug, version || undefined);
    return skillOfSuite(found, address, hostLanguage());
  }

  private forget(uri: vscode.Uri): void {
    const name = uri.toString();
    this.running.get(name)?.dispose();
    this.running.delete(name);
    this.latest.delete(name);
    this.marks.delete(uri);
  }
}

/** Returns a filter for the payloads of a suite that should be valid. A case may expect an invalid one. */
export function isExpectedValid(suite: JsonValue): (part: PayloadPart) => boolean {
  return ({ index }) => valueAt(suite, `/cases/${index}/expect/invalid`) === undefined;
}
