import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { type RecordingServer, startRecordingServer } from "../../fixtures/network/recordingServer";
import { plainManifest } from "../../fixtures/registries/manifestRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

/** Rows that the pointer only passes. */
const passed = ["keeper", "finder", "sorter", "tracer", "marker", "binder", "folder", "sealer"];
const slugs = ["writer", "reader", "sender", ...passed];
/** A row is passed within this time: a third of what the pointer has to rest, for windows on a busy machine. */
const passingMs = 100;

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
    // On none of the rows that come, which would be asked for.
    await window.page.mouse.move(1000, 500);
    await window.connectTo(registry);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^The writer/).waitFor();
  });
  after(() => run("clearFilters"));

  const asked = () =>
    registry.requests
      .map(({ path }) => path)
      .filter(
        (path) => !path.startsWith("/v1/skills/search") && !path.startsWith("/v1/publishers"),
      );

  /** Lets the pointer rest on a row until its tooltip says what the skill may do. */
  const restOn = (slug: string) =>
    eventually(`what the ${slug} may do`, async () => {
      await window.pointAt(window.treeRow(new RegExp(`^The ${slug}`)));
      await window.tooltip.getByText("Writes files").first().waitFor({ timeout: 3_000 });
      return true;
    });

  it("asks for the skill's own route alone, where the pointer rests", async () => {
    await restOn("writer");
    assert.ok(asked().includes("/v1/skills/writer"));
    assert.deepEqual(
      asked().filter((path) => path !== "/v1/skills/writer"),
      [],
    );
  });

  it("asks nothing for rows that the pointer passes, beside one that it rests on", async () => {
    const places = await Promise.all(
      passed.map(async (slug) => {
        const box = await window.treeRow(new RegExp(`^The ${slug}`)).boundingBox();
        assert.ok(box !== null, slug);
        return { slug, x: box.x + 60, y: box.y + box.height / 2 };
      }),
    );
    const quick = new Set<string>();
    const slow = new Set<string>();
    await eventually("a row that was passed", async () => {
      await restOn("writer");
      let reached = performance.now();
      let last = "";
      for (const { slug, x, y } of [...places, { slug: "", x: 0, y: 0 }]) {
        const before = performance.now();
        await window.page.mouse.move(x, y);
        if (last !== "") (performance.now() - reached < passingMs ? quick : slow).add(last);
        [reached, last] = [before, slug];
      }
      return [...quick].some((slug) => !slow.has(slug));
    });
    // What the rows in passing would have asked for was asked by then.
    await restOn("reader");
    for (const slug of quick) {
      if (!slow.has(slug)) assert.ok(!asked().includes(`/v1/skills/${slug}`), slug);
    }
  });

  it("leads to the level in the row that the permissions amount to, and to the filter that goes by it", async () => {
    await window.treeRow(/^The writer, high permissions \(registry: medium\)/).waitFor();
    await run("filter", { permissionProfile: ["medium"] });
    await window.treeRow(/^The sender, medium permissions/).waitFor();
    await window.view("Skills").getByText("left out: the permissions amount to more").waitFor();
    await eventually("no writer", async () => (await window.treeRow(/^The writer/).count()) === 0);
  });
});
