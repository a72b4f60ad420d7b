import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { plainManifest, skillPath } from "../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import type { Page } from "../page";
import { MemoryPanel } from "../screen/memoryPanel";
import type { MemoryTab } from "../screen/tabs";
import { useEditor } from "../useEditor";

const slugs = Array.from({ length: 50 }, (_, index) => `skill-${index + 1}`);

/** Counts the characters that were sent to a page. */
const contentLength = ({ content }: MemoryTab) =>
  content instanceof MemoryPanel ? JSON.stringify(content.messages).length : 0;

const isReady = ({ shown }: Page) => shown?.kind === "ready";

describe("Fifty open pages, one of them visible", () => {
  const editor = useEditor();
  let registry: TestRegistry;
  let name = "First";

  before(async () => {
    registry = await startTestRegistry({
      "/v1/skills/search": { body: { skills: [] } },
      ...Object.fromEntries(
        slugs.map((slug) => [
          skillPath(slug),
          () => ({ body: { ...plainManifest(slug), displayName: `${name} ${slug}` } }),
        ]),
      ),
    });
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  const showsName = (page: Page, shown: string) =>
    editor.until(`${shown} on a page`, () => page.text.includes(`${shown} `));
  const skillsAskedSince = (before: number) => [
    ...new Set(
      registry.requests
        .slice(before)
        .flatMap(({ path }) => /^\/v1\/skills\/(skill-\d+)/.exec(path)?.[1] ?? []),
    ),
  ];

  const openAll = async () => {
    for (const slug of slugs) {
      await editor.run("openSkill", slug);
      const page = await editor.page();
      await editor.until(`the page of ${slug}`, () => isReady(page));
    }
    return editor.parts.tabs.all;
  };
  const see = async (tab: MemoryTab | undefined, shown: string) => {
    assert.ok(tab !== undefined);
    editor.parts.tabs.activate(tab);
    await showsName(await editor.page(), shown);
  };

  it("Only the visible one is read at a refresh, and every other one once when it becomes visible", async () => {
    const [first, second] = await openAll();
    assert.deepEqual(skillsAskedSince(0), slugs);
    // Only the texts of the page itself are in its HTML; all texts would be ten times as many.
    const contents = editor.parts.tabs.all.map(contentLength);
    assert.ok(Math.max(...contents) < 6_000, `${Math.max(...contents)}`);

    const before = registry.requests.length;
    name = "Second";
    for (let count = 0; count < 3; count += 1) {
      await editor.run("refresh");
      await showsName(await editor.page(), "Second");
    }
    assert.deepEqual(skillsAskedSince(before), ["skill-50"]);
    // Each refresh takes seven requests, for lists, the key's check and one skill. Fifty pages would take two hundred.
    const perRefresh = (registry.requests.length - before) / 3;
    assert.ok(perRefresh <= 8, `${perRefresh}`);

    const inBetween = registry.requests.length;
    await see(first, "Second");
    await see(second, "Second");
    assert.deepEqual(skillsAskedSince(inBetween), ["skill-1", "skill-2"]);

    const after = registry.requests.length;
    await see(first, "Second");
    await see(second, "Second");
    assert.deepEqual(skillsAskedSince(after), []);
  });
});

describe("A hidden comparison", () => {
  const editor = useEditor();

  it("It is read again when it becomes visible", async () => {
    await editor.run("compareSkills", ["text-stats", "json-diff"]);
    const page = await editor.page("Compare: text-stats, json-diff");
    await editor.until("the comparison", () => page.text.includes("Text statistics"));
    const [tab] = editor.parts.tabs.all;
    assert.ok(tab !== undefined);
    await editor.run("openSkill", "csv-profile");
    const other = await editor.page();
    await editor.until("the other page", () => isReady(other));
    const asked = (slug: string) => editor.log.split(`GET /v1/skills/${slug}`).length - 1;
    const compared = () => asked("text-stats") + asked("json-diff");
    const before = { compared: compared(), seen: asked("csv-profile") };
    assert.ok(before.compared > 0);
    await editor.run("refresh");
    await editor.until("the seen skill to be read", () => asked("csv-profile") > before.seen);
    assert.equal(compared(), before.compared);
    editor.parts.tabs.activate(tab);
    await editor.until("the comparison to be read", () => compared() > before.compared);
  });
});
