import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

describe("A Project Key whose replacement cannot be checked", () => {
  const editor = useEditor();
  let registry: LocalRegistry;
  let shown: TestRegistry;

  before(async () => {
    registry = await startLocalRegistry();
    shown = await startTestRegistry({}, { behind: registry });
    await editor.connectTo(shown);
    const signedIn = editor.run("signIn");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    await signedIn;
    // The registry beside the project, since two of them may have projects of one name.
    await editor.status(`${new URL(shown.baseUrl).host} · Local Demo`);
    const set = editor.run("setProjectKey");
    await editor.choose("Paste a Project Key");
    await editor.answer(registry.projectKey);
    await set;
  });
  after(() => Promise.all([shown.close(), registry.close()]));

  it("It stays in use and is not revoked, and a message says so", async () => {
    const { secrets } = editor.parts.machine;
    const [slot = ""] = (await secrets.keys()).filter((one) => one.startsWith("projectKey"));
    assert.equal(await secrets.get(slot), registry.projectKey);
    shown.answer("/mcp", "lost");
    const rotated = editor.run("rotateProjectKey");
    await editor.press("Replace the Project Key", "Rotate Key");
    await editor.notification(/The new Project Key .* could not be checked, so this editor keeps/);
    await rotated;
    assert.equal(await secrets.get(slot), registry.projectKey);
    assert.ok(!shown.requests.some(({ path }) => path.endsWith("/revoke")));
  });
});
