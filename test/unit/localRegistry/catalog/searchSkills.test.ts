import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";
import { searchSkills } from "../../../../src/localRegistry/catalog/searchCatalog";

function search(query: string) {
  const result = searchSkills(catalog, new URLSearchParams(query));
  assert.ok(result !== undefined, query);
  return result;
}

function slugs(query: string): string[] {
  return search(query).skills.map(({ slug }) => slug);
}

describe("searching skills", () => {
  it("finds everything without a query", () => {
    assert.equal(search("").total, 12);
  });

  const found: [string, string[]][] = [
    ["q=json-diff", ["json-diff"]],
    ["q=REDACT personal", ["redact-pii"]],
    ["q=RFC 6902", ["json-diff"]],
    ["q=gdpr", ["redact-pii"]],
    ["q=no such words", []],
    ["category=dev", ["json-diff", "sql-format"]],
    ["category=ops,finance", ["market-data", "vault-rotate"]],
    ["category=ops&category=finance", ["market-data", "vault-rotate"]],
    ["category=support", ["vault-rotate"]],
    ["category=data,astrology", ["csv-profile"]],
    ["runtimeType=local&category=ops", ["vault-rotate"]],
    ["runtime=mcp&category=finance", ["market-data"]],
    ["verification=submitted", ["draft-writer"]],
    ["verificationStatus=deprecated", ["flaky-fetch"]],
    ["permissionLevel=high", ["draft-writer", "status-notice", "vault-rotate"]],
    ["permissionLevel=medium", ["flaky-fetch", "market-data", "slow-report"]],
    ["billingModel=subscription", ["market-data"]],
    ["pricing=subscription", ["market-data"]],
    ["tags=text,privacy", ["redact-pii"]],
    ["tags=text&tags=privacy", ["redact-pii"]],
    ["tags=astrology", []],
    ["q=practice&runtime=http&permissionLevel=low", ["burst-limited"]],
  ];
  for (const [query, expected] of found) {
    it(`finds ${expected.length} by ${query}`, () => {
      assert.deepEqual(slugs(query).sort(), expected);
    });
  }

  for (const query of [
    "task=data",
    "permissionProfile=high",
    "tag=csv",
    "category=",
    "category=astrology",
    "runtime=carrier-pigeon",
    "verification=draft",
    "permissionLevel=extreme",
  ]) {
    it(`ignores ${query}`, () => {
      assert.equal(search(query).total, catalog.length);
    });
  }

  it("lists answering skills before practice skills", () => {
    assert.deepEqual(slugs("").slice(0, 5).toSorted(), [
      "csv-profile",
      "json-diff",
      "redact-pii",
      "sql-format",
      "text-stats",
    ]);
  });

  const orders: [string, string, string][] = [
    ["sort=adoption", "text-stats", "draft-writer"],
    ["sort=success", "text-stats", "draft-writer"],
    ["sort=low_risk", "burst-limited", "vault-rotate"],
    ["sort=low-risk", "burst-limited", "vault-rotate"],
    ["sort=lowRisk", "burst-limited", "vault-rotate"],
    ["sort=recent", "draft-writer", "flaky-fetch"],
    ["sort=recommended", "text-stats", "draft-writer"],
    ["sort=random", "text-stats", "draft-writer"],
    ["", "text-stats", "draft-writer"],
  ];
  for (const [query, first, last] of orders) {
    it(`starts with ${first} and ends with ${last} by "${query}"`, () => {
      const all = slugs(query);
      assert.deepEqual([all[0], all.at(-1)], [first, last]);
    });
  }

  it("counts each filter with the others active, except its own", () => {
    const { facets } = search("category=dev,finance&runtime=http");
    assert.deepEqual(facets["task"], [
      { value: "dev", count: 2 },
      { value: "research", count: 2 },
      { value: "automation", count: 1 },
      { value: "content", count: 1 },
      { value: "data", count: 1 },
      { value: "ecommerce", count: 1 },
      { value: "security", count: 1 },
    ]);
    assert.deepEqual(facets["runtime"], [
      { value: "http", count: 2 },
      { value: "mcp", count: 1 },
    ]);
  });

  it("counts for each tag how many skills adding it would leave", () => {
    assert.deepEqual(search("tags=csv").facets["tags"], [
      { value: "csv", count: 1 },
      { value: "data-quality", count: 1 },
      { value: "profiling", count: 1 },
    ]);
  });

  it("counts for each value as many skills as choosing it finds", () => {
    const parameters: Record<string, string> = { task: "category" };
    const { facets } = search("permissionLevel=low");
    for (const [name, values] of Object.entries(facets)) {
      if (name === "permissionProfile") continue;
      for (const { value, count } of values) {
        const query = `permissionLevel=low&${parameters[name] ?? name}=${value}`;
        assert.equal(search(query).total, count, query);
      }
    }
  });

  it("returns every skill once over its pages", () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const page = search(`sort=recent&limit=5&cursor=${cursor}`);
      assert.equal(page.total, catalog.length);
      seen.push(...page.skills.map(({ slug }) => slug));
      cursor = page.nextCursor;
      pages += 1;
    }
    assert.equal(pages, 3);
    assert.deepEqual(seen, slugs("sort=recent"));
  });

  const limits: [string, number][] = [
    ["limit=1000", 100],
    ["limit=3", 3],
    ["limit=0", 20],
    ["limit=ten", 20],
    ["limit=", 20],
    ["limit=-5", 1],
  ];
  for (const [query, expected] of limits) {
    it(`returns ${expected} rows by ${query}`, () => {
      const many = Array.from({ length: 9 }, (_, copy) =>
        catalog.map((skill) => ({ ...skill, slug: `${skill.slug}-${copy}` })),
      ).flat();
      assert.equal(searchSkills(many, new URLSearchParams(query))?.skills.length, expected);
    });
  }

  const cursor = search("limit=2").nextCursor;
  for (const query of [
    "cursor=garbage",
    `cursor=${cursor}&q=csv`,
    `cursor=${cursor}&sort=recent`,
  ]) {
    it(`returns no page for ${query}`, () => {
      assert.equal(searchSkills(catalog, new URLSearchParams(query)), undefined);
    });
  }
});
