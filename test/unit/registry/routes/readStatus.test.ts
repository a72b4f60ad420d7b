import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { registryFailureText } from "../../../../src/core/registry/registryFailure";
import { english } from "../../../../src/core/text/language";
import { serviceWorks } from "../../../../src/registry/routes/readStatus";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { type Answer, startTestRegistry } from "../../../fixtures/registries/testRegistry";

describe("the registry's status beside a failure", () => {
  const database = (status: string) => ({
    body: { status: { overall: "degraded", services: [{ key: "database", status }] } },
  });
  const cases: readonly (readonly [
    title: string,
    status: number,
    word: Answer,
    asked: boolean,
    out: boolean,
  ])[] = [
    ["a database that it calls degraded", 503, database("degraded"), true, true],
    ["a status that answers 400, where nothing could be wrong", 400, { status: 400 }, true, true],
    ["a database that works, whatever else is degraded", 500, database("operational"), true, false],
    ["a database that it calls unhealthy", 500, database("Unhealthy"), true, true],
    ["a database with an unknown word", 500, database("moon"), true, false],
    ["no status", 500, { status: 404 }, true, false],
    ["a status that is lost", 502, "lost", true, false],
    ["a request that it rejects", 403, database("degraded"), false, false],
  ];
  for (const [title, status, word, isAsked, isOut] of cases) {
    it(`${isOut ? "explains the failure" : "adds nothing"} if a list fails with ${status}: ${title}`, async () => {
      const registry = await startTestRegistry({ "/v1/status": word, "**": { status } });
      const client = clientFor(registry.baseUrl);
      try {
        const page = await client.search({ text: "", filters: {} }, undefined, never);
        assert.ok(!page.ok);
        const failure = await client.explain(page.failure, never);
        const asked = registry.requests.some(({ path }) => path === "/v1/status");
        assert.equal(asked, isAsked);
        const text = registryFailureText(failure, english);
        assert.equal(/reports that its database is down/.test(text), isOut, text);
      } finally {
        client.close();
        await registry.close();
      }
    });
  }

  it("is known only by a known word", () => {
    const works = (word: string) => serviceWorks(database(word).body, "database");
    const words = ["operational", "Up", "degraded", "major_outage", "moon", ""];
    assert.deepEqual(words.map(works), [true, true, false, false, undefined, undefined]);
  });

  it("is not requested from an unreachable registry", async () => {
    const registry = await startTestRegistry({});
    const client = clientFor(registry.baseUrl);
    await registry.close();
    const page = await client.search({ text: "", filters: {} }, undefined, never);
    assert.ok(!page.ok);
    assert.equal(await client.explain(page.failure, never), page.failure);
    client.close();
  });
});
