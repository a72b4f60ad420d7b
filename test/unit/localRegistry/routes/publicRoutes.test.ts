import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { rawRequest } from "../rawRequest";
import { withRegistry } from "../withRegistry";

describe("the public routes", () => {
  const test = withRegistry();
  const json = async (path: string) => {
    const answer = await test.get(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.json as never;
  };

  it("list rows with all their fields", async () => {
    const page: { skills: unknown[]; nextCursor: null; total: number } = await json(
      "/v1/skills/search?q=csv-profile",
    );
    assert.deepEqual([page.total, page.nextCursor], [1, null]);
    assert.deepEqual(page.skills, [
      {
        id: "skill_csv-profile",
        slug: "csv-profile",
        displayName: "CSV profile",
        description:
          "Reads a CSV text and tells, for each column, its type, how many values are missing, the smallest and the largest one and how many different ones there are.",
        tags: ["csv", "data-quality", "profiling"],
        category: "data",
        version: "2.0.0",
        publisher: { slug: "tidy-tables", name: "Tidy Tables" },
        verificationStatus: "verified",
        permissionLevel: "low",
        runtimeType: "http",
        billingModel: "free",
        installCount: 1312,
        invocationCount: 58_230,
        successRate: 0.981,
        avgLatencyMs: 31,
        averageRating: 4,
        feedbackCount: 3,
        updatedAt: "2026-10-05T08:00:00Z",
      },
    ]);
  });

  it("page through the list", async () => {
    const first: { skills: { slug: string }[]; nextCursor: string } = await json(
      "/v1/skills/search?limit=3",
    );
    const second: typeof first = await json(
      `/v1/skills/search?limit=3&cursor=${encodeURIComponent(first.nextCursor)}`,
    );
    const slugs = [...first.skills, ...second.skills].map(({ slug }) => slug);
    assert.equal(new Set(slugs).size, 6);
  });

  it("return a whole skill", async () => {
    const detail: Record<string, unknown> = await json("/v1/skills/vault-rotate");
    const names = "slug manifest inputSchema outputSchema permissions version versions publisher";
    const more = "verificationStatus reviewState reviewedAt examples supportUrl";
    for (const name of `${names} ${more}`.split(" ")) assert.ok(name in detail, name);
    const manifest = detail["manifest"] as Record<string, unknown>;
    assert.deepEqual(Object.keys(manifest).sort(), [
      "author",
      "description",
      "displayName",
      "inputSchema",
      "name",
      "outputSchema",
      "permissions",
      "runtime",
      "schemaVersion",
      "tags",
      "version",
    ]);
    assert.deepEqual(manifest["runtime"], {
      type: "local",
      command: "[restricted local runtime]",
      args: ["[2 redacted args]"],
    });
    assert.deepEqual(
      (detail["versions"] as { version: string }[]).map(({ version }) => version),
      ["1.2.0"],
    );
  });

  it("return an older version with its own schema and permissions", async () => {
    const detail: {
      version: string;
      permissionLevel: string;
      runtimeType: string;
      permissions: { filesystem: string };
      manifest: { version: string; inputSchema: unknown };
      inputSchema: { required: string[] };
    } = await json("/v1/skills/csv-profile?version=1.0.0");
    assert.equal(detail.version, "1.0.0");
    assert.equal(detail.permissionLevel, "medium");
    assert.equal(detail.runtimeType, "local");
    assert.equal(detail.permissions.filesystem, "read");
    assert.deepEqual(detail.inputSchema.required, ["text"]);
    assert.equal(detail.manifest.version, "1.0.0");
    assert.deepEqual(detail.manifest.inputSchema, detail.inputSchema);
  });

  for (const [slug, words] of [
    ["vault-rotate", "[2 secret handles required]"],
    ["status-notice", "[1 secret handle required]"],
  ]) {
    it(`count the secrets of ${slug} instead of naming them`, async () => {
      const detail: { permissions: { secrets: string[] } } = await json(`/v1/skills/${slug}`);
      assert.deepEqual(detail.permissions.secrets, [words]);
    });
  }

  it("list the existing versions if one is missing", async () => {
    const { status, json: body } = await test.get("/v1/skills/csv-profile?version=9.9.9");
    assert.equal(status, 404);
    assert.equal((body as { code: string }).code, "version_not_found");
    assert.match((body as { error: string }).error, /2\.0\.0, 1\.1\.0, 1\.0\.0/);
  });

  it("return prices", async () => {
    assert.deepEqual(await json("/v1/skills/redact-pii/prices"), {
      prices: [
        {
          id: "price_redact-pii",
          skillSlug: "redact-pii",
          billingModel: "per_call",
          unitAmountCents: 2,
          currency: "USD",
          status: "active",
          createdAt: "2026-09-07T08:00:00Z",
        },
      ],
    });
  });

  it("return feedback, newest first, with its summary", async () => {
    const all: { feedback: { createdAt: string }[]; summary: unknown } = await json(
      "/v1/skills/csv-profile/feedback?limit=12",
    );
    const times = all.feedback.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [...times].sort().reverse());
    assert.deepEqual(all.summary, {
      averageRating: 4,
      publishedCount: 3,
      ratingBreakdown: { "1": 0, "2": 0, "3": 1, "4": 1, "5": 1 },
    });
    const one: typeof all = await json("/v1/skills/csv-profile/feedback?limit=1");
    assert.equal(one.feedback.length, 1);
    const none: { summary: { averageRating: null } } = await json(
      "/v1/skills/draft-writer/feedback",
    );
    assert.equal(none.summary.averageRating, null);
  });

  it("return publishers of verified skills only", async () => {
    const { publishers }: { publishers: { slug: string; skills: { slug: string }[] }[] } =
      await json("/v1/publishers");
    const skills = publishers.flatMap((publisher) => publisher.skills.map(({ slug }) => slug));
    assert.equal(new Set(skills).size, 10);
    assert.ok(!skills.includes("draft-writer") && !skills.includes("flaky-fetch"));
    const { skills: _, ...lantern } = publishers.find(
      ({ slug }) => slug === "lantern-security",
    ) ?? { skills: [] };
    assert.deepEqual(lantern, {
      slug: "lantern-security",
      displayName: "Lantern Security Studio",
      status: "active",
      trustLevel: "verified",
      url: "https://lantern-security.example",
      metrics: { skillCount: 3, installCount: 872, invocationCount: 34_987 },
    });
  });

  it("never require a key", async () => {
    const wrongKey = await test.get("/v1/skills/search", { authorization: "Bearer skh_wrong" });
    assert.equal(wrongKey.status, 200);
  });

  describe("as HTTP", () => {
    it("tag each response and return 304 for a known tag", async () => {
      for (const path of ["/v1/skills/search", "/v1/skills/json-diff", "/v1/publishers"]) {
        const first = await test.get(path);
        const etag = first.headers.etag ?? "";
        assert.match(etag, /^"[\w-]{22}"$/);
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = await test.get(path, { "if-none-match": tags });
          assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag]);
        }
        const changed = await test.get(path, { "if-none-match": '"other"' });
        assert.deepEqual([changed.status, changed.text], [200, first.text]);
      }
    });

    it("tag different responses differently", async () => {
      const tags = ["", "?q=csv", "?limit=1"].map(
        async (query) => (await test.get(`/v1/skills/search${query}`)).headers.etag,
      );
      assert.equal(new Set(await Promise.all(tags)).size, 3);
    });

    it("answer HEAD as GET without the body", async () => {
      const url = `${test.registry.baseUrl}/v1/skills/search`;
      const [head, get] = [await rawRequest(url, { method: "HEAD" }), await rawRequest(url)];
      assert.deepEqual([head.status, head.text], [200, ""]);
      assert.equal(head.headers["content-length"], String(Buffer.byteLength(get.text)));
      assert.equal(head.headers.etag, get.headers.etag);
    });

    it("let no other origin read or embed them", async () => {
      const { headers } = await test.get("/v1/skills/search");
      const crossOrigin = Object.keys(headers).filter((name) => name.startsWith("access-control"));
      assert.deepEqual(crossOrigin, []);
      assert.equal(headers["cross-origin-resource-policy"], "same-origin");
      assert.equal(headers["x-content-type-options"], "nosniff");
    });

    it("reject a Host that is not this machine", async () => {
      const port = new URL(test.registry.baseUrl).port;
      const statusFor = async (host: string) =>
        (await test.get("/v1/skills/search", { host })).status;
      assert.equal(await statusFor(`127.0.0.1:${port}`), 200);
      assert.equal(await statusFor(`LOCALHOST:${port}`), 200);
      for (const host of [
        `evil.example:${port}`,
        "127.0.0.1",
        "127.0.0.1:1",
        `127.0.0.1.example:${port}`,
      ]) {
        assert.equal(await statusFor(host), 421, host);
      }
    });

    it("reject web pages", async () => {
      for (const origin of ["https://evil.example", "null"]) {
        const { status, json: body } = await test.get("/v1/skills/search", { origin });
        assert.deepEqual([status, (body as { code: string }).code], [403, "web_page_refused"]);
      }
    });
  });
});
