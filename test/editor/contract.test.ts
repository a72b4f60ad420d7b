import { describe } from "mocha";
import * as vscode from "vscode";
import { contractTests } from "../contract/contract";
import { useWindow } from "./window/useWindow";

describe("What the editor in memory claims of every editor holds for VS Code", () => {
  useWindow();
  contractTests(() => vscode);
});
