import { createRequire } from "node:module";
import type * as vscode from "vscode";

/** The extension's entry points. */
export interface Extension {
  activate(context: vscode.ExtensionContext): void;
  deactivate?(): unknown;
}

/** What the bundle gives: it loads the extension once more, with a `require` of its own. */
type Bundle = (require: (id: string) => unknown, module: { exports: unknown }) => void;

/**
 * Loads the bundled extension once more, so that each editor has one to itself. What it requires under a name of
 * `given` is that value.
 */
export function loadExtension(path: string, given: Readonly<Record<string, unknown>>): Extension {
  const requireAsBundle = createRequire(path);
  const load = requireAsBundle(path) as Bundle;
  const module: { exports: unknown } = { exports: {} };
  load((id) => (id in given ? given[id] : requireAsBundle(id)), module);
  return module.exports as Extension;
}
