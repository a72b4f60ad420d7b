import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "mocha";
import type * as vscode from "vscode";
import { Uri } from "./vscode/values";

/** A folder on the disk, for an editor to open. */
export interface TestFolder {
  readonly path: string;
  /** Returns the URI of a path in it. */
  uri(path: string): vscode.Uri;
  /** Reads a file in it. */
  read(path: string): Promise<string>;
  /** Writes a file into it without telling an editor; `parts.files` writes as an editor does. */
  write(path: string, content: string | Uint8Array): Promise<void>;
}

/** Gives the tests of a block a folder with `files`, their contents by their paths, removed after the tests. */
export function useFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): TestFolder {
  let path = "";
  const folder: TestFolder = {
    get path() {
      return path;
    },
    uri: (name) => Uri.file(join(path, name)),
    read: (name) => readFile(join(path, name), "utf8"),
    write: async (name, content) => {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    },
  };
  before(async () => {
    path = await mkdtemp(join(tmpdir(), "skill-registry-folder-"));
    for (const [name, content] of Object.entries(files)) await folder.write(name, content);
  });
  after(() => rm(path, { recursive: true, force: true }));
  return folder;
}
