import { strict as assert } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { allowOnMachine } from "../../fixtures/allowedMachine";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import { fakeModel } from "./fakeModel";

/** The editor as an MCP client; unit tests try other clients. */
describe("The server for agents, started by the editor", () => {
  const window = useWindow();
  it("lists its tools, and asks the user in the editor about an invocation", async () => {
    const registry = await startDriftingRegistry();
    window.atEnd(() => registry.close());
    const home = await mkdtemp(join(tmpdir(), "skill-registry-mcp-"));
    window.atEnd(() => rm(home, { recursive: true, force: true }));
    const contractHash = await allowOnMachine(home, registry.url, "ask");
    const ours = vscode.extensions.getExtension("skill-registry.skill-registry");
    assert.ok(ours);
    const fake = await fakeModel();
    const server = join(ours.extensionPath, "dist/cli.js");
    fake.addServer(process.execPath, [server, "mcp", "--registry", registry.url], {
      SKILL_REGISTRY_HOME: home,
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    });
    const tool = await eventually("the tool", async () => {
      const options = { waitForLiveTools: true };
      await vscode.commands.executeCommand("workbench.mcp.startServer", "*", options);
      const named = /^mcp_.*_invoke_skill$/;
      return vscode.lm.tools.map(({ name }) => name).find((name) => named.test(name));
    });
    for (const answer of ["deny", "allow"]) {
      const input = { text: "One two." };
      const invoked = fake.callWithoutChat(tool, { skill: "text-stats", contractHash, input });
      // First the editor asks about a tool with external effects, then our server asks through the editor.
      await window.pressInDialog("Run Invoke a Skill", "Yes");
      const question = window.notification(/wants to invoke text-stats/);
      await window.press(question.getByRole("button", { name: "Respond" }));
      await window.choose(answer);
      const { status, code } = await invoked;
      assert.deepEqual(
        { status, code },
        answer === "allow"
          ? { status: "success", code: undefined }
          : { status: "notSent", code: "declined" },
      );
    }
  });
});
