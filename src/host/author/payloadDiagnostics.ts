import * as vscode from "vscode";
import {
  hiddenProblemsText,
  type PayloadProblem,
  problemText,
  schemaText,
} from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import { jsonFileEnding } from "../../core/schema/read/jsonFileEnding";
import type { SkillDetail } from "../../core/skill/skill";
import { diagnosticSource, schemaScheme } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { mark, rangeAt, rangeIn } from "../marks";
import { Documents, unavailableText } from "../ui/documents";
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
    const parameters = new URLSearchParams(query);
    const version = parameters.get("version") ?? "";
    const found = await this.details.find(parameters.get("skill") ?? "", version || undefined);
    const isSame = found.ok && this.details.registryOf(found.value) === parameters.get("registry");
    if (isSame) return schemaText(found.value.inputSchema ?? true);
    const unavailable = vscode.l10n.t("This schema is of a registry that is not connected now.");
    return unavailableText(unavailable);
  }

  /**
   * Returns the location of a problem's rule in a skill's input schema, or the schema's start if the location is
   * unknown. Undefined for a problem without a rule.
   */
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

/** The diagnostic code of a payload for another version than the current one. `PayloadVersions` offers the fix. */
export const versionCode = "version";

/** A mark, and its problem if it has one. */
export interface ProblemMark {
  readonly diagnostic: vscode.Diagnostic;
  readonly problem?: PayloadProblem;
}

/**
 * Shows marks in documents, without those that the editor's own JSON support already shows. That support marks a little
 * later than we do, and moves its marks while typing.
 */
export class ProblemMarks extends Owner {
  private readonly collection: vscode.DiagnosticCollection;
  private readonly documents = new Map<
    string,
    {
      readonly document: vscode.TextDocument;
      readonly marks: readonly ProblemMark[];
      shown: string;
    }
  >();

  constructor(name: string) {
    super();
    this.collection = this.own(vscode.languages.createDiagnosticCollection(name));
    this.own(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.show(`${uri}`);
      }),
    );
  }

  set(document: vscode.TextDocument, marks: readonly ProblemMark[]): void {
    const name = document.uri.toString();
    this.documents.set(name, { document, marks, shown: "never" });
    this.show(name);
  }

  /** Removes the marks of a document. */
  delete(uri: vscode.Uri): void {
    this.documents.delete(uri.toString());
    this.collection.delete(uri);
  }

  private show(name: string): void {
    const opened = this.documents.get(name);
    if (opened === undefined) return;
    const { document, marks } = opened;
    const isMarkedByEditor = marks.some(
      ({ problem }) => problem !== undefined && isSyntaxProblem(problem),
    );
    const editorMarks = isMarkedByEditor ? vscode.languages.getDiagnostics(document.uri) : [];
    const unseen = marks.filter(
      ({ problem }) => problem === undefined || !marksSameError(editorMarks, document, problem),
    );
    const shown = unseen.map((mark) => marks.indexOf(mark)).join();
    // This event also fires for our own marks.
    if (shown === opened.shown) return;
    opened.shown = shown;
    this.collection.set(
      document.uri,
      unseen.map(({ diagnostic }) => diagnostic),
    );
  }
}

/** Shows the problems of bound documents in the editor and the Problems view, as they are found. */
export class PayloadDiagnostics extends Owner {
  private readonly marks = this.own(new ProblemMarks(diagnosticSource));

  constructor(
    private readonly checks: PayloadChecks,
    private readonly schemas: SchemaDocuments,
  ) {
    super();
    this.own(checks.onDidChange((document) => this.show(document)));
    for (const document of vscode.workspace.textDocuments) this.show(document);
  }

  private show(document: vscode.TextDocument): void {
    const checked = this.checks.find(document);
    if (checked === undefined) this.marks.delete(document.uri);
    else if (checked.state.kind !== "checking") {
      this.marks.set(document, marksOf(checked, this.schemas));
    }
  }
}

/**
 * Returns whether the editor's own JSON support marks the same syntax error. Its parser recovers like ours, so the two
 * marks share a character.
 */
export function marksSameError(
  diagnostics: readonly vscode.Diagnostic[],
  document: vscode.TextDocument,
  problem: PayloadProblem,
): boolean {
  const { data } = problem;
  if (data === undefined || !isSyntaxProblem(problem)) return false;
  const range = rangeIn(document, problem);
  const isRepeated = data.kind === "duplicateKey";
  const isAt = (shown: vscode.Range) =>
    shown.intersection(range)?.isEmpty === false ||
    (isRepeated && shown.contains(document.positionAt(data.firstStart)));
  return diagnostics.some(
    (shown) =>
      (shown.source === document.languageId || isOfComment(shown)) &&
      (shown.severity === vscode.DiagnosticSeverity.Error || isRepeated) &&
      isAt(shown.range),
  );
}

/**
 * Returns whether the editor's JSON support may mark a problem as well. It warns about trailing commas in JSON with
 * Comments; we mark them as an error too, since such a text cannot be sent. It warns about a repeated name at both
 * places, so we add no third mark, and explain the problem when the user invokes.
 */
function isSyntaxProblem({ data }: PayloadProblem): boolean {
  return data !== undefined && markedByEditor.includes(data.kind);
}

/** Returns whether a diagnostic of the editor is about a comment. These have no source. */
function isOfComment({ source, code }: vscode.Diagnostic): boolean {
  return source === undefined && code === 0x209;
}

const markedByEditor: readonly string[] = [
  "syntax",
  "empty",
  "comment",
  "trailingComma",
  "duplicateKey",
];

function marksOf({ document, state }: CheckedPayload, schemas: SchemaDocuments): ProblemMark[] {
  if (state.kind === "checking") return [];
  if (state.kind === "unavailable") {
    const { failure } = state;
    const reason = registryFailureText(failure, hostLanguage());
    const message = `${vscode.l10n.t("This JSON could not be checked.")} ${reason}`;
    const isOther = failure.kind === "notFound" && failure.returned !== undefined;
    const code = isOther ? versionCode : "unchecked";
    return [{ diagnostic: mark(document.lineAt(0).range, message, code) }];
  }
  const once = eachRuleOnce();
  const shown = state.check.problems.map((problem) => {
    const rule = once(schemas.location(state.skill, problem));
    return { problem, diagnostic: diagnosticOf(document, problem, rule) };
  });
  const more = hiddenProblemsText(state.check, hostLanguage());
  if (more === "") return shown;
  return [...shown, { diagnostic: mark(document.lineAt(0).range, more, "more", "information") }];
}

/**
 * Returns a function that passes on the location of each rule of one schema the first time. A row below each of many
 * problems of one rule would push the others out of the Problems panel.
 */
export function eachRuleOnce(): (rule: vscode.Location | undefined) => vscode.Location | undefined {
  const named = new Set<string>();
  return (rule) => {
    const name = JSON.stringify(rule?.range);
    if (named.has(name)) return undefined;
    named.add(name);
    return rule;
  };
}

/** Creates the mark of a problem in a document. `rule` is the location of its rule in the schema. */
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
