import { describe } from "mocha";
import * as vscode from "vscode";
import { contractTests } from "../contract/contract";
import { useWindow } from "./window/useWindow";

describe("The contract of the in-memory editor, in VS Code", () => {
  useWindow();
  contractTests(() => vscode);
});
