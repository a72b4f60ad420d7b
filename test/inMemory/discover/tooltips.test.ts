import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { plainManifest, skillPath } from "../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

const slugs = ["writer", "reader", "sender"];

describe("A tooltip of the Skills view", () => {
  const editor = useEditor();
  let registry: TestRegistry;

  before(async () => {
    const skills = slugs.map((slug) => ({
      slug,
      displayName: `The ${slug}`,
      version: "1.0.0",
      permissionLevel: "medium",
    }));
    const permissions = { network: false, browser: false, filesystem: "write", secrets: [] };
    const author = { name: "Ada", url: "https://ada.example/" };
    const manifest = (slug: string) => plainManifest(slug, { permissions, author });
    registry = await startTestRegistry({
      "/v1/skills/search": { body: { skills } },
      ...Object.fromEntries(slugs.map((slug) => [skillPath(slug), { body: manifest(slug) }])),
    });
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  it("A tooltip sends no request; an opened page corrects the tooltip, the row and the filter", async () => {
    const row = await editor.row("skills", "The writer");
    const label = (slug: string) => {
      const found = editor.parts.trees.get("skillRegistry.skills")?.row(`The ${slug}`);
      return found?.item.accessibilityInformation?.label ?? "";
    };
    assert.match(label("writer"), /^The writer, medium permissions/);
    const before = registry.requests.length;
    const view = await editor.view("skills");
    assert.doesNotMatch(await view.tooltip(row), /Writes files/);
    assert.deepEqual(registry.requests.slice(before), []);
    await editor.run("openSkill", "writer");
    await editor.until("the level of the permissions in the row", () =>
      /^The writer, high permissions \(registry: medium\)/.test(label("writer")),
    );
    assert.match(await view.tooltip(row), /Writes files/);

    await editor.run("filter", { permissionProfile: ["medium"] });
    await editor.until(
      "the filtered list",
      () =>
        /Left out because their permissions amount to more/.test(view.message) &&
        view.row("The writer") === undefined,
    );
    assert.match(label("sender"), /^The sender, medium permissions/);
  });
});
