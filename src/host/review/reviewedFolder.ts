import * as vscode from "vscode";
import { builtInRegistryName } from "../../core/invocation/record/invocationRecord";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { reviewFolder } from "../../core/review/reviewFiles";
import {
  type LoadedReviewFolder,
  loadReviewFolder,
  maxTeamFileBytes,
  type TeamFileReader,
  type TeamText,
} from "../../core/review/reviewFolder";
import { runYielding } from "../../registry/runYielding";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { hostLanguage } from "../messages/hostLanguage";
import { readSettings } from "../settings";
import { sha256 } from "../sha256";

/** A folder of the workspace with what its files say of reviewed skills. */
export interface ReviewedFolder extends LoadedReviewFolder {
  readonly root: vscode.WorkspaceFolder;
}

/** Names a registry as reviews do: scheme, host and port, or `built-in`. */
export function reviewedRegistry({
  isBuiltIn,
  origin,
}: Pick<ConnectedRegistry, "isBuiltIn" | "origin">): string {
  return isBuiltIn ? builtInRegistryName : origin;
}

/** Names the registry that the settings ask for, without connecting to it. Empty for an address that cannot be used. */
export function reviewedRegistryInUse(): string {
  const { baseUrl } = readSettings();
  if (baseUrl === "") return builtInRegistryName;
  const address = readRegistryOrigin(baseUrl);
  return address.ok ? address.value.origin : "";
}

/** Names a file of a folder's reviews. */
export function reviewUri(root: vscode.WorkspaceFolder, name: string): vscode.Uri {
  return vscode.Uri.joinPath(root.uri, reviewFolder, ...name.split("/"));
}

/** Reads what a folder of the workspace says of reviewed skills. */
export async function readReviewedFolder(root: vscode.WorkspaceFolder): Promise<ReviewedFolder> {
  return { root, ...(await loadReviewFolder(teamFiles(root), sha256, hostLanguage())) };
}

/** Reads the folder of reviews in a folder of the workspace, on a disk or not. */
export function teamFiles(root: vscode.WorkspaceFolder): TeamFileReader {
  const { fs } = vscode.workspace;
  return {
    list: (folder) =>
      Promise.resolve(fs.readDirectory(reviewUri(root, folder))).then(
        (entries) => entries.map(([name]) => name),
        () => [],
      ),
    read: (name, maxBytes) => findText(reviewUri(root, name), maxBytes),
    work: runYielding,
  };
}

/** Reads a file of the team. Undefined where there is none; one that is too large, or not text, is read as no JSON. */
export async function readTeamText(uri: vscode.Uri): Promise<string | undefined> {
  const found = await findText(uri, maxTeamFileBytes);
  if (found.kind === "tooLarge" || found.kind === "notText") return "";
  return found.kind === "text" ? found.text : undefined;
}

async function findText(uri: vscode.Uri, maxBytes: number): Promise<TeamText> {
  const { fs } = vscode.workspace;
  try {
    const { size, type } = await fs.stat(uri);
    // A link can lead to a device, which never ends.
    if ((type & vscode.FileType.File) === 0) return { kind: "refused", reason: "EINVAL" };
    if (size > maxBytes) return { kind: "tooLarge" };
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { kind: "text", text: decoder.decode(await fs.readFile(uri)) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "notText" };
    const code = error instanceof vscode.FileSystemError ? error.code : String(error);
    // A part of the path that is no folder holds no file either.
    const isNone = code === "FileNotFound" || code === "FileNotADirectory";
    return isNone ? { kind: "none" } : { kind: "refused", reason: code };
  }
}
