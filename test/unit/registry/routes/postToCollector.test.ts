import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { postToCollector } from "../../../../src/registry/routes/postToCollector";
import { httpAnswer, startRawServer } from "../../../fixtures/network/rawServer";
import { never, plainNetwork } from "../../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";

describe("A hostile collector of the audit export", () => {
  const credential = "Basic b25seS1mb3ItdGhlLWNvbGxlY3Rvcg==";
  const answers: readonly (readonly [
    title: string,
    answer: Buffer,
    kind: string,
    status?: number,
  ])[] = [
    [
      "counts as having answered with megabytes",
      httpAnswer(200, "x".repeat(5_000_000)),
      "answered",
      200,
    ],
    [
      "counts as having answered even if its response breaks off",
      Buffer.from("HTTP/1.1 202 OK\r\ncontent-length: 99\r\n\r\n{"),
      "answered",
      202,
    ],
    ["counts as failed if it speaks no HTTP", Buffer.from("220 ready\r\n\r\n"), "failed"],
    [
      "gets no second request with the headers after a redirect",
      httpAnswer(307, "", { location: "/elsewhere" }),
      "answered",
      307,
    ],
    [
      "gets no second request after a deeply nested response",
      httpAnswer(200, "[".repeat(60_000)),
      "answered",
      200,
    ],
  ];
  for (const [title, answer, kind, status] of answers) {
    it(title, async () => {
      const server = await startRawServer((socket) => void socket.end(answer));
      const target = {
        url: `${server.baseUrl}/v1/logs`,
        headers: { authorization: credential },
        timeoutSeconds: 5,
        isCompressed: false,
      };
      const got = await postToCollector(target, {}, plainNetwork, never);
      assert.deepEqual(
        [got.kind, got.kind === "answered" ? got.status : undefined],
        [kind, status],
      );
      assert.equal(server.requests.length, 1);
      await server.quiet();
      await server.close();
    });
  }

  it("gets a compressed body if the variables say so", async () => {
    const server = await startTestRegistry({ "**": { body: {} } });
    const target = { headers: {}, timeoutSeconds: 5, isCompressed: true };
    const url = `${server.baseUrl}/v1/logs`;
    await postToCollector({ ...target, url }, { a: 1 }, plainNetwork, never);
    assert.equal(server.requests[0]?.headers["content-encoding"], "gzip");
    await server.close();
  });
});
