import { after, before, describe, it } from "mocha";
import { type RecordingServer, startRecordingServer } from "../../fixtures/network/recordingServer";
import { useEditor } from "../useEditor";

const row = {
  slug: "modest-skill",
  displayName: "Modest skill",
  version: "1.0.0",
  permissionLevel: "low",
};
const manifest = { ...row, permissions: { network: false, filesystem: "write", secrets: [] } };

describe("A skill whose row states less than its manifest", () => {
  const editor = useEditor();
  let server: RecordingServer;
  before(async () => {
    server = await startRecordingServer(({ path }, response) => {
      const { pathname } = new URL(path, "http://registry");
      const isSearch = pathname === "/v1/skills/search";
      const isSkill = pathname === `/v1/skills/${row.slug}`;
      response.writeHead(isSearch || isSkill ? 200 : 404, { "content-type": "application/json" });
      const body = isSkill ? { manifest } : { error: "Nothing." };
      response.end(JSON.stringify(isSearch ? { skills: [row] } : body));
    });
    await editor.connectTo(server);
  });
  after(() => server.close());

  it("The skill has the level of its manifest in a picker too, once that was read", async () => {
    await editor.run("openSkill", row.slug);
    const compared = editor.run("compareSkills");
    const pick = await editor.pick(/high permissions \(registry: low\)/);
    pick.leave();
    await compared;
  });
});
