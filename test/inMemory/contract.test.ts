import { describe } from "mocha";
import { contractTests } from "../contract/contract";
import { useEditor } from "./useEditor";

describe("The contract of the in-memory editor, in memory", () => {
  const editor = useEditor();
  contractTests(() => editor.vscode);
});
