import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { Result } from "../../../../src/core/registry/registryFailure";
import type { SkillListPage, SkillQuery } from "../../../../src/core/skillList/skillQuery";
import type {
  RegistryClient,
  RegistryClientOptions,
} from "../../../../src/registry/registryClient";
import type { RecordedRequest } from "../../../fixtures/network/recordingServer";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";

const everything: SkillQuery = { text: "", filters: {} };

/** The response to a list request: a value is sent as JSON, a text unchanged, a number as a status without a body. */
type List = (request: RecordedRequest, url: URL) => unknown;

describe("a list", () => {
  let server: TestRegistry | undefined;
  let client: RegistryClient | undefined;

  async function open(
    list: List,
    options: Partial<RegistryClientOptions> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    server = await startTestRegistry({
      "**": (asked): Answer => {
        const url = new URL(asked.path, "http://registry");
        const isList = url.pathname.endsWith("/v1/skills/search");
        const body = isList ? list(asked, url) : 404;
        return typeof body === "number" ? { status: body, headers } : { headers, body };
      },
    });
    client = clientFor(server.baseUrl, options);
    return { server, client };
  }

  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  function lists(): readonly URLSearchParams[] {
    const paths = (server?.requests ?? []).map(
      (request) => new URL(request.path, "http://registry"),
    );
    return paths.filter((url) => url.pathname.endsWith("/search")).map((url) => url.searchParams);
  }

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

  describe("with filters", () => {
    const rows = [
      { slug: "one", runtimeType: "http", permissionLevel: "low" },
      { slug: "two", runtimeType: "mcp", permissionLevel: "high" },
      { slug: "three", permissions: { network: true } },
    ];

    it("is filtered here if the registry ignored one, with a note", async () => {
      const { client } = await open(() => ({
        skills: rows,
        total: 3,
        facets: { runtime: [{ value: "http", count: 3 }] },
      }));
      const filters = { runtime: ["http"], permissionProfile: ["medium"] };
      const page = value(await client.search({ text: "", filters }, undefined, never));
      assert.deepEqual(
        page.skills.map((skill) => skill.slug),
        ["three"],
      );
      assert.deepEqual(page.ignoredFilters, ["runtime", "permissionProfile"]);
      assert.equal(page.total, undefined);
      assert.equal(page.facets, undefined);
    });

    it("is requested for each of several values separately", async () => {
      const { client } = await open((_, url) =>
        rows.filter(({ runtimeType }) => runtimeType === url.searchParams.get("runtime")),
      );
      const filters = { runtime: ["http", "mcp"] };
      const page = value(await client.search({ text: "", filters }, undefined, never));
      assert.equal(slugs(page), "one,two");
      assert.deepEqual(page.ignoredFilters, []);
      const asked = lists().map((query) => query.get("runtime"));
      assert.deepEqual(asked.toSorted(), ["http", "mcp"]);
    });

    it("skips values that would need too many requests, with a note", async () => {
      const { client } = await open(() => rows);
      const filters = {
        task: Array.from({ length: 12 }, (_, index) => `task${index}`),
        runtime: ["http", "mcp"],
      };
      const page = value(await client.search({ text: "", filters }, undefined, never));
      assert.ok(page.ignoredFilters.includes("task"));
      assert.equal(lists().length, 2);
      assert.ok(lists().every((query) => query.get("task") === null));
    });

    for (const status of [400, 422]) {
      it(`is requested without the filter if a registry rejects a value with ${status}, on further pages too`, async () => {
        const { client } = await open((_, url) =>
          url.searchParams.get("runtime") === "local"
            ? status
            : { skills: rows, nextCursor: url.searchParams.get("cursor") === null ? "2" : null },
        );
        const query = {
          text: "",
          filters: { runtime: ["mcp", "local"], permissionProfile: ["high"] },
        };
        const page = value(await client.search(query, undefined, never));
        assert.equal(slugs(page), "two");
        assert.deepEqual(page.ignoredFilters, ["runtime", "permissionProfile"]);
        await client.search(query, page.nextCursor, never);
        const asked = lists().map((one) =>
          ["runtime", "permissionLevel", "cursor"].map((name) => one.get(name)).join(),
        );
        assert.deepEqual(asked.slice(2), [",high,", ",high,2"]);
      });
    }

    it("fails if one of its parts fails", async () => {
      const { client } = await open((_, url) =>
        url.searchParams.get("runtime") === "mcp" ? 500 : rows,
      );
      const filters = { runtime: ["http", "mcp"] };
      assert.deepEqual(await client.search({ text: "", filters }, undefined, never), {
        ok: false,
        failure: { kind: "errorAnswer", status: 500 },
      });
    });
  });

  describe("of a registry that reads one value per filter and returns 100 rows at most", () => {
    /** The number of skills of each kind among 200; a row does not state its task. */
    const kinds = [
      ["http", "data", 66],
      ["mcp", "dev", 68],
      ["local", "ops", 66],
    ] as const;
    const all = kinds.flatMap(([runtimeType, task, count]) =>
      Array.from({ length: count }, (_, index) => ({
        row: { slug: `${runtimeType}-${index}`, runtimeType, installCount: 1000 - index * 7 },
        task,
      })),
    );
    const gateway: List = (_, url) => {
      const has = (name: string, value: string) =>
        (url.searchParams.get(name) ?? value) === value || !isKnown(name, url);
      const found = all.filter(
        ({ row, task }) => has("runtimeType", row.runtimeType) && has("category", task),
      );
      const isSorted = url.searchParams.get("sort") === "adoption";
      const sorted = isSorted
        ? found.toSorted((one, other) => other.row.installCount - one.row.installCount)
        : found;
      return { skills: sorted.slice(0, 100).map(({ row }) => row) };
    };
    /**
     * Returns whether a filter's value is known. An unknown value, such as a comma list, leaves the list unfiltered.
     */
    const isKnown = (name: string, url: URL) =>
      kinds.some(([runtime, task]) =>
        [runtime, task].some((known) => known === url.searchParams.get(name)),
      );

    const cases: readonly (readonly [string, SkillQuery["filters"], number, true | undefined])[] = [
      ["http or mcp", { runtime: ["http", "mcp"] }, 134, undefined],
      ["mcp or local", { runtime: ["mcp", "local"] }, 134, undefined],
      ["data or dev", { task: ["data", "dev"] }, 134, undefined],
      ["all three", { runtime: ["http", "mcp", "local"] }, 200, undefined],
      ["no filter", {}, 100, true],
      ["http, of data or dev", { runtime: ["http"], task: ["data", "dev"] }, 66, undefined],
    ];
    for (const [name, filters, count, isCutOff] of cases) {
      it(`contains exactly the matching skills: ${name}`, async () => {
        const { client } = await open(gateway);
        const page = value(await client.search({ text: "", filters }, undefined, never));
        assert.equal(page.skills.length, count);
        assert.equal(new Set(page.skills.map(({ slug }) => slug)).size, count);
        assert.equal(page.isCutOff, isCutOff);
        const wanted = all.filter(
          ({ row, task }) =>
            (filters.runtime?.includes(row.runtimeType) ?? true) &&
            (filters.task?.includes(task) ?? true),
        );
        const wrong = page.skills.filter(
          ({ slug }) => !wanted.some(({ row }) => row.slug === slug),
        );
        assert.deepEqual(wrong, []);
      });
    }

    it("has the requested order over all values", async () => {
      const { client } = await open(gateway);
      const filters = { runtime: ["http", "mcp"] };
      const query = { text: "", filters, sort: "adoption" } as const;
      const page = value(await client.search(query, undefined, never));
      const installs = page.skills.map(({ numbers }) => numbers.installs ?? 0);
      assert.deepEqual(
        installs,
        installs.toSorted((one, other) => other - one),
      );
      assert.equal(page.ignoredSort, undefined);
    });

    it("continues while any value has another page", async () => {
      const { client } = await open((_, url) => {
        const runtime = url.searchParams.get("runtime");
        const cursor = url.searchParams.get("cursor");
        if (runtime === "http") return [{ slug: "h", runtimeType: "http" }];
        return cursor === null
          ? { skills: [{ slug: "m1", runtimeType: "mcp" }], nextCursor: "2", total: 2 }
          : { skills: [{ slug: "m2", runtimeType: "mcp" }], nextCursor: null, total: 2 };
      });
      const query = { text: "", filters: { runtime: ["http", "mcp"] } };
      const first = value(await client.search(query, undefined, never));
      assert.equal(slugs(first), "h,m1");
      assert.equal(first.total, undefined);
      const second = value(await client.search(query, first.nextCursor, never));
      assert.equal(slugs(second), "m2");
      assert.equal(second.nextCursor, undefined);
      assert.equal(lists().length, 3);
    });

    it("adds up totals, and counts of values, each once", async () => {
      const { client } = await open((_, url) => {
        const runtime = url.searchParams.get("runtime");
        return {
          skills: [{ slug: runtime, runtimeType: runtime }],
          total: 1,
          facets: {
            runtime: ["http", "mcp", "local"].map((one) => ({ value: one, count: 1 })),
            task: [{ value: "data", count: 1 }],
          },
        };
      });
      const filters = { runtime: ["http", "mcp"] };
      const page = value(await client.search({ text: "", filters }, undefined, never));
      assert.equal(page.total, 2);
      assert.deepEqual(page.facets?.task, [{ value: "data", count: 2 }]);
      assert.deepEqual(
        page.facets?.runtime?.map(({ count }) => count),
        [1, 1, 1],
      );
    });
  });

  describe("with a search text", () => {
    const names = ["Tally words", "Close ledger", "Convert area", "Tally votes"];
    const rows = names.map((displayName, index) => ({ slug: `s${index}`, displayName }));
    const query = { text: "Tally wo", filters: {} };

    it("is searched here if the registry ignored the text, on further pages too, with a note", async () => {
      const { client } = await open((_, url) => {
        const isFirst = url.searchParams.get("cursor") === null;
        const more = { slug: "s9", displayName: "Tally wood", tags: [] };
        return isFirst ? { skills: rows.slice(0, 3), nextCursor: "2", total: 5 } : [rows[3], more];
      });
      const first = value(await client.search(query, undefined, never));
      assert.equal(slugs(first), "s0");
      assert.equal(first.ignoredText, true);
      assert.equal(first.total, undefined);
      const second = value(await client.search(query, first.nextCursor, never));
      assert.equal(slugs(second), "s9");
      assert.deepEqual(
        lists().map((asked) => [asked.get("q"), asked.get("cursor")]),
        [
          ["Tally wo", null],
          [null, null],
          ["Tally wo", "2"],
        ],
      );
    });

    it("is not searched here if the registry found rows by their meaning", async () => {
      const { client } = await open((_, url) =>
        url.searchParams.get("q") === null ? rows : [rows[1], rows[2]],
      );
      const page = value(await client.search(query, undefined, never));
      assert.equal(slugs(page), "s1,s2");
      assert.equal(page.ignoredText, undefined);
    });

    it("is requested once if most rows contain a word of the text", async () => {
      const { client } = await open(() => rows);
      const page = value(await client.search(query, undefined, never));
      assert.equal(slugs(page), "s0,s1,s2,s3");
      assert.equal(lists().length, 1);
    });
  });

  describe("in an order", () => {
    const rows = (...installs: number[]) =>
      installs.map((installCount) => ({ slug: `s${installCount}`, installCount }));
    const query = { text: "", filters: {}, sort: "adoption" } as const;

    it("reports an ignored order, including rows that are filtered out here", async () => {
      const { client } = await open(() =>
        rows(1, 5, 9, 11, 12, 13).map((row, index) => ({
          ...row,
          tags: index === 1 ? ["a"] : [],
        })),
      );
      const filters = { tags: ["a"] };
      const page = value(await client.search({ ...query, filters }, undefined, never));
      assert.equal(page.skills.length, 1);
      assert.equal(page.ignoredSort, true);
      assert.equal(lists()[0]?.get("sort"), "adoption");
    });

    it("reports nothing if the registry followed the order, and on further pages", async () => {
      const { client } = await open((_, url) =>
        url.searchParams.get("cursor") === null
          ? { skills: rows(9, 5, 1), nextCursor: "2" }
          : rows(0, 3, 8),
      );
      const first = value(await client.search(query, undefined, never));
      assert.equal(first.ignoredSort, undefined);
      assert.ok(first.nextCursor);
      const second = value(await client.search(query, first.nextCursor, never));
      assert.equal(second.ignoredSort, undefined);
    });
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

function value(result: Result<SkillListPage>): SkillListPage {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function slugs(page: SkillListPage): string {
  return page.skills.map(({ slug }) => slug).join();
}
