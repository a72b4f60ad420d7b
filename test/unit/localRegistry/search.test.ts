import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { catalogue } from "../../../src/localRegistry/catalogue/catalogue";
import { searchSkills } from "../../../src/localRegistry/catalogue/searchSkills";

function search(query: string) {
  const result = searchSkills(catalogue, new URLSearchParams(query));
  assert.ok(result.ok, result.ok ? "" : `${result.parameter} ${result.problem}`);
  return result;
}

function slugs(query: string): string[] {
  return search(query).skills.map(({ slug }) => slug);
}

describe("searching skills", () => {
  it("finds everything without a query", () => {
    assert.equal(search("").total, 16);
  });

  const found: [string, string[]][] = [
    ["q=semver-resolve", ["semver-resolve"]],
    ["q=REDACT personal", ["redact-pii"]],
    ["q=RFC 6902", ["json-diff"]],
    ["q=gdpr", ["redact-pii"]],
    ["q=no such words", []],
    ["task=data", ["csv-profile", "json-to-csv"]],
    ["category=data", ["csv-profile", "json-to-csv"]],
    ["category=data&task=data", ["csv-profile", "json-to-csv"]],
    ["task=ops,finance", ["market-data", "vault-rotate"]],
    ["task=ops&task=finance", ["market-data", "vault-rotate"]],
    ["task=astrology", []],
    ["task=data,astrology", ["csv-profile", "json-to-csv"]],
    ["runtime=local&task=security", ["jwt-inspect", "redact-pii"]],
    ["runtimeType=mcp&task=finance", ["market-data"]],
    ["runtime=carrier-pigeon", []],
    ["verification=submitted", ["draft-writer"]],
    ["verificationStatus=deprecated", ["flaky-fetch"]],
    ["verification=draft", []],
    ["permissionProfile=high", ["draft-writer", "vault-rotate"]],
    ["permissionLevel=medium", ["flaky-fetch", "market-data", "slow-report"]],
    ["permissionLevel=extreme", []],
    ["billingModel=subscription", ["market-data"]],
    ["tags=csv,json", ["json-to-csv"]],
    ["tags=csv&tags=convert", ["json-to-csv"]],
    ["tag=csv&task=ops", ["vault-rotate"]],
    ["q=practice&runtime=http&permissionLevel=low", ["burst-limited"]],
    ["task=", slugsOf()],
  ];
  for (const [query, expected] of found) {
    it(`finds ${expected.length} by ${query}`, () => {
      assert.deepEqual(slugs(query).sort(), expected);
    });
  }

  const orders: [string, string, string][] = [
    ["sort=adoption", "text-stats", "draft-writer"],
    ["sort=success", "text-stats", "draft-writer"],
    ["sort=low_risk", "burst-limited", "vault-rotate"],
    ["sort=recent", "draft-writer", "flaky-fetch"],
    ["sort=recommended", "text-stats", "draft-writer"],
    ["", "text-stats", "draft-writer"],
  ];
  for (const [query, first, last] of orders) {
    it(`starts with ${first} and ends with ${last} by "${query}"`, () => {
      const all = slugs(query);
      assert.deepEqual([all[0], all.at(-1)], [first, last]);
    });
  }

  it("counts each filter with the others active, its own left aside", () => {
    const { facets } = search("task=data&runtime=http");
    assert.deepEqual(facets["task"], [
      { value: "data", count: 2 },
      { value: "research", count: 2 },
      { value: "automation", count: 1 },
      { value: "content", count: 1 },
      { value: "ecommerce", count: 1 },
    ]);
    assert.deepEqual(facets["runtime"], [{ value: "http", count: 2 }]);
    assert.deepEqual(facets["billingModel"], [{ value: "free", count: 2 }]);
  });

  it("counts of the tags what adding one more would leave", () => {
    assert.deepEqual(search("tags=csv").facets["tags"], [
      { value: "csv", count: 2 },
      { value: "convert", count: 1 },
      { value: "data-quality", count: 1 },
      { value: "json", count: 1 },
      { value: "profiling", count: 1 },
    ]);
  });

  it("counts as many as choosing a value finds", () => {
    const { facets } = search("permissionProfile=low");
    for (const [name, values] of Object.entries(facets)) {
      for (const { value, count } of values) {
        const query = name === "permissionProfile" ? "" : "permissionProfile=low&";
        assert.equal(search(`${query}${name}=${value}`).total, count, `${name}=${value}`);
      }
    }
  });

  it("gives every skill once over its pages", () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const page = search(`sort=recent&limit=5&cursor=${cursor}`);
      assert.equal(page.total, 16);
      seen.push(...page.skills.map(({ slug }) => slug));
      cursor = page.nextCursor;
      pages += 1;
    }
    assert.equal(pages, 4);
    assert.deepEqual(seen, slugs("sort=recent"));
  });

  it("takes a limit above 100 as 100", () => {
    const many = Array.from({ length: 7 }, (_, copy) =>
      catalogue.map((skill) => ({ ...skill, slug: `${skill.slug}-${copy}` })),
    ).flat();
    const result = searchSkills(many, new URLSearchParams("limit=1000"));
    assert.equal(result.ok && result.skills.length, 100);
  });

  const cursor = search("limit=2").nextCursor;
  const wrong: [string, string][] = [
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["sort=random", "sort"],
    ["cursor=garbage", "cursor"],
    [`cursor=${cursor}&q=csv`, "cursor"],
    [`cursor=${cursor}&sort=recent`, "cursor"],
  ];
  for (const [query, parameter] of wrong) {
    it(`refuses ${query}`, () => {
      const result = searchSkills(catalogue, new URLSearchParams(query));
      assert.equal(result.ok ? "" : result.parameter, parameter);
    });
  }
});

function slugsOf(): string[] {
  return catalogue.map(({ slug }) => slug).sort();
}
