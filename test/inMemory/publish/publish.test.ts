import { strict as assert } from "node:assert";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { after, before, describe, it } from "mocha";
import { reviewMs } from "../../../src/localRegistry/project/publishing";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const object = { type: "object", properties: { text: { type: "string" } } };
const draft = {
  schemaVersion: "0.1",
  name: "word-count",
  displayName: "Word count",
  version: "1.0.0",
  description: "Counts the words of a text, for agents that write to a limit.",
  tags: ["text"],
  runtime: { type: "http", entrypoint: "https://run.example/words" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: [] as string[] },
  inputSchema: { ...object, required: ["text"] },
  outputSchema: object,
};
const textOf = (changes: object = {}) =>
  `${JSON.stringify({ ...draft, ...changes }, undefined, 2)}\n`;

/** Returns a function that ends watching a registry, and returns the addresses requested meanwhile. */
function requestsOf(registry: LocalRegistry): () => readonly string[] {
  const asked: string[] = [];
  const note = (message: unknown) => {
    const { request } = message as { readonly request: IncomingMessage };
    if (registry.baseUrl.endsWith(`:${request.socket.localPort}`)) asked.push(request.url ?? "");
  };
  subscribe("http.server.request.start", note);
  return () => {
    unsubscribe("http.server.request.start", note);
    return asked;
  };
}

describe("A publisher's skillhub.json", () => {
  const folder = useFolder({ "skillhub.json": textOf() });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: LocalRegistry;
  let now = Date.now();

  before(async () => {
    registry = await startLocalRegistry({ now: () => now });
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  async function open(changes: object = {}) {
    const document = await editor.vscode.workspace.openTextDocument(folder.uri("skillhub.json"));
    await editor.vscode.window.showTextDocument(document);
    editor.write(textOf(changes));
  }

  /** Sends a request to the registry with the token of its owner. */
  async function ask(method: "GET" | "POST", path: string, body?: object) {
    const answer = await fetch(`${registry.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${registry.userTokens.owner}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  }
  const versions = async () => {
    const body = await ask("GET", "/v1/publisher/skills/word-count/versions");
    return (body["versions"] as { version: string; status: string; manifest: typeof draft }[]).map(
      ({ version, status, manifest }) => `${version} ${status} ${manifest.tags}`,
    );
  };
  const problemsAre = (...expected: readonly string[]) =>
    editor.until(
      `the problems ${expected}`,
      () => JSON.stringify(editor.problems) === JSON.stringify(expected.toSorted()),
    );

  it("shows its commands before anybody signed in", async () => {
    await open();
    const missing = ["Try as Skill", "Save Draft", "Submit for Review…", "My Skills…"].filter(
      (title) => !editor.titleActions.includes(title),
    );
    assert.deepEqual(missing, [], editor.titleActions.join());
  });

  it("can be tried in a form with a sample, without being invoked", async () => {
    await open();
    await editor.run("tryAsSkill");
    const page = await editor.page("Word count");
    await page.shows("This is a manifest of the workspace. Nothing can be invoked on this page.");
    page.send({ type: "readForm" });
    page.send({ type: "invokeForm" });
    (await editor.notification(/which cannot be invoked/)).close();
    page.send({ type: "openPayload" });
    await editor.until("the sample", () => editor.parts.tabs.activeEditor !== undefined);
    assert.deepEqual(Object.keys(JSON.parse(editor.document.getText())), ["text"]);
    assert.deepEqual(registry.invocations(), []);
    await editor.vscode.window.showTextDocument(folder.uri("skillhub.json"));
    editor.write(textOf({ displayName: "Words counted" }));
    await editor.run("tryAsSkill");
    await page.shows("Words counted");
  });

  it("is refused with the missing requirement, and nothing is sent", async () => {
    await open({ version: "1", tags: [] });
    const saved = editor.run("saveDraft");
    await saved;
    await editor.notification("Nothing was sent: the manifest has 2 problems.");
    assert.deepEqual(await versions(), []);
  });

  it("is saved as a draft by an owner who signs in for it, with the text as typed", async () => {
    await open();
    const saved = editor.run("saveDraft");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    const question = await editor.dialog("Publish the name word-count?");
    assert.match(question.text, /public from the first submission/);
    assert.deepEqual(await versions(), []);
    question.press("Save Draft");
    await saved;
    await editor.status("Draft of word-count@1.0.0 saved.");
    assert.deepEqual(await versions(), ["1.0.0 draft text"]);
  });

  it("can be saved but not submitted while something blocks an approval", async () => {
    await open({ permissions: { ...draft.permissions, secrets: ["*"] } });
    await editor.run("submitSkill");
    (await editor.notification("Nothing was sent: the manifest has a problem.")).close();
    await editor.run("saveDraft");
    await editor.status("Draft of word-count@1.0.0 saved.");
  });

  it("is submitted after its publisher learned that this cannot be undone", async () => {
    await open({ tags: ["text", "words"], description: "Counts words of a text, for agents." });
    await editor.run("search", "words");
    const asked = requestsOf(registry);
    const submitted = editor.run("submitSkill");
    const dialog = await editor.dialog("Submit word-count@1.0.0 for review?");
    for (const told of [
      "no version of this skill can be invoked or installed",
      "up to 3 working days",
      "cannot be withdrawn",
      "Warnings that reviewers will see: 1.",
    ]) {
      assert.ok(dialog.text.includes(told), `${told}: ${dialog.text}`);
    }
    dialog.press("Submit for Review");
    await submitted;
    await editor.status("word-count@1.0.0 is submitted for review.");
    assert.deepEqual(await versions(), ["1.0.0 submitted text,words"]);
    const lists = asked().filter((url) => url.startsWith("/v1/skills/search?q=words&"));
    assert.equal(lists.length, 1, "The list is read again without Refresh.");
  });

  it("does not overwrite a version in review without a question", async () => {
    await open({ tags: ["other"] });
    const saved = editor.run("saveDraft");
    (await editor.dialog("Overwrite word-count@1.0.0, which is in review?")).close();
    await saved;
    assert.deepEqual(await versions(), ["1.0.0 submitted text,words"]);
    const submitted = editor.run("submitSkill");
    (await editor.notification("word-count@1.0.0 is in review already.")).close();
    await submitted;
  });

  it("asks again if the registry's state changed while the question was open", async () => {
    await open({ version: "1.1.0" });
    const submitted = editor.run("submitSkill");
    const first = await editor.dialog("Submit word-count@1.1.0 for review?");
    await ask("POST", "/v1/skills", { manifest: { ...draft, version: "1.0.9" } });
    first.press("Submit for Review");
    await editor.until("another question", () =>
      editor.parts.notices.some(
        (one) => one !== first && one.text.includes("Submit word-count@1.1.0"),
      ),
    );
    (await editor.dialog("Submit word-count@1.1.0 for review?")).close();
    await submitted;
    assert.ok(!(await versions()).join().includes("1.1.0 submitted"));
  });

  it("is not sent if its text changed while the question was open", async () => {
    await open({ version: "1.2.0" });
    const submitted = editor.run("submitSkill");
    const dialog = await editor.dialog("Submit word-count@1.2.0 for review?");
    editor.write(textOf({ version: "1.2.0", tags: ["later"] }));
    dialog.press("Submit for Review");
    await submitted;
    (await editor.notification("The manifest changed in the meantime")).close();
    assert.ok(!(await versions()).join().includes("1.2.0"));
  });

  it("shows a rejection at the fields that have not changed since", async () => {
    now += reviewMs;
    const description = "Counts words of a text, for agents.";
    await open({ tags: ["text", "words"], description });
    const shown = editor.run("mySkills");
    await editor.choose("Word count");
    const list = await editor.pick("1.0.0");
    assert.match(list.text, /Rejected · Your manifest is the same.*1 of 4 checks need an answer/s);
    await editor.choose("1.0.0");
    await shown;
    assert.equal(JSON.parse(editor.document.getText()).description, description);
    await editor.vscode.window.showTextDocument(folder.uri("skillhub.json"));
    await problemsAre(`review-rejected ${JSON.stringify(description)}`);
    editor.write(textOf({ tags: ["text", "words"] }));
    await problemsAre('review-rejected "1.0.0"');
  });

  it("is locked after its approval, and the next version is compared with it", async () => {
    await open();
    const submitted = editor.run("submitSkill");
    await editor.press("Submit word-count@1.0.0 for review?", "Submit for Review");
    await submitted;
    now += reviewMs;
    const again = editor.run("saveDraft");
    (await editor.notification("word-count@1.0.0 is approved or installed")).close();
    await again;
    const inputSchema = { ...draft.inputSchema, additionalProperties: false };
    editor.write(textOf({ inputSchema }));
    await problemsAre('version-locked "1.0.0"');
    await editor.takeAction('Change to "2.0.0"');
    await problemsAre();
  });
});

describe("A developer's skillhub.json", () => {
  const folder = useFolder({ "skillhub.json": textOf() });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("is not sent, and its author reads which roles may publish", async () => {
    const registry = await startLocalRegistry();
    try {
      await editor.connectTo(registry);
      const document = await editor.vscode.workspace.openTextDocument(folder.uri("skillhub.json"));
      await editor.vscode.window.showTextDocument(document);
      const saved = editor.run("saveDraft");
      await editor.choose("User Token");
      await editor.answer(registry.userTokens.developer);
      await saved;
      await editor.notification("Only an owner, admin or publisher of the organization");
      assert.ok(!editor.log.includes("POST /v1/skills"), editor.log);
    } finally {
      await registry.close();
    }
  });
});

describe("A skillhub.json in an untrusted folder", () => {
  const folder = useFolder({ "skillhub.json": textOf({ version: "1" }) });
  const editor = useEditor(() => ({ folders: [folder.path], isTrusted: false }));

  it("is checked without requests by the signed-in user", async () => {
    const registry = await startLocalRegistry();
    try {
      await editor.connectTo(registry);
      const signedIn = editor.run("signIn");
      await editor.choose("User Token");
      await editor.answer(registry.userTokens.owner);
      await signedIn;
      const document = await editor.vscode.workspace.openTextDocument(folder.uri("skillhub.json"));
      await editor.vscode.window.showTextDocument(document);
      await editor.until("the problem", () => editor.problems.join() === 'version "1"');
      await editor.run("tryAsSkill");
      await editor.page("word-count");
      assert.match(editor.log, /GET \/v1\/skills\/word-count/);
      assert.doesNotMatch(editor.log, /v1\/publisher\//);
    } finally {
      await registry.close();
    }
  });
});
