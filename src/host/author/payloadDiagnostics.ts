import * as vscode from "vscode";
import type { PayloadProblem } from "../../core/payload/payloadCheck";
import { failureWords } from "../../core/registry/failureWords";
import { hostLanguage } from "../words/hostLanguage";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";
import type { SchemaDocuments } from "./schemaDocuments";

const source = "skill-registry";

/** Shows the problems of bound documents in the editor and the Problems view, as they are found. */
export class PayloadDiagnostics {
  private readonly collection = vscode.languages.createDiagnosticCollection(source);
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly checks: PayloadChecks,
    private readonly schemas: SchemaDocuments,
  ) {
    this.subscription = checks.onDidChange((document) => this.show(document));
    for (const document of vscode.workspace.textDocuments) this.show(document);
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }

  private show(document: vscode.TextDocument): void {
    const checked = this.checks.find(document);
    if (checked === undefined) this.collection.delete(document.uri);
    else if (checked.state.kind !== "checking") {
      this.collection.set(document.uri, diagnosticsOf(checked, this.schemas));
    }
  }
}

function diagnosticsOf(
  { document, state }: CheckedPayload,
  schemas: SchemaDocuments,
): vscode.Diagnostic[] {
  if (state.kind === "checking") return [];
  if (state.kind === "unavailable") {
    const reason = failureWords(state.failure, hostLanguage());
    const message = `${vscode.l10n.t("This JSON could not be checked.")} ${reason}`;
    return [wholeLine(document, message, "unchecked", vscode.DiagnosticSeverity.Warning)];
  }
  const { problems, hiddenProblems } = state.check;
  const shown = problems.map((problem) =>
    diagnosticOf(document, problem, schemas.location(state.skill, problem)),
  );
  if (hiddenProblems === 0) return shown;
  const more =
    hiddenProblems === 1
      ? vscode.l10n.t("1 more problem is not listed.")
      : vscode.l10n.t("{0} more problems are not listed.", hiddenProblems);
  return [...shown, wholeLine(document, more, "more", vscode.DiagnosticSeverity.Information)];
}

function diagnosticOf(
  document: vscode.TextDocument,
  problem: PayloadProblem,
  rule: vscode.Location | undefined,
): vscode.Diagnostic {
  const { start, end } = problem.mark ?? problem;
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(document.positionAt(start), document.positionAt(end)),
    problem.message,
    problem.severity === "error"
      ? vscode.DiagnosticSeverity.Error
      : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = source;
  diagnostic.code = problem.code;
  if (rule !== undefined) {
    const message = vscode.l10n.t("The rule in the skill's schema");
    diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(rule, message)];
  }
  return diagnostic;
}

function wholeLine(
  document: vscode.TextDocument,
  message: string,
  code: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(document.lineAt(0).range, message, severity);
  diagnostic.source = source;
  diagnostic.code = code;
  return diagnostic;
}
