import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillQuery } from "../../../../src/core/skillList/skillQuery";
import { never } from "../../../fixtures/registries/clientFor";
import { type List, slugs, useListRegistry, value } from "./useListRegistry";

describe("a list", () => {
  const { open, lists } = useListRegistry();

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
});
