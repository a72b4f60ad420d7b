import { describe, it } from "mocha";
import { keepRecords } from "../../fixtures/machineStore";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { askStore } from "../records";
import { useEditor } from "../useEditor";

describe("The spending of a script on this machine", () => {
  const editor = useEditor();

  it("The status bar shows it at once, without a click in the window", async () => {
    // The first event activates the extension.
    await editor.newPayload("text-stats");
    const billed = { registry: "https://registry.example", amountCents: 5, currency: "USD" };
    const record = pastInvocation(Date.now(), billed);
    await askStore(editor, (store) => keepRecords(store, [record]));
    await editor.status("$0.05 for 1 invocation");
  });
});
