import { describe } from "mocha";
import { contractTests } from "../contract/contract";
import { useEditor } from "./useEditor";

describe("What the editor in memory claims of every editor holds for itself", () => {
  const editor = useEditor();
  contractTests(() => editor.vscode);
});
