import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { KeyRedactor } from "../../../src/core/registry/redactSecrets";
import { isPriceUnanswered } from "../../../src/core/skill/price";
import { clientFor, never } from "../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";

describe("RegistryClient", () => {
  for (const baseUrl of [
    "http://registry.example",
    "https://a:b@registry.example",
    "registry",
    "",
  ]) {
    it(`is not created for ${JSON.stringify(baseUrl)}`, () => {
      assert.throws(() => clientFor(baseUrl), TypeError);
    });
  }

  it("reports which numbers of a skill lost digits", async () => {
    const written = '{"version":"1.0.0","inputSchema":{"maximum":9007199254740993}}';
    for (const [body, expected] of [
      [written, [2 ** 53]],
      [written.replace("93}", "92}"), undefined],
    ] as const) {
      const server = await startTestRegistry({ "**": { body } });
      const client = clientFor(server.baseUrl);
      const found = await client.skill("abc", undefined, never);
      client.close();
      await server.close();
      assert.ok(found.ok);
      assert.deepEqual(found.value.lossyNumbers, expected);
    }
  });

  it("reports unknown prices for a web page, and no prices for a missing route", async () => {
    for (const [prices, isUnknown] of [
      [{ body: "<html>Sign in</html>" }, true],
      [{ status: 404, body: { error: "Not found." } }, false],
    ] as const) {
      const skill = { body: { version: "1.0.0", inputSchema: {} } };
      const server = await startTestRegistry({
        "/v1/skills/abc": skill,
        "/v1/skills/abc/prices": prices,
      });
      const client = clientFor(server.baseUrl);
      const found = await client.skill("abc", undefined, never);
      client.close();
      await server.close();
      assert.ok(found.ok);
      assert.equal(isPriceUnanswered(found.value), isUnknown);
    }
  });

  it("learns the web application's address from any response, without secrets in a host's name", async () => {
    const key = "skh_0123456789abcdef0123456789abcdef";
    let allowed = "https://registry.example";
    const server = await startTestRegistry({
      "**": () => ({
        status: 404,
        headers: { "access-control-allow-origin": allowed },
        body: {},
      }),
    });
    const redactor = new KeyRedactor();
    redactor.learn(key);
    const client = clientFor(server.baseUrl, { redactor });
    assert.equal(client.webOrigin, undefined);
    await client.ownDetail("abc", never);
    assert.equal(client.webOrigin, "https://registry.example");
    allowed = "*";
    await client.ownDetail("abc", never);
    assert.equal(client.webOrigin, "https://registry.example", "it tells nothing new");
    allowed = `https://${key.replace("_", "-")}.example`;
    redactor.learn(key.replace("_", "-"));
    await client.ownDetail("abc", never);
    assert.equal(client.webOrigin, undefined);
    client.close();
    await server.close();
  });

  const members = (count: number) =>
    Array.from({ length: count }, (_, index) => `"p${index}":true`).join();
  const names = (count: number) => Array(count).fill('"name"').join();
  const sizes: readonly (readonly [string, string, string | undefined])[] = [
    ["20,000 properties", `{"properties":{${members(20_000)}}}`, undefined],
    ["25,000 properties", `{"properties":{${members(25_000)}}}`, "25000 members"],
    [
      "10 properties a definition",
      `{"$defs":[${Array(3000).fill(`{${members(10)}}`)}]}`,
      "25000 members",
    ],
    ["100,000 names", `{"enum":[${names(100_000)}]}`, undefined],
    ["120,000 names", `{"enum":[${names(120_000)}]}`, "120000 values"],
  ];
  for (const [name, schema, limit] of sizes) {
    it(`${limit === undefined ? "reads" : "rejects"} a skill with a schema of ${name}`, async () => {
      const body = `{"version":"1.0.0","inputSchema":${schema}}`;
      const server = await startTestRegistry({ "**": { body } });
      const client = clientFor(server.baseUrl, { maxResponseBytes: 10_000_000 });
      const found = await client.skill("abc", undefined, never);
      client.close();
      await server.close();
      const failure = found.ok ? undefined : found.failure;
      const hit =
        failure?.kind === "tooManyValues" ? `${failure.limit} ${failure.what}` : undefined;
      assert.deepEqual([found.ok, hit], [limit === undefined, limit]);
    });
  }
});
