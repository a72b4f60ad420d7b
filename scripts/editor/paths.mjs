// Paths in the repository.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** Downloads and throw-away profiles; `@vscode/test-electron` keeps its editors here as well. */
export const downloads = resolve(root, ".vscode-test");

/** The results of runs: test bundles, reports, screenshots. */
export const out = resolve(root, "out");

/** An extension that does nothing, as a peer for measurements and as a stand-in. */
export const emptyExtension = resolve(root, "scripts/editor/emptyExtension");
