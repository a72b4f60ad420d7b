import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { never } from "../../../fixtures/registries/clientFor";
import { slugs, useListRegistry, value } from "./useListRegistry";

describe("a list", () => {
  const { open, lists } = useListRegistry();

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
});
