import * as vscode from "vscode";
import { lineStartsOf, positionsIn, valueRange } from "../../../core/payload/payloadCheck";
import { casePointer } from "../../../core/suite/caseReport";
import { isSuiteFile, readSuite, unreadablePayloadText } from "../../../core/suite/suite";
import { oneLine, revealHidden } from "../../../core/text/plainText";
import { isWorkingCopy } from "../../author/payloadBindings";
import { diagnosticSource } from "../../ids";
import { mark, rangeAt } from "../../marks";
import { hostLanguage } from "../../ui/hostLanguage";
import { Owner } from "../../ui/owner";
import { LatestRequest, unlessAborted } from "../../ui/wait";
import { payloadUri, readPayloadFile } from "../suiteFiles";

/** An open suite, with the payload files that its cases name, each with whether it can be read. */
interface OpenSuite {
  readonly document: vscode.TextDocument;
  readonly latest: LatestRequest;
  /** By URI. A file is read once, until it changes. */
  readonly readable: Map<string, Promise<boolean>>;
}

/** Marks the payload files of an open suite's cases that cannot be read, as a run of the suite reports them. */
export class PayloadFiles extends Owner {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection(`${diagnosticSource}-payload-files`),
  );
  private readonly open = new Map<string, OpenSuite>();

  constructor() {
    super();
    const { workspace } = vscode;
    const watcher = this.own(workspace.createFileSystemWatcher("**/*.json"));
    const reread = ({ uri }: Pick<vscode.TextDocument, "uri">) => this.reread(uri);
    this.own(
      workspace.onDidOpenTextDocument((document) => void this.check(document)),
      workspace.onDidChangeTextDocument(({ document }) => void this.check(document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      // The watcher does not see files outside the workspace.
      workspace.onDidSaveTextDocument(reread),
      watcher.onDidCreate((uri) => this.reread(uri)),
      watcher.onDidChange((uri) => this.reread(uri)),
      watcher.onDidDelete((uri) => this.reread(uri)),
    );
    for (const document of workspace.textDocuments) void this.check(document);
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (!isSuiteFile(uri.path) || !isWorkingCopy(uri) || document.isClosed) return;
    const name = uri.toString();
    const suite = this.open.get(name) ?? {
      document,
      latest: new LatestRequest(),
      readable: new Map(),
    };
    this.open.set(name, suite);
    const signal = AbortSignal.any([suite.latest.begin(), this.untilDisposed]);
    const marks = await unlessAborted(marksOf(suite), signal);
    if (!signal.aborted && marks !== undefined) this.collection.set(uri, marks);
  }

  private reread(file: vscode.Uri): void {
    for (const { document, readable } of this.open.values()) {
      if (readable.delete(file.toString())) void this.check(document);
    }
  }

  private forget(uri: vscode.Uri): void {
    const name = uri.toString();
    this.open.get(name)?.latest.dispose();
    this.open.delete(name);
    this.collection.delete(uri);
  }
}

async function marksOf({ document, readable }: OpenSuite): Promise<readonly vscode.Diagnostic[]> {
  const text = document.getText();
  const read = readSuite(text, hostLanguage());
  if (!read.ok) return [];
  const lines = lineStartsOf(text);
  const found = read.value.cases.map(async ({ payloadFile }, index) => {
    if (payloadFile === undefined) return [];
    const uri = payloadUri(payloadFile, document.uri).toString();
    const reading =
      readable.get(uri) ??
      readPayloadFile(payloadFile, document.uri).then((payload) => payload !== undefined);
    readable.set(uri, reading);
    const range = valueRange(text, casePointer(index, { at: "/payloadFile" }));
    if (range === undefined || (await reading)) return [];
    const message = revealHidden(oneLine(unreadablePayloadText(payloadFile, hostLanguage()), 500));
    return [mark(rangeAt(positionsIn(lines, range)), message, "payloadFile", "error")];
  });
  return (await Promise.all(found)).flat();
}
