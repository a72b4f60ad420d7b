import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { clientFor, never } from "../../fixtures/clientFor";
import { httpAnswer, startRawServer } from "../../fixtures/rawServer";

describe("RegistryClient", () => {
  for (const baseUrl of [
    "http://registry.example",
    "https://a:b@registry.example",
    "registry",
    "",
  ]) {
    it(`is not made for ${JSON.stringify(baseUrl)}`, () => {
      assert.throws(() => clientFor(baseUrl), TypeError);
    });
  }

  it("tells which numbers of a skill lost digits when they were read", async () => {
    const body = '{"version":"1.0.0","inputSchema":{"maximum":9007199254740993}}';
    for (const [text, expected] of [
      [body, [2 ** 53]],
      [body.replace("93}", "92}"), undefined],
    ] as const) {
      const server = await startRawServer((socket) => socket.write(httpAnswer(200, text)));
      const client = clientFor(server.baseUrl);
      const found = await client.skill("abc", undefined, never);
      client.close();
      await server.close();
      assert.ok(found.ok);
      assert.deepEqual(found.value.lossyNumbers, expected);
    }
  });
});
