import { createRequire } from "node:module";
import type * as vscode from "vscode";

/** The extension's entry points. */
export interface Extension {
  activate(context: vscode.ExtensionContext): void;
  deactivate?(): unknown;
}

/** The bundle: a function that loads the extension with its own `require`. */
type Bundle = (require: (id: string) => unknown, module: { exports: unknown }) => void;

/** Loads the bundled extension again, so that each editor has its own. Modules named in `given` are replaced. */
export function loadExtension(path: string, given: Readonly<Record<string, unknown>>): Extension {
  const requireAsBundle = createRequire(path);
  const load = requireAsBundle(path) as Bundle;
  const module: { exports: unknown } = { exports: {} };
  load((id) => (id in given ? given[id] : requireAsBundle(id)), module);
  return module.exports as Extension;
}
