import * as vscode from "vscode";
import { environmentsPath } from "../../core/environment/environmentsPath";
import {
  type OfferContext,
  readOfferedRegistries,
  registriesNamedIn,
  registryToOffer,
} from "../../core/registry/registryToOffer";
import { reviewsPath } from "../../core/review/files/reviewFiles";
import { addressIn, environmentIn, reviewedRegistryAt } from "../environments/windowPlace";
import { type Memory, StoredValue } from "../ui/stored";
import { readWorkspaceFile } from "../workspaceFile";

/** Returns the stored list of the registries that the user was asked about in a workspace. */
export function askedRegistries(memory: Memory): StoredValue<readonly string[]> {
  return new StoredValue(memory, "askedRegistries", readOfferedRegistries);
}

/** The maximum size of a file. */
const largestText = 10_000_000;

/**
 * Returns whether the reviews or environments of a trusted workspace name a registry that may be offered. Scans the
 * files without validating them. Never rejects.
 */
export async function mayOfferRegistry(memory: Memory): Promise<boolean> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  const context = offerContext(memory);
  if (context === undefined) return false;
  const paths = [reviewsPath, environmentsPath];
  const named = await Promise.all(
    roots.flatMap(({ uri }) => paths.map((path) => registriesIn(uri, path))),
  );
  return registryToOffer(named.flat(), context) !== undefined;
}

/**
 * Returns the registry in use and the registries that the user was asked about; undefined if the user chose an
 * environment.
 */
export function offerContext(memory: Memory): OfferContext | undefined {
  if (environmentIn(memory) !== undefined) return undefined;
  const address = addressIn(memory);
  const asked = askedRegistries(memory).get();
  return { inUse: reviewedRegistryAt(address), isBuiltIn: address === "", alreadyOffered: asked };
}

/** Lists the registries that a file of a folder names; none if it cannot be read, or a link leads out of the folder. */
async function registriesIn(folder: vscode.Uri, path: string): Promise<readonly string[]> {
  const read = await readWorkspaceFile(vscode.Uri.joinPath(folder, path), largestText, folder);
  return read.kind === "text" ? registriesNamedIn(read.text) : [];
}
