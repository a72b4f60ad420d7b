import { after, before, describe } from "mocha";
import * as vscode from "vscode";
import { MemoryFiles } from "../../fixtures/memoryFiles";
import { invokesUsersRegistry } from "../invoke/invokesUsersRegistry";

describe("A workspace file that brings settings of ours", () => {
  let files: vscode.Disposable;
  before(() => {
    const empty = new MemoryFiles({ "project/readme.txt": "" });
    files = vscode.workspace.registerFileSystemProvider("memory-files", empty);
  });
  after(() => files.dispose());

  invokesUsersRegistry("workspace");
});
