import { after, before, describe, it } from "mocha";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

const row = {
  slug: "modest-skill",
  displayName: "Modest skill",
  version: "1.0.0",
  permissionLevel: "low",
};
const manifest = { ...row, permissions: { network: false, filesystem: "write", secrets: [] } };

describe("A skill whose row states a lower level than its manifest", () => {
  const editor = useEditor();
  let server: TestRegistry;
  before(async () => {
    server = await startTestRegistry({
      "/v1/skills/search": { body: { skills: [row] } },
      [`/v1/skills/${row.slug}`]: { body: { manifest } },
    });
    await editor.connectTo(server);
  });
  after(() => server.close());

  it("The skill has its manifest's level in a picker too, once the manifest was read", async () => {
    await editor.run("openSkill", row.slug);
    await (await editor.page()).shows(/High permissions/);
    const compared = editor.run("compareSkills");
    const pick = await editor.pick(/high permissions \(registry: low\)/);
    pick.leave();
    await compared;
  });
});
