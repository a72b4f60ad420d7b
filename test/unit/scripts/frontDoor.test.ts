import { strict as assert } from "node:assert";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "mocha";

type OpenFrontDoor = (options: {
  socket: string;
  secret: Buffer;
  port?: number;
  hear?(told: unknown): void;
  editorOf(path: string): ((text: string, authority: string) => string) | undefined;
}) => Promise<{ authority: string; close(): Promise<void> }>;

describe("the front door of the test host", () => {
  let openFrontDoor: OpenFrontDoor;
  let folder: string;
  let behind: Server;
  let door: Awaited<ReturnType<OpenFrontDoor>>;
  const secret = Buffer.alloc(32, 7);
  const heard: unknown[] = [];

  before(async () => {
    openFrontDoor = await loadFrontDoor();
    folder = await mkdtemp(join(tmpdir(), "front-door-"));
    const socket = join(folder, "server.sock");
    behind = createServer((incoming, answer) => answer.end(`<p>${incoming.url}</p>`));
    await once(behind.listen(socket), "listening");
    door = await openFrontDoor({
      socket,
      secret,
      hear: (told) => heard.push(told),
      editorOf: (path) => {
        // The last step before a request is passed on.
        if (path === "/closing") behind.closeIdleConnections();
        return path.startsWith("/?")
          ? (text, authority) => `${text}<i>${authority}</i>`
          : undefined;
      },
    });
  });
  after(async () => {
    await door.close();
    behind.close();
    await rm(folder, { recursive: true });
  });

  it("passes on requests of its own page", async () => {
    assert.deepEqual(await ask("/static/file.js"), { status: 200, body: "<p>/static/file.js</p>" });
  });

  it("passes on requests while the server closes idle connections", async () => {
    await ask("/before");
    assert.deepEqual(await ask("/closing"), { status: 200, body: "<p>/closing</p>" });
  });

  it("edits only the configured responses", async () => {
    const { body } = await ask("/?ew=true");
    assert.equal(body, `<p>/?ew=true</p><i>${door.authority}</i>`);
  });

  it("returns the key for secrets", async () => {
    const { body } = await ask("/mint-key", { method: "POST", origin: `http://${door.authority}` });
    assert.equal(body, secret.toString());
  });

  it("receives a page's message to its host once and completely, and survives invalid JSON", async () => {
    const tell = (body: string) =>
      ask("/tell-host", { method: "POST", origin: `http://${door.authority}` }, body);
    await assert.rejects(tell("[{"));
    assert.deepEqual(await tell('[{ "code": 0 }]'), { status: 200, body: "" });
    assert.deepEqual(heard, [[{ code: 0 }]]);
  });

  for (const headers of [
    { host: "127.0.0.1" },
    { host: "localhost.example:80" },
    { origin: "http://example.com" },
    { origin: "null" },
  ]) {
    it(`rejects ${JSON.stringify(headers)}`, async () => {
      const { status } = await ask("/mint-key", { method: "POST", ...headers });
      assert.equal(status, 403);
      const upgrading = { connection: "upgrade", upgrade: "websocket", ...headers };
      assert.equal((await ask("/", upgrading)).status, 403);
    });
  }

  it("uses another port if the wanted one is taken", async () => {
    const port = Number(door.authority.split(":")[1]);
    const second = await openFrontDoor({ socket: "", secret, port, editorOf: () => undefined });
    assert.notEqual(second.authority, door.authority);
    await second.close();
  });

  async function ask(
    path: string,
    { method = "GET", ...headers }: Record<string, string> = {},
    sent = "",
  ): Promise<{ status: number | undefined; body: string }> {
    const asked = request(`http://${door.authority}${path}`, { method, headers }).end(sent);
    const [answer] = await once(asked, "response");
    let body = "";
    for await (const chunk of answer.setEncoding("utf8")) body += chunk;
    return { status: answer.statusCode, body };
  }
});

async function loadFrontDoor(): Promise<OpenFrontDoor> {
  const module = await import(pathToFileURL(resolve("scripts/editor/frontDoor.mjs")).href);
  return module.openFrontDoor;
}
