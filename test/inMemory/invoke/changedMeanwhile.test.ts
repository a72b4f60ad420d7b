import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { openPromise } from "../../fixtures/openPromise";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import type { MemoryEditor } from "../memoryEditor";
import { useEditor } from "../useEditor";

/** Makes an editor read its Project Key again, which ends once the returned function is called. */
async function delayKey({ parts }: MemoryEditor): Promise<() => void> {
  const { secrets } = parts.machine;
  const [slot = ""] = (await secrets.keys()).filter((one) => one.startsWith("projectKey"));
  const key = (await secrets.get(slot)) ?? assert.fail();
  const { promise, resolve } = openPromise<void>();
  const get = secrets.get.bind(secrets);
  secrets.get = (name) => promise.then(() => get(name));
  // As another window does that sets the key.
  await secrets.store(slot, key);
  return () => {
    secrets.get = get;
    resolve();
  };
}

describe("A payload that is changed before a question about its credential", () => {
  const editor = useEditor();
  let registry: ForeignRegistry;
  const credential = "Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    const set = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await set;
  });
  after(() => registry.close());

  it("The question names the line in the text that would be sent", async () => {
    await editor.newPayload("word-tally", `{\n  "text": "${credential}"\n}`);
    await editor.checked();
    const answer = await delayKey(editor);
    const invoked = editor.run("invoke");
    await editor.progress("Reading the Project Key");
    editor.write(`{ "text": "Another text on one line, without any credential in it." }`);
    answer();
    const dialog = await editor.dialog(/^Line 2 appears to contain/);
    dialog.close();
    await invoked;
  });
});

describe("A project that blocks an invocation", () => {
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
    await editor.status("Local Demo");
    const set = editor.run("setProjectKey");
    await editor.choose("Paste a Project Key");
    await editor.answer(registry.projectKey);
    await set;
  });
  after(() => Promise.all([shown.close(), registry.close()]));

  it("Is not changed if the user stops waiting for the Project Key, whose project it might not be", async () => {
    await editor.newPayload("market-data");
    const question = "market-data is not expected to run";
    const first = editor.run("invoke");
    const dialog = await editor.dialog(question);
    const answer = await delayKey(editor);
    dialog.press("Subscribe…");
    (await editor.progress("Reading the Project Key")).cancel();
    await editor.until("that nothing is read", () => editor.parts.progresses.length === 0);
    await first;
    answer();
    const second = editor.run("invoke");
    (await editor.dialog(question)).close();
    await second;
    const { notices } = editor.parts;
    assert.ok(!notices.some(({ kind }) => kind === "dialog"), editor.screen);
  });
});

describe("Copying an invocation", () => {
  const editor = useEditor();
  let registries: readonly [LocalRegistry, LocalRegistry];
  before(async () => {
    registries = await Promise.all([startLocalRegistry(), startLocalRegistry()]);
    await editor.connectTo(registries[0]);
  });
  after(() => Promise.all(registries.map((registry) => registry.close())));

  it("Stops if another registry is chosen while its skill is being chosen", async () => {
    const copying = editor.run("copyAsCurl");
    const pick = await editor.pick("Text statistics");
    await editor.connectTo(registries[1]);
    pick.choose("Text statistics");
    await copying;
    await editor.notification("Not copied: another registry was chosen meanwhile.");
    assert.equal(editor.parts.machine.clipboard, "");
  });
});
