import * as vscode from "vscode";
import {
  readAskedRegistries,
  registriesNamedIn,
  registryToOffer,
} from "../../core/registry/registryToOffer";
import { reviewsPath } from "../../core/review/files/reviewFiles";
import { addressIn, reviewedRegistryAt } from "../environments/windowPlace";
import { type Memory, StoredValue } from "../ui/stored";

/** The registries that the user was asked about in a workspace. */
export function askedRegistries(memory: Memory): StoredValue<readonly string[]> {
  return new StoredValue(memory, "askedRegistries", readAskedRegistries);
}

/** A larger file of reviews is not read. */
const largestText = 10_000_000;

/**
 * Returns whether a registry that is named in the reviews of a trusted workspace may be offered, by a glance at the
 * files. Never rejects.
 */
export async function mayOfferRegistry(memory: Memory): Promise<boolean> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  const named = await Promise.all(
    roots.map(({ uri }) => registriesIn(vscode.Uri.joinPath(uri, reviewsPath))),
  );
  return wantedRegistry(named.flat(), memory) !== undefined;
}

/** Returns the registry to offer by the reviews of a workspace; undefined for none. */
export function wantedRegistry(registries: readonly string[], memory: Memory): string | undefined {
  const address = addressIn(memory);
  const asked = askedRegistries(memory).get();
  const inUse = reviewedRegistryAt(address);
  return registryToOffer(registries, { inUse, isBuiltIn: address === "", asked });
}

/** Empty where there is no such file. */
async function registriesIn(file: vscode.Uri): Promise<readonly string[]> {
  const { fs } = vscode.workspace;
  try {
    if ((await fs.stat(file)).size > largestText) return [];
    return registriesNamedIn(new TextDecoder().decode(await fs.readFile(file)));
  } catch {
    return [];
  }
}
