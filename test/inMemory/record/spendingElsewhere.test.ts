import { describe, it } from "mocha";
import { machineFiles } from "../../../src/engine/files/machine";
import { SpendingLedger } from "../../../src/engine/gates/spendingLedger";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { useEditor } from "../useEditor";

describe("What a script of this machine spends", () => {
  const editor = useEditor();

  it("The status bar shows it at once, without a look at the window", async () => {
    // What happens first wakes the extension.
    await editor.newPayload("text-stats");
    const ledger = new SpendingLedger(machineFiles(editor.parts.machine.storage).spending);
    const billed = { registry: "https://registry.example", amountCents: 5, currency: "USD" };
    await ledger.settle(pastInvocation(Date.now(), billed));
    await editor.status("$0.05 for 1 invocation");
    ledger.dispose();
  });
});
