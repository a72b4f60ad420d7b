import * as vscode from "vscode";
import {
  type FactOrder,
  invocationDocument,
} from "../../core/invocation/record/invocationDocument";
import { type InvocationRecord, isRecordId } from "../../core/invocation/record/invocationRecord";
import { runYielding } from "../../registry/runYielding";
import { invocationScheme } from "../ids";
import type { InvocationHistory } from "./invocationHistory";

/** Shows past invocations as read-only JSON documents, `skill-invocation:/<record>/<skill>.json`. */
export class InvocationDocuments implements vscode.TextDocumentContentProvider {
  private readonly registration: vscode.Disposable;

  constructor(private readonly history: InvocationHistory) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(
      invocationScheme,
      this,
    );
  }

  /** Opens the document of an invocation. */
  async open(record: InvocationRecord): Promise<void> {
    const document = await vscode.workspace.openTextDocument(invocationUri(record));
    await vscode.window.showTextDocument(document);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const id = uri.path.split("/")[1] ?? "";
    const record = await this.history.find(id);
    if (!isRecordId(id) || record === undefined) {
      return `${vscode.l10n.t("This invocation is no longer in the record.")}\n`;
    }
    const order = uri.query === comparison ? comparison : "record";
    return runYielding(invocationDocument(record, await this.history.texts(id), order));
  }

  dispose(): void {
    this.registration.dispose();
  }
}

const comparison: FactOrder = "comparison";

/** Addresses the document of an invocation, with its facts in the order of a reader or of a comparison. */
export function invocationUri(record: InvocationRecord, order: FactOrder = "record"): vscode.Uri {
  const path = `/${record.id}/${record.skillSlug} ${record.status}.json`;
  return vscode.Uri.from({
    scheme: invocationScheme,
    path,
    query: order === comparison ? order : "",
  });
}
