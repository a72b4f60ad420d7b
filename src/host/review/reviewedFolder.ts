import * as vscode from "vscode";
import { builtInRegistryName } from "../../core/invocation/record/invocationRecord";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import {
  contractsFolder,
  policyFileName,
  reviewFolder,
  reviewsFileName,
} from "../../core/review/reviewFiles";
import { contractFiles, type ReviewFolder, readReviewFolder } from "../../core/review/reviewFolder";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { sha256 } from "../invoke/sha256";
import { hostLanguage } from "../messages/hostLanguage";
import { readSettings } from "../settings";

/** A folder of the workspace with what its files say of reviewed skills. */
export interface ReviewedFolder {
  readonly root: vscode.WorkspaceFolder;
  readonly reviews: ReviewFolder;
  /** Empty where there is none. */
  readonly reviewsText: string;
}

/** No file of a team is larger; it is not read further than that. */
const maxBytes = 40_000_000;

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

/** Reads what a folder of the workspace, on a disk or not, says of reviewed skills. */
export async function readReviewedFolder(root: vscode.WorkspaceFolder): Promise<ReviewedFolder> {
  const { fs } = vscode.workspace;
  const listed = fs.readDirectory(reviewUri(root, contractsFolder));
  const names = await listed.then(
    (entries) => entries.map(([name]) => name),
    () => [],
  );
  const texts = new Map<string, string>();
  for (const name of [policyFileName, reviewsFileName, ...contractFiles(names)]) {
    const text = await readTeamText(reviewUri(root, name));
    if (text !== undefined) texts.set(name, text);
  }
  const reviews = readReviewFolder(texts, sha256, hostLanguage());
  return { root, reviews, reviewsText: texts.get(reviewsFileName) ?? "" };
}

/** Reads a file of the team. Undefined where there is none; one that is too large is read as one that is no JSON. */
export async function readTeamText(uri: vscode.Uri): Promise<string | undefined> {
  const { fs } = vscode.workspace;
  try {
    const { size } = await fs.stat(uri);
    return size > maxBytes ? "" : new TextDecoder().decode(await fs.readFile(uri));
  } catch {
    return undefined;
  }
}
