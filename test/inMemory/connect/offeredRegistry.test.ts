import { strict as assert } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { writeTeamFile } from "../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../src/core/review/newReview";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { makeAuthority } from "../../fixtures/network/certificates";
import { type ConnectProxy, startConnectProxy } from "../../fixtures/network/connectProxy";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import type { MemoryEditor } from "../memoryEditor";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { Memory } from "../vscode/machine";

const filesAt = (registry: string) => ({
  ".skill-registry/policy.json": writeTeamFile(firstPolicy()),
  ".skill-registry/reviews.json": writeTeamFile({
    format: 1,
    reviews: [
      {
        kind: "version",
        skill: "text-stats",
        version: "1.0.0",
        registry,
        contract: `contract-v1:sha256-${"0".repeat(64)}`,
        criteria: ["safe-to-try"],
        who: "Ann",
        when: "2026-01-01T00:00:00Z",
      },
    ],
  }),
});
const wanted = "https://registry.invalid";
const question = `The reviews of this repository are of the registry ${wanted}.`;
const baseUrl = ({ vscode }: MemoryEditor) =>
  vscode.workspace.getConfiguration("skillRegistry").get("baseUrl");
const isOffered = ({ parts }: MemoryEditor) =>
  parts.notices.some(({ text }) => text.includes("Connect to it"));
const isReviewed = (editor: MemoryEditor) =>
  editor.row("skills", /^Text statistics .*not reviewed/);

describe("A repository with reviews of a registry that is not in use", () => {
  const folder = useFolder(filesAt(wanted));
  const workspaceState = new Memory();
  const start = () => ({ folders: [folder.path], workspaceState });

  describe("In its first window", () => {
    const editor = useEditor(start);

    it("It is offered by its name once the folder is open, and nothing changes before an answer", async () => {
      const asked = await editor.notification(new RegExp(question));
      assert.equal(baseUrl(editor), "");
      asked.press("Not Now");
      await isReviewed(editor);
      assert.equal(baseUrl(editor), "");
    });

    it("One window asks once, however the reviews change", async () => {
      const uri = folder.uri(".skill-registry/reviews.json");
      const before = await folder.read(".skill-registry/reviews.json");
      const other = filesAt("https://other.invalid")[".skill-registry/reviews.json"];
      await editor.parts.files.write(uri, Buffer.from(other));
      await editor.run("checkReviews");
      assert.ok(!isOffered(editor));
      await editor.parts.files.write(uri, Buffer.from(before));
    });
  });

  describe("In a later window", () => {
    const editor = useEditor(start);

    it("A person who chose Not Now is not asked again", async () => {
      await isReviewed(editor);
      assert.ok(!isOffered(editor));
    });
  });
});

describe("A repository with reviews of the registry in use", () => {
  const folder = useFolder(filesAt("built-in"));
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It offers the commands of reviews, and loads nothing for them", async () => {
    await editor.until("the commands of reviews", () =>
      editor.parts.commands.keys.get("skillRegistry.reviews"),
    );
    assert.deepEqual(editor.parts.channels, []);
    await editor.row("skills", /^Text statistics reviewed/);
    assert.notDeepEqual(editor.parts.channels, []);
  });
});

describe("A repository's registry after consent", () => {
  const folder = useFolder(filesAt(wanted));
  const workspaceState = new Memory();
  const editor = useEditor(() => ({ folders: [folder.path], workspaceState }));

  it("It is tried first, and is used without a response only if the user insists", async () => {
    await editor.press(new RegExp(question), "Connect and Sign In");
    const tried = await editor.notification(/did not answer as a registry/);
    assert.equal(workspaceState.get("place"), undefined);
    tried.press("Use Anyway");
    await editor.until("the choice of the window", () => workspaceState.get("place"));
    assert.deepEqual(workspaceState.get("place"), { address: wanted });
    assert.equal(baseUrl(editor), "");
  });
});

/** Opens a clone whose registry is at https://registry.example, with a trusted certificate and behind a proxy. */
function useClone(files: Readonly<Record<string, string>>) {
  const authority = makeAuthority();
  const folder = useFolder(files);
  const extra = process.env["NODE_EXTRA_CA_CERTS"];
  let registry: LocalRegistry;
  let server: TestRegistry;
  let proxy: ConnectProxy;
  let trusted = "";

  before(async () => {
    registry = await startLocalRegistry();
    // The built-in registry accepts no other host name than this machine's.
    const tls = authority.issue(["registry.example"]);
    server = await startTestRegistry({}, { behind: registry, tls });
    proxy = await startConnectProxy({ targetPort: server.port });
    trusted = await mkdtemp(join(tmpdir(), "offered-"));
    const file = join(trusted, "authority.pem");
    await writeFile(file, authority.cert);
    process.env["NODE_EXTRA_CA_CERTS"] = file;
  });
  after(async () => {
    process.env["NODE_EXTRA_CA_CERTS"] = extra;
    if (extra === undefined) delete process.env["NODE_EXTRA_CA_CERTS"];
    await proxy.close();
    await server.close();
    await registry.close();
    await rm(trusted, { recursive: true });
  });
  const editor = useEditor(() => ({
    folders: [folder.path],
    settings: { "http.proxy": `http://127.0.0.1:${proxy.port}` },
  }));
  return { editor, registry: () => registry };
}

describe("From a clone to the first invocation", () => {
  const saved = { "text-stats.skill-input.json": '{ "text": "One two." }' };
  const { editor, registry } = useClone({ ...filesAt("https://registry.example"), ...saved });

  it("It takes four clicks: connect, how to sign in, ▷ and consent", async () => {
    await editor.press("The reviews of this repository are of the registry", "Connect and Sign In");
    await editor.choose("User Token");
    await editor.answer(registry().userTokens.owner);
    await editor.until("the saved payload", () =>
      editor.parts.tabs.activeEditor?.document.fileName.endsWith("text-stats.skill-input.json"),
    );
    await editor.checked();
    const invoked = editor.pressLens(/Invoke/);
    await editor.press("Invoke it unreviewed?", "Invoke Unreviewed");
    await invoked;
    await editor.until("its output", () => editor.output.includes("success"));
    assert.equal(registry().invocations().length, 1);
  });
});

describe("From a clone with two environments to the first invocation", () => {
  const environments = {
    staging: {
      registry: "https://registry.example",
      project: "local-demo",
      values: { greeting: "Hello you" },
    },
    production: { registry: "https://production.example", values: { greeting: "No" } },
  };
  const { editor, registry } = useClone({
    ".skill-registry/environments.json": JSON.stringify({ format: 1, environments }),
    "text-stats.skill-input.json": '{ "text": "{{greeting}}" }',
  });

  it("It takes four clicks: the environment, how to sign in, ▷ and consent", async () => {
    const offer =
      /names staging \(https:\/\/registry\.example\), production \(https:\/\/production\.example\)/;
    await editor.press(offer, "staging");
    await editor.choose("User Token");
    await editor.answer(registry().userTokens.owner);
    await editor.until("the saved payload", () =>
      editor.parts.tabs.activeEditor?.document.fileName.endsWith("text-stats.skill-input.json"),
    );
    assert.match(await editor.checked(), /: valid$/);
    const invoked = editor.pressLens(/Invoke/);
    const consent = await editor.dialog(/^Invoke text-stats@/);
    assert.match(consent.text, /Sent to: staging, https:\/\/registry\.example/);
    consent.press("Invoke");
    await invoked;
    await editor.until("its output", () => editor.output.includes("success"));
    assert.match(editor.output, /"characters": 9,/);
    assert.match((await editor.view("skills")).description, /^staging · registry\.example/);
  });

  it("The list of registries shows who is signed in, and whether there is a key", async () => {
    const connecting = editor.run("connect");
    const pick = await editor.pick("staging");
    assert.match(
      pick.text,
      /staging[\s\S]*?https:\/\/registry\.example · local-demo · in use[\s\S]*?Project Key set/,
    );
    assert.match(pick.text, /production[\s\S]*?not signed in · no Project Key/);
    pick.hide();
    await connecting;
  });
});

describe("A clone whose environment names a project that the user does not have", () => {
  const staging = { registry: "https://registry.example", project: "of-nobody" };
  const { editor, registry } = useClone({
    ".skill-registry/environments.json": JSON.stringify({ format: 1, environments: { staging } }),
  });

  it("It gets a message about that, and no key is created in the user's only project without a choice", async () => {
    await editor.press(/has the environment staging/, "Connect and Sign In");
    await editor.choose("User Token");
    await editor.answer(registry().userTokens.owner);
    await editor.notification("The project of-nobody of this environment is not among yours.");
    (await editor.pick("Local Demo")).hide();
    const connecting = editor.run("connect");
    const pick = await editor.pick("staging");
    assert.match(pick.text, /staging[\s\S]*?no Project Key/);
    pick.hide();
    await connecting;
  });
});

for (const [kind, registry, isTrusted] of [
  ["is not trusted", wanted, false],
  ["names credentials", "https://a:b@registry.invalid", true],
  ["names no encrypted address", "http://registry.invalid", true],
  ["names this machine", "http://127.0.0.1:29170", true],
] as const) {
  describe(`A repository that ${kind}`, () => {
    const folder = useFolder(filesAt(registry));
    const editor = useEditor(() => ({ folders: [folder.path], isTrusted }));

    it("No registry is offered", async () => {
      if (isTrusted) await isReviewed(editor);
      else await editor.run("checkReviews");
      assert.ok(!isOffered(editor));
    });
  });
}
