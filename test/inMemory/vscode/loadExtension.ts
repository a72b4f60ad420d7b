import { readFileSync } from "node:fs";
import Module from "node:module";
import { dirname } from "node:path";
import type * as vscode from "vscode";

/** The extension's entry points. */
export interface Extension {
  activate(context: vscode.ExtensionContext): void;
  deactivate?(): unknown;
}

/** The parts of Node's modules that have no types. */
interface Loadable extends NodeJS.Module {
  _compile(code: string, path: string): void;
}

/**
 * Loads the bundled extension once more, as a module of its own, so that each editor has one to itself. What it
 * requires under a name of `given` is that value.
 */
export function loadExtension(path: string, given: Readonly<Record<string, unknown>>): Extension {
  const loaded = new Module(path) as Loadable;
  loaded.filename = path;
  loaded.paths = (
    Module as unknown as { _nodeModulePaths(from: string): string[] }
  )._nodeModulePaths(dirname(path));
  const requireOwn = loaded.require.bind(loaded);
  loaded.require = ((id: string) => (id in given ? given[id] : requireOwn(id))) as NodeJS.Require;
  loaded._compile(readFileSync(path, "utf8"), path);
  return loaded.exports as Extension;
}
