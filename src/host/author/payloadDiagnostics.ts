import * as vscode from "vscode";
import {
  hiddenProblemsText,
  type PayloadProblem,
  problemText,
  schemaText,
} from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { jsonFileEnding } from "../../core/text/jsonFileEnding";
import { diagnosticSource, schemaScheme } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { mark, rangeAt, rangeIn } from "../marks";
import { Documents } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";

/**
 * Shows the input schemas of skills as read-only documents. The registry is part of their URI, so that the
 * editor never shows one registry's schema for another's.
 */
export class SchemaDocuments extends Documents {
  constructor(private readonly details: SkillDetails) {
    super(schemaScheme);
  }

  protected async textOf({ query }: vscode.Uri): Promise<string> {
    const asked = new URLSearchParams(query);
    const version = asked.get("version") ?? "";
    const found = await this.details.find(asked.get("skill") ?? "", version || undefined);
    const isSame = found.ok && this.details.registryOf(found.value) === asked.get("registry");
    if (isSame) return schemaText(found.value.inputSchema ?? true);
    const unavailable = vscode.l10n.t("This schema is of a registry that is not connected now.");
    return schemaText({ unavailable });
  }

  /** Returns the location of a problem's rule in a skill's input schema; its start where that is unknown. */
  location(skill: SkillDetail, problem: PayloadProblem): vscode.Location | undefined {
    if (problem.schemaPointer === undefined) return undefined;
    const range = rangeAt(problem.rule ?? { start: beginning, end: beginning });
    return new vscode.Location(this.addressOf(skill), range);
  }

  private addressOf(skill: SkillDetail): vscode.Uri {
    const { slug, version } = skill.summary;
    const registry = this.details.registryOf(skill);
    const name = `input-schema.${jsonFileEnding(skill.inputSchema)}`;
    return this.uriOf(`/${slug}@${version}/${name}`, { skill: slug, version, registry });
  }
}

const beginning = { line: 0, character: 0 };

/** Marks a payload for another version than the current one, which `PayloadVersions` fixes. */
export const versionCode = "version";

/** Shows the problems of bound documents in the editor and the Problems view, as they are found. */
export class PayloadDiagnostics extends Owner {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection(diagnosticSource),
  );
  /** The marked problems of a check: the rest is left to the editor's own JSON support. */
  private readonly marked = new WeakMap<CheckedPayload, readonly PayloadProblem[]>();

  constructor(
    private readonly checks: PayloadChecks,
    private readonly schemas: SchemaDocuments,
  ) {
    super();
    this.own(
      checks.onDidChange((document) => this.show(document)),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.followEditor(uris)),
    );
    for (const document of vscode.workspace.textDocuments) this.show(document);
  }

  private show(document: vscode.TextDocument): void {
    const checked = this.checks.find(document);
    if (checked === undefined) this.collection.delete(document.uri);
    else if (checked.state.kind !== "checking") {
      const problems = notMarkedYet(checked);
      this.marked.set(checked, problems);
      this.collection.set(document.uri, diagnosticsOf(checked, problems, this.schemas));
    }
  }

  /** The editor marks invalid JSON a little later than we do, and moves its marks while typing. */
  private followEditor(uris: readonly vscode.Uri[]): void {
    const names = new Set(uris.map((uri) => uri.toString()));
    for (const document of vscode.workspace.textDocuments) {
      const checked = names.has(document.uri.toString()) ? this.checks.find(document) : undefined;
      const marked = checked && this.marked.get(checked);
      if (checked === undefined || marked === undefined) continue;
      const now = notMarkedYet(checked);
      const isSame = now.length === marked.length && now.every((each, at) => each === marked[at]);
      if (!isSame) this.show(document);
    }
  }
}

/** The problems of a check except those that the editor's own JSON support marks already. */
function notMarkedYet({ document, state }: CheckedPayload): readonly PayloadProblem[] {
  if (state.kind !== "checked") return [];
  const { problems } = state.check;
  if (!problems.some(isNoJson)) return problems;
  const shown = vscode.languages.getDiagnostics(document.uri);
  return problems.filter((problem) => !marksSameError(shown, document, problem));
}

/**
 * Returns whether the editor's own JSON support marks the error of a problem: its parser recovers like ours,
 * so that the two marks share a character.
 */
export function marksSameError(
  diagnostics: readonly vscode.Diagnostic[],
  document: vscode.TextDocument,
  problem: PayloadProblem,
): boolean {
  if (!isNoJson(problem)) return false;
  const range = rangeIn(document, problem);
  return diagnostics.some(
    (shown) =>
      (shown.source === document.languageId || isOfComment(shown)) &&
      shown.severity === vscode.DiagnosticSeverity.Error &&
      shown.range.intersection(range)?.isEmpty === false,
  );
}

/**
 * Returns whether a problem is one that the editor's JSON support may mark as well. It only warns about
 * duplicate keys, and about trailing commas in JSON with Comments; text that cannot be sent is marked as an
 * error.
 */
function isNoJson({ data }: PayloadProblem): boolean {
  return data !== undefined && markedByEditor.includes(data.kind);
}

/** The editor's diagnostics for comments have no source. */
function isOfComment({ source, code }: vscode.Diagnostic): boolean {
  return source === undefined && code === 0x209;
}

const markedByEditor: readonly string[] = ["syntax", "empty", "comment", "trailingComma"];

function diagnosticsOf(
  { document, state }: CheckedPayload,
  problems: readonly PayloadProblem[],
  schemas: SchemaDocuments,
): vscode.Diagnostic[] {
  if (state.kind === "checking") return [];
  if (state.kind === "unavailable") {
    const { failure } = state;
    const reason = registryFailureText(failure, hostLanguage());
    const message = `${vscode.l10n.t("This JSON could not be checked.")} ${reason}`;
    const isOther = failure.kind === "notFound" && failure.returned !== undefined;
    return [mark(document.lineAt(0).range, message, isOther ? versionCode : "unchecked")];
  }
  const shown = problems.map((problem) =>
    diagnosticOf(document, problem, schemas.location(state.skill, problem)),
  );
  const more = hiddenProblemsText(state.check, hostLanguage());
  if (more === "") return shown;
  return [...shown, mark(document.lineAt(0).range, more, "more", "information")];
}

/** Makes the mark of a problem in a document. `rule` is where its rule stands in the schema. */
export function diagnosticOf(
  document: vscode.TextDocument,
  problem: PayloadProblem,
  rule: vscode.Location | undefined,
): vscode.Diagnostic {
  const range = rangeIn(document, problem.mark ?? problem);
  const diagnostic = mark(range, problemText(problem), problem.code, problem.severity);
  if (rule !== undefined) {
    const message = vscode.l10n.t("The rule in the skill's schema");
    diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(rule, message)];
  }
  return diagnostic;
}
