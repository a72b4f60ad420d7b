import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { SkillQuery } from "../../../../src/core/skillList/skillQuery";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";
import { useListRegistry, value } from "./useListRegistry";

const everything: SkillQuery = { text: "", filters: {} };

describe("a list", () => {
  const { open, lists } = useListRegistry();

  describe("that is hostile", () => {
    it("contains each slug once and skips rows without a usable one", async () => {
      const slugs = [
        "abc",
        "abc",
        "../../x",
        "a b",
        "",
        7,
        null,
        ".",
        "..",
        "a".repeat(200),
        "con.1",
        "x\n",
        "abc.",
      ];
      const { client } = await open(() => [
        ...slugs.map((slug) => ({ slug })),
        "row",
        null,
        [],
        { slug: "__proto__" },
      ]);
      const page = value(await client.search(everything, undefined, never));
      assert.deepEqual(
        page.skills.map((skill) => skill.slug),
        ["abc", "con.1"],
      );
    });

    it("is truncated after a thousand rows", async () => {
      const rows = Array.from({ length: 100_000 }, (_, n) => ({ slug: `s${n}` }));
      const { client } = await open(() => rows, { maxResponseBytes: 10_000_000 });
      const page = value(await client.search(everything, undefined, never));
      assert.equal(page.skills.length, 1000);
    });

    it("has its texts truncated", async () => {
      const long = "😀".repeat(20_000);
      const row = {
        slug: "abc",
        displayName: long,
        description: long,
        version: long,
        verificationStatus: long,
        tags: Array(5000).fill(long.slice(0, 500)),
        publisher: { name: long, url: long },
      };
      const { client } = await open(() => [row], { maxResponseBytes: 20_000_000 });
      const [skill] = value(await client.search(everything, undefined, never)).skills;
      assert.ok(skill);
      const lengths = [skill.displayName, skill.description, skill.version, skill.publisher?.name];
      assert.deepEqual(
        lengths.map((text) => text?.length),
        [199, 9999, 0, 199],
      );
      assert.match(skill.displayName, /😀…$/u);
      assert.equal(skill.tags.length, 100);
    });

    it("loses impossible values", async () => {
      const row = {
        slug: "abc",
        displayName: { $ref: "x" },
        description: ["a"],
        tags: "a,b",
        version: 2,
        successRate: 17,
        installCount: -1,
        averageRating: "many",
        updatedAt: "soon",
        publisher: 9,
        constructor: { name: "x" },
      };
      const { client } = await open(() => [row]);
      const [skill] = value(await client.search(everything, undefined, never)).skills;
      assert.deepEqual(skill, {
        slug: "abc",
        displayName: "abc",
        description: "",
        tags: [],
        version: "2",
        numbers: {},
      });
    });

    it("has known words normalized, and other words unchanged", async () => {
      const row = {
        slug: "abc",
        verificationStatus: "VERIFIED",
        permissionLevel: "High",
        billingModel: "Per_Call",
        runtime: { type: "HTTP" },
        task: "Data Science",
      };
      const { client } = await open(() => [row, { ...row, slug: "abd", permissionLevel: "Green" }]);
      const { skills } = value(await client.search(everything, undefined, never));
      const [skill] = skills;
      assert.deepEqual(
        [
          skill?.verificationStatus,
          skill?.permissionLevel,
          skill?.billingModel,
          skill?.runtimeType,
          skill?.task,
        ],
        ["verified", "high", "per_call", "http", "Data Science"],
      );
      assert.equal(skills[1]?.permissionLevel, "Green");
    });

    for (const cursor of ["", "x".repeat(2001), { a: 1 }, ["a"], true]) {
      it(`has no next page at ${JSON.stringify(cursor).slice(0, 20)}`, async () => {
        const { client } = await open(() => ({ skills: [], nextCursor: cursor }));
        const page = value(await client.search(everything, undefined, never));
        assert.equal(page.nextCursor, undefined);
      });
    }

    it("that leads to itself ends", async () => {
      const { client } = await open((_, url) => ({
        skills: [],
        nextCursor: url.searchParams.get("cursor") ?? "a",
      }));
      const first = value(await client.search(everything, undefined, never));
      assert.ok(first.nextCursor);
      const second = value(await client.search(everything, first.nextCursor, never));
      assert.equal(second.nextCursor, undefined);
    });

    it("uses an address as an opaque cursor, not as an address", async () => {
      const { client, server } = await open(() => ({
        skills: [],
        next_cursor: "https://evil.example/v1/skills/search?cursor=2#x",
      }));
      const first = value(await client.search(everything, undefined, never));
      await client.search(everything, first.nextCursor, never);
      assert.equal(server.requests.length, 2);
      assert.equal(lists()[1]?.get("cursor"), "https://evil.example/v1/skills/search?cursor=2#x");
    });
  });

  describe("with invalid content", () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ["nothing", "", ""],
      ["a page", "<html>Sign in</html>", ""],
      ["half a page", '{"skills":[{"slug":"abc"}', ""],
      ["another object", '{"ok":true}', "skills"],
      ["a text", '"skills"', "skills"],
      ["null", "null", "skills"],
      ["rows without slugs", '{"skills":[{"id":1},{"id":2}]}', "skills[0].slug"],
      ["nested too deep", `{"skills":[],"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, ""],
      ["nested without end", "[".repeat(200_000), ""],
    ];
    for (const [name, body, field] of cases) {
      it(`is reported: ${name}`, async () => {
        const { client } = await open(() => body);
        assert.deepEqual(await client.search(everything, undefined, never), {
          ok: false,
          failure: { kind: "unreadable", route: "/v1/skills/search", field },
        });
      });
    }

    it("with invalid UTF-8 is read with replacement characters", async () => {
      const { client } = await open(() => "");
      client.close();
      const bytes = Buffer.from('\ufeff[{"slug":"abc","displayName":"a?b"}]');
      bytes[bytes.indexOf("?")] = 0xc3;
      const raw = await startTestRegistry({ "**": { body: bytes } });
      const second = clientFor(raw.baseUrl);
      const page = value(await second.search(everything, undefined, never));
      assert.equal(page.skills[0]?.displayName, "a\ufffdb");
      second.close();
      await raw.close();
    });
  });

  describe("without pages", () => {
    const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ slug: `s${n}` }));
    const cases: readonly (readonly [string, unknown, true | undefined])[] = [
      ["is complete with fewer rows than requested", rows(99), undefined],
      ["is incomplete with as many rows as requested", rows(100), true],
      [
        "is incomplete with as many rows as requested, even if some are unreadable",
        [...rows(99), { slug: "../x" }],
        true,
      ],
      ["is complete with more rows than requested", rows(150), undefined],
      ["is incomplete with more rows than the extension reads", rows(1001), true],
      ["is incomplete if its total is larger", { skills: rows(20), total: 50 }, true],
      [
        "is complete if its total equals the number of its rows",
        { skills: rows(100), total: 100 },
        undefined,
      ],
      [
        "is complete even if one of its rows is unreadable",
        { skills: [...rows(2), 7], total: 3 },
        undefined,
      ],
    ];
    for (const [name, body, expected] of cases) {
      it(name, async () => {
        const { client } = await open(() => body);
        assert.equal(value(await client.search(everything, undefined, never)).isCutOff, expected);
      });
    }
  });

  describe("without a change", () => {
    it("is requested with its tag, and reused", async () => {
      let sent = 0;
      const tagged = await startTestRegistry({
        "/v1/skills/search": ({ headers }) => {
          if (headers["if-none-match"] === '"v1"') return { status: 304 };
          sent += 1;
          return { headers: { etag: '"v1"' }, body: [{ slug: "abc" }] };
        },
      });
      const caching = clientFor(tagged.baseUrl);
      for (const _ of [1, 2, 3]) {
        const page = value(await caching.search(everything, undefined, never));
        assert.equal(page.skills[0]?.slug, "abc");
      }
      assert.equal(sent, 1);
      // Another query is not answered from the cache.
      await caching.search({ text: "x", filters: {} }, undefined, never);
      assert.equal(sent, 2);
      caching.close();
      await tagged.close();
    });

    it("is reused even if other responses replaced it meanwhile", async () => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const tagged = await startTestRegistry({
        "**": ({ headers }) =>
          headers["if-none-match"] === undefined
            ? { headers: { etag: '"v1"' }, body: [{ slug: "abc" }] }
            : released.then(() => ({ status: 304 })),
      });
      const caching = clientFor(tagged.baseUrl);
      await caching.search(everything, undefined, never);
      const again = caching.search(everything, undefined, never);
      for (let index = 0; index < 101; index += 1) {
        await caching.search({ text: "", filters: { tags: [`a${index}`] } }, undefined, never);
      }
      release();
      assert.equal(value(await again).skills[0]?.slug, "abc");
      caching.close();
      await tagged.close();
    });

    it("is an error if it was never returned", async () => {
      const { client } = await open(() => 304);
      assert.deepEqual(await client.search(everything, undefined, never), {
        ok: false,
        failure: { kind: "errorAnswer", status: 304 },
      });
    });
  });

  it("is requested below a path prefix", async () => {
    const { server } = await open(() => [{ slug: "abc" }]);
    const prefixed = clientFor(`${server.baseUrl}/registry/a`);
    const page = await prefixed.search(everything, undefined, never);
    prefixed.close();
    assert.ok(page.ok);
    assert.ok(server.requests[0]?.path.startsWith("/registry/a/v1/skills/search?"));
  });

  it("reports an error in the registry's own words", async () => {
    const bodies: readonly (readonly [JsonValue, object])[] = [
      [
        { error: "Down for a while.", code: "maintenance" },
        { code: "maintenance", message: "Down for a while." },
      ],
      [{ error: { code: "x", message: "m" } }, { code: "x", message: "m" }],
      [
        { message: "m", code: "x" },
        { code: "x", message: "m" },
      ],
      [
        { type: "t", title: "T", detail: "d", code: "x" },
        { code: "x", message: "d" },
      ],
      [{ title: "T" }, { message: "T" }],
      ["<html>", {}],
    ];
    for (const [body, said] of bodies) {
      const failing = await startTestRegistry({ "**": { status: 500, body } });
      const failed = clientFor(failing.baseUrl);
      assert.deepEqual(await failed.search(everything, undefined, never), {
        ok: false,
        failure: { kind: "errorAnswer", status: 500, ...said },
      });
      failed.close();
      await failing.close();
    }
  });
});
