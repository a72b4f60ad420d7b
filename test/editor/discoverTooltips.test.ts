import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { plainManifest } from "../fixtures/manifestRegistry";
import { type RecordingServer, startRecordingServer } from "../fixtures/recordingServer";
import { eventually } from "./eventually";
import { useWindow } from "./useWindow";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

const slugs = ["writer", "reader", "sender", "keeper", "finder", "sorter"];

describe("A tooltip of the Skills view", () => {
  const window = useWindow();
  let registry: RecordingServer;

  before(async () => {
    registry = await startRecordingServer(({ path }, response) => {
      const url = new URL(path, "http://registry");
      const slug = url.pathname.replace("/v1/skills/", "");
      const rows = slugs.map((row) => ({
        slug: row,
        displayName: `The ${row}`,
        version: "1.0.0",
        permissionLevel: "medium",
      }));
      const permissions = { network: false, browser: false, filesystem: "write", secrets: [] };
      const author = { name: "Ada", url: "https://ada.example/" };
      const body =
        slug === "search"
          ? { skills: rows }
          : slugs.includes(slug)
            ? plainManifest(slug, { permissions, author })
            : undefined;
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body ?? { error: "Nothing here." }));
    });
    await window.connectTo(registry);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^The writer/).waitFor();
  });
  after(() => run("clearFilters"));

  const asked = () =>
    registry.requests
      .map(({ path }) => path)
      .filter((path) => !path.startsWith("/v1/skills/search") && path !== "/v1/publishers");
  const tooltip = () => window.page.locator(".monaco-hover:visible");

  it("asks for the skill's own route alone, where the pointer rests", async () => {
    await eventually("what the writer may do", async () => {
      await window.treeRow(/^The reader/).hover();
      await window.treeRow(/^The writer/).hover();
      await tooltip().getByText("Writes files").first().waitFor({ timeout: 3000 });
      return true;
    });
    assert.ok(asked().includes("/v1/skills/writer"));
    const others = asked().filter((path) => !/^\/v1\/skills\/(reader|writer)$/.test(path));
    assert.deepEqual(others, []);
  });

  it("leads to the level in the row that the permissions amount to, and to the filter that goes by it", async () => {
    await window.treeRow(/^The writer, high permissions \(registry: medium\)/).waitFor();
    await run("filter", { permissionProfile: ["medium"] });
    await window.treeRow(/^The sender, medium permissions/).waitFor();
    await window.view("Skills").getByText("left out: the permissions amount to more").waitFor();
    await eventually("no writer", async () => (await window.treeRow(/^The writer/).count()) === 0);
  });
});
