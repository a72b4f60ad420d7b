import * as vscode from "vscode";
import { readEnvironments } from "../../core/environment/environmentsFile";
import { environmentsPath } from "../../core/environment/environmentsPath";
import { diagnosticSource } from "../ids";
import { mark, rangeIn } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";

/**
 * Marks problems of an open `environments.json` that its schema cannot express: unusable addresses, and names that
 * exclude each other. The editor marks violations of the schema.
 */
export class EnvironmentsProblems extends Owner {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection(`${diagnosticSource}-environments`),
  );

  constructor() {
    super();
    const { workspace } = vscode;
    this.own(
      workspace.onDidOpenTextDocument((document) => this.check(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.check(document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.collection.delete(uri)),
    );
    for (const document of workspace.textDocuments) this.check(document);
  }

  private check(document: vscode.TextDocument): void {
    if (!document.uri.path.endsWith(`/${environmentsPath}`)) return;
    const read = readEnvironments(document.getText(), hostLanguage());
    const problems = read.ok ? [] : read.problems;
    this.collection.set(
      document.uri,
      problems
        .filter(({ schemaPointer, code }) => schemaPointer === undefined && code !== "json")
        .map((problem) =>
          mark(rangeIn(document, problem), problem.message, problem.code, problem.severity),
        ),
    );
  }
}
