import * as vscode from "vscode";
import type { JsonValue } from "../../core/json/jsonValue";
import type { TextEdit } from "../../core/payload/fixes/textEdit";
import {
  fileProblem,
  maxTeamFileBytes,
  type TeamText,
  unreadableText,
} from "../../core/review/files/reviewFolder";
import { storeQuestion } from "../../core/suite/storing";
import {
  damagedSnapshotsText,
  readSnapshots,
  readSuite,
  type Suite,
  snapshotFileName,
  writeSnapshots,
} from "../../core/suite/suite";
import { maxTextBytes } from "../../engine/files/repositoryFile";
import { workspaceEdit } from "../marks";
import { openFile } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, showError } from "../ui/messages";
import { writeText } from "../ui/saveText";
import { readEditedFile, readWorkspaceFile } from "../workspaceFile";

/** A valid suite of the workspace. */
export interface SuiteFile {
  readonly uri: vscode.Uri;
  readonly suite: Suite;
}

/**
 * The result of reading a suite's file: the suite or its problems, and the text of the file; the text is empty if it
 * was not read.
 */
export interface FoundSuite {
  readonly read: ReturnType<typeof readSuite>;
  readonly text: string;
}

/** Reads a suite of the workspace, with unsaved changes. Undefined if the file is missing. Never rejects. */
export async function readSuiteFile(uri: vscode.Uri): Promise<FoundSuite | undefined> {
  const found = await readEditedFile(uri, maxTeamFileBytes);
  if (found.kind === "none") return undefined;
  if (found.kind === "text")
    return { read: readSuite(found.text, hostLanguage()), text: found.text };
  const problem = fileProblem(unreadableText(found, hostLanguage()));
  return { read: { ok: false, problems: [problem] }, text: "" };
}

/** The maximum number of suites that are read to find their skills. */
export const maxSuitesRead = 1000;

/** Reads several suites, and returns the valid ones of a skill, ordered by path. */
export async function suitesOf(
  slug: string,
  uris: readonly vscode.Uri[],
): Promise<readonly SuiteFile[]> {
  const found: SuiteFile[] = [];
  const sorted = uris.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const uri of sorted.slice(0, maxSuitesRead)) {
    const read = (await readSuiteFile(uri))?.read;
    if (read?.ok && read.value.address.slug === slug) found.push({ uri, suite: read.value });
  }
  return found;
}

/**
 * Edits a suite in its editor and saves it. `edit` gets the suite with its text, including unsaved changes, and returns
 * undefined if it no longer applies. Resolves to whether it was edited. If not, shows the user the reason.
 */
export async function editSuite(
  uri: vscode.Uri,
  edit: (text: string, suite: Suite) => TextEdit | undefined,
): Promise<boolean> {
  const document = await openFile(uri);
  if (document === undefined) return false;
  const text = document.getText();
  const read = readSuite(text, hostLanguage());
  const change = read.ok ? edit(text, read.value) : undefined;
  // The editor rejects an edit of a text that changed meanwhile.
  const isEdited =
    change !== undefined && (await vscode.workspace.applyEdit(workspaceEdit(document, [change])));
  if (!isEdited) {
    const path = vscode.workspace.asRelativePath(uri);
    void showError(vscode.l10n.t("{0} has changed meanwhile. Nothing was written.", path));
    return false;
  }
  return document.save();
}

/**
 * Asks before a text that seems to contain a credential is written to a team's file. `key` counts as a credential
 * anywhere in a text. Undefined texts are skipped.
 */
export async function mayStore(
  texts: readonly (string | undefined)[],
  key?: string,
): Promise<boolean> {
  const known = key === undefined ? [] : [key];
  const given = texts.filter((text) => text !== undefined);
  const question = storeQuestion(given, known, hostLanguage());
  return question === undefined || confirm({ ...question, detail: question.detail.join("\n") });
}

/** Outputs of a suite that cannot be used, and why. */
export interface DamagedOutputs {
  readonly damaged: string;
}

/** Returns whether stored outputs cannot be used. */
export function isDamaged(
  outputs: ReadonlyMap<string, JsonValue> | DamagedOutputs,
): outputs is DamagedOutputs {
  return "damaged" in outputs;
}

/** Reads the stored outputs of a suite, by the names of its cases; empty if none are stored. */
export async function storedOutputs(
  suite: vscode.Uri,
): Promise<Map<string, JsonValue> | DamagedOutputs> {
  const found: TeamText = await readWorkspaceFile(snapshotFile(suite), maxTeamFileBytes);
  if (found.kind === "none") return new Map();
  if (found.kind !== "text") return { damaged: unreadableText(found, hostLanguage()) };
  const outputs = readSnapshots(found.text);
  return outputs === undefined
    ? { damaged: damagedSnapshotsText(hostLanguage()) }
    : new Map(outputs);
}

/**
 * Stores the output of a case beside its suite. Replaces an earlier one. Resolves to false on failure, with the reason
 * shown.
 */
export async function storeOutput(
  suite: vscode.Uri,
  name: string,
  output: JsonValue,
): Promise<boolean> {
  const outputs = await storedOutputs(suite);
  if (isDamaged(outputs)) {
    const file = vscode.workspace.asRelativePath(snapshotFile(suite));
    void showError(`${file}: ${outputs.damaged}`);
    return false;
  }
  return writeText(snapshotFile(suite), writeSnapshots(outputs.set(name, output)));
}

/** Returns the URI of the file beside a suite that stores its outputs. */
export function snapshotFile(suite: vscode.Uri): vscode.Uri {
  return suite.with({ path: snapshotFileName(suite.path) });
}

/** Returns the URI of the payload file that a case of a suite names. */
export function payloadUri(payloadFile: string, suite: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(suite, "..", payloadFile);
}

/** Reads the payload file of a case. Undefined if it cannot be read, or is outside the suite's folder. */
export async function readPayloadFile(
  payloadFile: string,
  suite: vscode.Uri,
): Promise<string | undefined> {
  const folder = vscode.Uri.joinPath(suite, "..");
  const found = await readWorkspaceFile(payloadUri(payloadFile, suite), maxTextBytes, folder);
  return found.kind === "text" ? found.text : undefined;
}
