import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

const row = (slug: string) => ({
  slug,
  displayName: slug,
  description: "One of three.",
  tags: [],
  version: "1.0.0",
  verificationStatus: "verified",
  permissionLevel: "low",
});

describe("A list of skills with slow responses", () => {
  const editor = useEditor();
  let server: TestRegistry;
  /** Open requests by their search text, and callers that wait for one. */
  const held = new Map<string, () => void>();
  const heard = new Map<string, () => void>();
  const asked = (text: string) => new Promise<void>((done) => heard.set(text, done));
  const release = (text: string) => held.get(text)?.();
  before(async () => {
    server = await startTestRegistry({
      "/v1/skills/search": ({ query }) => {
        const text = query.get("q") ?? "";
        const slugs = ["first-skill", "other-skill", "third-skill"];
        const found = { body: { skills: slugs.filter((slug) => slug.includes(text)).map(row) } };
        if (text === "broken") return { status: 503, body: { error: "Down until noon." } };
        if (text === "") return found;
        return new Promise((resolve) => {
          held.set(text, () => resolve(found));
          heard.get(text)?.();
        });
      },
    });
    await editor.connectTo(server);
  });
  after(() => server.close());

  /** Opens the search. Resolves once it lists all skills. */
  async function search() {
    const searching = editor.run("search");
    return { pick: await editor.pick("first-skill"), searching };
  }

  it("Enter accepts no row of an earlier text: it waits for the row of the typed skill", async () => {
    const document = await editor.parts.documents.get({ language: "json", content: "{}" });
    await editor.vscode.window.showTextDocument(document);
    const bound = editor.run("bindPayload");
    const pick = await editor.pick("first-skill");
    const isAsked = asked("other");
    pick.type("other");
    pick.accept();
    await isAsked;
    assert.equal(editor.parts.quickInputs.current, pick);
    release("other");
    await bound;
    await editor.status(/^other-skill: /);
  });

  it("A skill is compared with others that are not offered again, however late the response is", async () => {
    const compared = editor.run("compareSkills", { start: ["first-skill"] });
    const pick = await editor.pick(/^Compare first-skill with…[\s\S]*other-skill/);
    assert.doesNotMatch(pick.text, /> first-skill| {2}first-skill/);
    const isAsked = asked("other");
    pick.type("other");
    pick.accept();
    await isAsked;
    release("other");
    await compared;
    await editor.page("Compare: first-skill, other-skill");
  });

  it("Rows stay, for a click that has begun, if another text finds the same ones", async () => {
    const compared = editor.run("compareSkills", { start: ["first-skill"] });
    const pick = await editor.pick(/^Compare first-skill with…[\s\S]*other-skill/);
    const { items } = pick;
    for (const [text, isSame] of [
      ["skill", true],
      ["other", false],
    ] as const) {
      const isAsked = asked(text);
      pick.type(text);
      await isAsked;
      release(text);
      await editor.until("the end of the search", () => !pick.busy);
      assert.equal(pick.items === items, isSame, text);
    }
    pick.leave();
    await compared;
  });

  it("Fast typing sends one request, not one per letter", async () => {
    const { pick, searching } = await search();
    const searches = () => server.requests.filter(({ path }) => path.includes("q="));
    const before = searches().length;
    const isAsked = asked("other-skill");
    for (let end = 1; end <= "other-skill".length; end += 1) {
      pick.type("other-skill".slice(0, end));
      await editor.clock.advance(1);
    }
    await isAsked;
    release("other-skill");
    await editor.until("the answer", () => !pick.text.includes("first-skill"));
    // On a machine that stalls meanwhile, a letter or two may cause requests.
    assert.ok(searches().length <= before + 3, `${searches().length - before} searches`);
    assert.match(pick.text, /other-skill/);
    pick.leave();
    await searching;
  });

  it("Enter opens the typed skill when its row arrives, or at once if it was there", async () => {
    const { pick, searching } = await search();
    const isAsked = asked("other");
    pick.type("other");
    await isAsked;
    pick.accept();
    release("other");
    await searching;
    await editor.page("other-skill");
    assert.equal(editor.parts.quickInputs.current, undefined);
  });

  it("The search reports that the registry failed, and shows results once it responds again", async () => {
    const { pick, searching } = await search();
    pick.type("broken");
    await editor.pick(/HTTP 503\): Down until noon/);
    assert.doesNotMatch(pick.text, /first-skill/);
    const isAsked = asked("first");
    pick.type("first");
    await isAsked;
    release("first");
    await editor.pick("first-skill");
    assert.doesNotMatch(pick.text, /HTTP 503/);
    pick.leave();
    await searching;
  });
});
