import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { startRecordingServer } from "../../fixtures/network/recordingServer";
import { useWindow } from "../window/useWindow";

const row = {
  slug: "modest-skill",
  displayName: "Modest skill",
  version: "1.0.0",
  permissionLevel: "low",
};
const manifest = { ...row, permissions: { network: false, filesystem: "write", secrets: [] } };

describe("A skill whose row states less than its manifest", () => {
  const window = useWindow();
  before(async () => {
    const server = await startRecordingServer(({ path }, response) => {
      const { pathname } = new URL(path, "http://registry");
      const isSearch = pathname === "/v1/skills/search";
      const isSkill = pathname === `/v1/skills/${row.slug}`;
      response.writeHead(isSearch || isSkill ? 200 : 404, { "content-type": "application/json" });
      const body = isSkill ? { manifest } : { error: "Nothing." };
      response.end(JSON.stringify(isSearch ? { skills: [row] } : body));
    });
    await window.connectTo(server);
  });

  it("has the level of its manifest in a picker too, as soon as that was read", async () => {
    await vscode.commands.executeCommand("skillRegistry.openSkill", row.slug);
    const compared = vscode.commands.executeCommand("skillRegistry.compareSkills");
    await window.quickInput
      .locator(".monaco-list-row", { hasText: /high permissions \(registry: low\)/ })
      .waitFor();
    await window.leaveQuickInput();
    await compared;
  });
});
