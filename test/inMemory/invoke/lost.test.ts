import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

describe("An invocation whose response never arrives", () => {
  const editor = useEditor({
    settings: {
      "skillRegistry.history.keepTexts": "never",
      "skillRegistry.invokeTimeoutSeconds": 60,
    },
  });
  let registry: ForeignRegistry;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    await editor.newPayload("word-tally", '{ "text": "answered" }');
    const invoked = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await invoked;
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.status, record?.projectSlug], ["success", "far-project"]);
    await editor.tidy();
  });
  after(() => registry.close());

  /** Checks how the editor shows an invocation without a response. */
  async function isUnknown(): Promise<void> {
    const [record] = await recordsOf(editor);
    assert.equal(record?.status, "outcome unknown");
    // It shows neither an earlier success nor "running".
    await editor.status(/word-tally: outcome unknown/);
    // The log has it as an error, with the address.
    const line = `[error] POST ${registry.baseUrl}/v1/runtime/invoke: outcome unknown`;
    assert.ok(editor.log.includes(line), editor.log);
  }

  it("It is recorded as unknown after its timeout if the gateway never responds", async () => {
    await editor.newPayload("word-tally", '{ "text": "never answered" }');
    registry.answer("/v1/runtime/invoke", "never");
    const invoked = editor.run("invoke");
    await registry.heard(({ body }) => body.includes("never answered"));
    // Real time passes as well, which may be seconds on a busy machine.
    await editor.clock.advance(30_000);
    assert.equal((await recordsOf(editor))[0]?.status, "running");
    await editor.clock.advance(30_000);
    await invoked;
    await isUnknown();
  });

  it("It is recorded as unknown if the gateway dies meanwhile", async () => {
    await editor.newPayload("word-tally", '{ "text": "half answered" }');
    const headers = { "content-length": "99" };
    registry.answer("/v1/runtime/invoke", { headers, body: '{"status":"success"', isCut: true });
    await editor.run("invoke");
    await isUnknown();
  });
});
