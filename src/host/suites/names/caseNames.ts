import * as vscode from "vscode";
import { maxTeamFileBytes } from "../../../core/review/files/reviewFolder";
import { mayReferToCases } from "../../../core/suite/caseValues";
import { caseNameAt, renameCase } from "../../../core/suite/names/renameCase";
import { suiteFilePattern } from "../../ids";
import { type DocumentEdits, rangeIn, severalEdits } from "../../marks";
import { openFile } from "../../ui/documents";
import { hostLanguage } from "../../ui/hostLanguage";
import { Owner } from "../../ui/owner";
import { readEditedFile } from "../../workspaceFile";
import { readSuiteFile, snapshotFile } from "../suiteFiles";

/** Renames a case of a suite together with its stored output and the references to it. */
export class CaseNames extends Owner implements vscode.RenameProvider {
  constructor() {
    super();
    this.own(vscode.languages.registerRenameProvider({ pattern: suiteFilePattern }, this));
  }

  /** Resolves to undefined outside of a case's name, where another provider may rename something. */
  prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): { range: vscode.Range; placeholder: string } | undefined {
    const at = caseNameAt(document.getText(), document.offsetAt(position));
    return at && { range: rangeIn(document, at), placeholder: at.name };
  }

  /** Rejects with the reason if the name cannot be used. */
  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const suite = document.getText();
    const at = caseNameAt(suite, document.offsetAt(position));
    if (at === undefined) return undefined;
    const stored = await edited(snapshotFile(document.uri));
    const payloads = await payloadDocuments(document.uri);
    const textOf = ({ payloadFile = "" }) => payloads.get(payloadFile)?.getText();
    const texts = { suite, snapshots: stored?.getText(), payloadFile: textOf };
    const renaming = renameCase(texts, at, newName, hostLanguage());
    if ("problem" in renaming) throw new Error(renaming.problem);
    const all: DocumentEdits[] = [{ document, edits: renaming.suite }];
    if (stored !== undefined) all.push({ document: stored, edits: renaming.snapshots });
    for (const [file, edits] of renaming.payloadFiles) {
      const payload = payloads.get(file);
      if (payload !== undefined) all.push({ document: payload, edits });
    }
    return severalEdits(all);
  }
}

/** Opens the payload files of a suite that seem to refer to its cases, by their paths in the suite. */
async function payloadDocuments(suite: vscode.Uri) {
  const found = new Map<string, vscode.TextDocument>();
  const read = (await readSuiteFile(suite))?.read;
  for (const { payloadFile } of read?.ok ? read.value.cases : []) {
    if (payloadFile === undefined || found.has(payloadFile)) continue;
    const uri = vscode.Uri.joinPath(suite, "..", payloadFile);
    const document = await edited(uri, mayReferToCases);
    if (document !== undefined) found.set(payloadFile, document);
  }
  return found;
}

/** Opens a file of the workspace if its text fits. Undefined if not, or if it cannot be read. */
async function edited(
  uri: vscode.Uri,
  fits: (text: string) => boolean = () => true,
): Promise<vscode.TextDocument | undefined> {
  const read = await readEditedFile(uri, maxTeamFileBytes);
  return read.kind === "text" && fits(read.text) ? openFile(uri) : undefined;
}
