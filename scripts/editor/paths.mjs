// Where things are, seen from the repository's root.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** Downloads and throw-away profiles; `@vscode/test-electron` keeps its editors here as well. */
export const downloads = resolve(root, ".vscode-test");

/** What a run leaves to look at: bundles of the tests, results, screenshots. */
export const out = resolve(root, "out");

/** An extension that does nothing, to measure ours against and to stand beside or in place of it. */
export const emptyExtension = resolve(root, "scripts/editor/emptyExtension");
