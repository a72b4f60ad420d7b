import * as vscode from "vscode";
import { valueAt } from "../../core/json/jsonPointer";
import { type JsonValue, parsedJson } from "../../core/json/jsonValue";
import { boundSkill } from "../../core/payload/payloadBinding";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import { type Result, registryFailureText } from "../../core/registry/registryFailure";
import { inputSchemaOf, type SkillDetail } from "../../core/skill/skill";
import type { SkillAddress } from "../../core/skill/skillAddress";
import { isSuiteFile } from "../../core/suite/suite";
import { movedProblem, type PayloadPart, suiteParts } from "../../core/suite/suiteText";
import { isWorkingCopy } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { diagnosticOf, type SchemaDocuments } from "../author/payloadDiagnostics";
import { diagnosticSource } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { mark, rangeIn } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { LatestRequest, unlessAborted } from "../ui/wait";

/** A payload that is a part of a document, which starts at the offset `from`. */
export interface EmbeddedPayload {
  readonly from: number;
  readonly text: string;
  readonly skill: SkillDetail;
}

/** One that was checked. */
export interface CheckedPart extends EmbeddedPayload {
  readonly check: PayloadCheck;
}

/** A suite that was checked, with the payloads of its cases. */
interface CheckedSuite {
  readonly text: string;
  readonly parts: readonly CheckedPart[];
}

/** A longer suite is checked when it runs. */
const maxText = 1_000_000;

/**
 * Checks the payloads in open suites by their skill's input schema, as payloads of their own are, but for those that are
 * expected to be invalid. Only the newest text counts.
 */
export class SuiteChecks extends Owner {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection(`${diagnosticSource}-suites`),
  );
  private readonly running = new Map<string, LatestRequest>();
  private readonly latest = new Map<string, CheckedSuite>();

  constructor(
    private readonly checks: Pick<PayloadChecks, "checkIn" | "onDidStartOver">,
    private readonly details: Pick<SkillDetails, "findForCheck">,
    private readonly schemas: Pick<SchemaDocuments, "location">,
  ) {
    super();
    this.own(
      vscode.workspace.onDidOpenTextDocument((document) => void this.check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void this.check(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      checks.onDidStartOver(() => this.checkAll()),
    );
    this.checkAll();
  }

  /** Finds the payload around an offset of a suite, checked or not. Undefined where there is none, or no skill to go by. */
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
    return { from: part.start, text: text.slice(part.start, part.end), skill: found.value };
  }

  /** Returns the check of the payload around an offset. Undefined where there is none of the current text. */
  checkedAt(document: vscode.TextDocument, offset: number): CheckedPart | undefined {
    const checked = this.latest.get(document.uri.toString());
    if (checked?.text !== document.getText()) return undefined;
    return checked.parts.find(({ from, text }) => from <= offset && offset <= from + text.length);
  }

  /** Checks all open suites again, for instance after a skill changed. */
  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (!isSuiteFile(uri.path) || !isWorkingCopy(uri) || document.isClosed) return;
    const name = uri.toString();
    const checks = this.running.get(name) ?? new LatestRequest();
    this.running.set(name, checks);
    const signal = AbortSignal.any([checks.begin(), this.untilDisposed]);
    const found = await unlessAborted(this.checkText(document, signal), signal);
    if (signal.aborted || found === undefined) return;
    this.latest.set(name, found);
    this.collection.set(uri, [...found.diagnostics]);
  }

  /** The checks of a suite with what is shown of them. A text that is no JSON yet, the editor marks. */
  private async checkText(
    document: vscode.TextDocument,
    signal: AbortSignal,
  ): Promise<CheckedSuite & { readonly diagnostics: readonly vscode.Diagnostic[] }> {
    const text = document.getText();
    const nothing = { text, parts: [], diagnostics: [] };
    const written = text.length > maxText ? undefined : parsedJson(text);
    if (written === undefined) return nothing;
    const { skill: place, address, payloads } = suiteParts(text);
    if (address === undefined || place === undefined) return nothing;
    const read = await this.readSkill(address);
    if (!read.ok) {
      const reason = registryFailureText(read.failure, hostLanguage());
      const message = `${vscode.l10n.t("The payloads of this suite could not be checked.")} ${reason}`;
      return { ...nothing, diagnostics: [mark(rangeIn(document, place), message, "unchecked")] };
    }
    const parts: CheckedPart[] = [];
    const diagnostics: vscode.Diagnostic[] = [];
    for (const { start: from, end } of payloads.filter(isExpectedValid(written))) {
      const payload = text.slice(from, end);
      const schema = inputSchemaOf(read.value);
      const { check } = await this.checks.checkIn(document.uri, schema, payload, signal);
      signal.throwIfAborted();
      parts.push({ from, text: payload, skill: read.value, check });
      for (const problem of check.problems) {
        const rule = this.schemas.location(read.value, problem);
        diagnostics.push(diagnosticOf(document, movedProblem(problem, from), rule));
      }
    }
    return { text, parts, diagnostics };
  }

  private async readSkill(address: SkillAddress): Promise<Result<SkillDetail>> {
    const { slug, version } = address;
    const found = await this.details.findForCheck(slug, version || undefined);
    return boundSkill(found, address, hostLanguage());
  }

  private forget(uri: vscode.Uri): void {
    const name = uri.toString();
    this.running.get(name)?.dispose();
    this.running.delete(name);
    this.latest.delete(name);
    this.collection.delete(uri);
  }
}

/** Returns which payloads of a suite are meant to be valid: a case that expects an invalid one is no mistake. */
export function isExpectedValid(suite: JsonValue): (part: PayloadPart) => boolean {
  return ({ index }) => valueAt(suite, `/cases/${index}/expect/invalid`) === undefined;
}
