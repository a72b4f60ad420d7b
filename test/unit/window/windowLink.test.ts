import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { mock } from "node:test";
import { promisify } from "node:util";
import { afterEach, describe, it } from "mocha";
import { type Link, linkOver } from "../../../src/window/link";
import { proofOf } from "../../../src/window/proof";
import {
  hello,
  type Method,
  maxMessageBytes,
  prove,
  windowEnvironment,
} from "../../../src/window/protocol";
import {
  createListenAddress,
  newToken,
  readWindowAddress,
  writeWindowAddress,
} from "../../../src/window/windowAddress";
import { connectToWindow } from "../../../src/window/windowClient";
import { listenForCommands } from "../../../src/window/windowServer";
import { mockTimeouts } from "../../fixtures/mockTimeouts";
import { tapSocket } from "../../fixtures/network/socketTap";
import { skipUnlessOthersRunNode } from "../../fixtures/tools";

const echo: Method<{ readonly text: string }, number> = { name: "echo" };

describe("A window that listens to commands", () => {
  const atEnd: (() => unknown)[] = [];
  afterEach(async () => {
    mock.timers.reset();
    for (const end of atEnd.splice(0).reverse()) await end();
  });
  const listen = async () => {
    const served: Link[] = [];
    const server = await listenForCommands(async (link) => {
      served.push(link);
      link.onRequest(windowEnvironment, () => ({ ok: false as const, problem: "none" }));
      link.onRequest(echo, ({ text }) => text.length);
    });
    atEnd.push(() => server.close());
    const address = readWindowAddress(server.variable);
    assert.ok(address);
    return { ...server, ...address, served };
  };
  const rawLink = (path: string) => {
    const socket = createConnection(path);
    const link = linkOver(socket);
    link.listen();
    atEnd.push(() => link.close());
    return { ...link, socket };
  };
  const proofFor = async ({ sendRequest }: Pick<Link, "sendRequest">, token: string) => {
    const { nonce } = await sendRequest(hello, { protocol: 1, nonce: "a" });
    return { proof: proofOf("command", token, { window: nonce, command: "a" }) };
  };
  const ended = (socket: Socket) =>
    new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      socket.once("close", () => resolve());
    });

  it("answers a command that knows the token", async () => {
    const { variable, served } = await listen();
    const window = await connectToWindow(variable);
    assert.ok(typeof window === "object");
    atEnd.push(() => window.close());
    assert.deepEqual(await window.environment(), { ok: false, problem: "none" });
    assert.equal(served.length, 1);
  });

  it("never sends the token, nor does a command", async () => {
    const { path, token, variable } = await listen();
    const tap = await tapSocket(path);
    atEnd.push(() => tap.close());
    const window = await connectToWindow(writeWindowAddress({ path: tap.path, token }));
    assert.ok(typeof window === "object", variable);
    await window.environment();
    window.close();
    const said = tap.said();
    assert.match(said, /"method":"prove"/);
    assert.equal(said.includes(token), false);
  });

  it("cannot be reached by another user, whatever the socket itself allows", async function () {
    skipUnlessOthersRunNode(this, 65_534);
    const { path } = await listen();
    // As on a system where everybody can access new files.
    await chmod(path, 0o777);
    const knock = `const socket = require("net").connect(process.argv[1]);
      const end = (text) => { console.log(text); process.exit(); };
      socket.on("connect", () => end("connected")).on("error", ({ code }) => end(code));`;
    const knocking = [{}, { uid: 65_534, gid: 65_534, cwd: "/" }].map(async (user) =>
      (await promisify(execFile)(process.execPath, ["-e", knock, path], user)).stdout.trim(),
    );
    assert.deepEqual(await Promise.all(knocking), ["connected", "EACCES"]);
  });

  it("answers nothing before the proof", async () => {
    const { path } = await listen();
    const { sendRequest } = rawLink(path);
    await assert.rejects(sendRequest(windowEnvironment, {}));
    await sendRequest(hello, { protocol: 1, nonce: "a" });
    await assert.rejects(sendRequest(windowEnvironment, {}));
  });

  it("rejects a wrong, foreign or old token, each after one try", async () => {
    const [first, second] = [await listen(), await listen()];
    const old = await listen();
    await old.close();
    const { path } = first;
    for (const token of [newToken(), second.token, old.token]) {
      const link = rawLink(path);
      await link.sendRequest(prove, await proofFor(link, token)).catch(() => undefined);
      await ended(link.socket);
    }
    assert.equal(first.served.length, 0);
  });

  it("rejects a second proof, and a reflected one", async () => {
    const { path, token, served } = await listen();
    const reflected = rawLink(path);
    const { proof } = await reflected.sendRequest(hello, { protocol: 1, nonce: "a" });
    await reflected.sendRequest(prove, { proof }).catch(() => undefined);
    await ended(reflected.socket);
    const twice = rawLink(path);
    const right = await proofFor(twice, token);
    assert.equal(await twice.sendRequest(prove, right), true);
    await twice.sendRequest(prove, right).catch(() => undefined);
    await ended(twice.socket);
    assert.equal(served.length, 1);
  });

  it("waits ten seconds for the proof, and no longer", async () => {
    mockTimeouts();
    const { path } = await listen();
    const { sendRequest, socket } = rawLink(path);
    await sendRequest(hello, { protocol: 1, nonce: "a" });
    mock.timers.tick(9_999);
    await assert.rejects(sendRequest(windowEnvironment, {}));
    assert.equal(socket.destroyed, false);
    mock.timers.tick(1);
    await ended(socket);
  });

  it("rejects a second greeting at once", async () => {
    // Without a passing clock, nobody is rejected for being late.
    mockTimeouts();
    const { path } = await listen();
    const { sendRequest, socket } = rawLink(path);
    await sendRequest(hello, { protocol: 1, nonce: "a" });
    await sendRequest(hello, { protocol: 1, nonce: "b" }).catch(() => undefined);
    await ended(socket);
  });

  it("serves sixty-four commands at once, and replaces the oldest without a proof", async () => {
    mockTimeouts();
    const { path, variable } = await listen();
    const proven = await connectToWindow(variable);
    assert.ok(typeof proven === "object");
    const silent: Socket[] = [];
    for (let index = 0; index < 63; index += 1) {
      const { socket } = rawLink(path);
      await once(socket, "connect");
      silent.push(socket);
    }
    const late = await connectToWindow(variable);
    assert.ok(typeof late === "object");
    const [oldest, second] = silent;
    assert.ok(oldest && second);
    await ended(oldest);
    assert.equal(second.destroyed, false);
    assert.equal((await Promise.all([proven.environment(), late.environment()])).length, 2);
    const others = await Promise.all(Array.from({ length: 62 }, () => connectToWindow(variable)));
    assert.deepEqual(new Set(others.map((other) => typeof other)), new Set(["object"]));
    // All sixty-four have proved themselves, so the next one is not served.
    assert.equal(await connectToWindow(variable), "gone");
  });

  it("is silent for a command if it accepts and never says anything", async () => {
    mockTimeouts();
    const { path } = await createListenAddress();
    const greeted = new Promise<void>((resolve) => {
      const frozen = createServer((socket) => socket.once("data", () => resolve()));
      frozen.listen(path);
      atEnd.push(() => frozen.close());
    });
    const found = connectToWindow(writeWindowAddress({ path, token: newToken() }));
    await greeted;
    mock.timers.tick(10_000);
    assert.equal(await found, "silent");
  });

  it("is silent for a command that waits if it stops answering after the proof", async () => {
    const { variable, path, token, served } = await listen();
    const tap = await tapSocket(path);
    atEnd.push(() => tap.close());
    mockTimeouts();
    const window = await connectToWindow(writeWindowAddress({ path: tap.path, token }));
    assert.ok(typeof window === "object", variable);
    await window.environment();
    const asked = new Promise<void>((resolve) => {
      served[0]?.onRequest(windowEnvironment, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    const waiting = window.environment();
    await asked;
    tap.freeze();
    for (const _ of [1, 2, 3]) mock.timers.tick(10_000);
    assert.equal(window.isGone, false);
    mock.timers.tick(10_000);
    assert.equal(await waiting, "silent");
  });

  it("ends a command that it waits for and that stops answering, and no suspended one", async () => {
    const { path, token, served } = await listen();
    mockTimeouts();
    // A socket without a reader: nothing answers for it.
    const socket = createConnection(path);
    atEnd.push(() => socket.destroy());
    const link = linkOver(socket);
    link.listen();
    await link.sendRequest(prove, await proofFor(link, token));
    socket.pause();
    const [own] = served;
    assert.ok(own);
    for (const _ of [1, 2, 3, 4, 5]) mock.timers.tick(10_000);
    assert.equal(own.closed.aborted, false);
    const waiting = own.sendRequest(echo, { text: "a" });
    for (const _ of [1, 2, 3, 4]) mock.timers.tick(10_000);
    await assert.rejects(waiting);
    assert.equal(own.end(), "silent");
  });

  it("keeps a command that waits for an hour while both sides are there", async () => {
    const { variable, served } = await listen();
    mockTimeouts();
    const window = await connectToWindow(variable);
    assert.ok(typeof window === "object");
    atEnd.push(() => window.close());
    const [own] = served;
    assert.ok(own);
    let answer = (_: { ok: false; problem: string }): void => undefined;
    const asked = new Promise<void>((resolve) => {
      own.onRequest(windowEnvironment, () => {
        resolve();
        return new Promise((then) => {
          answer = then;
        });
      });
    });
    const waiting = window.environment();
    await asked;
    for (let beat = 0; beat < 360; beat += 1) {
      mock.timers.tick(10_000);
      // A round trip of the other direction comes after the answer to the beat.
      await own.sendRequest({ name: "none" }, {}).catch(() => undefined);
    }
    answer({ ok: false, problem: "late" });
    assert.deepEqual(await waiting, { ok: false, problem: "late" });
  });

  it("disconnects if an answer is too long, and writes nothing of it", async () => {
    const { path, token, served } = await listen();
    const link = rawLink(path);
    const { socket } = link;
    await link.sendRequest(prove, await proofFor(link, token));
    const long: Method<object, string> = { name: "long" };
    served[0]?.onRequest(long, () => "a".repeat(maxMessageBytes));
    const before = socket.bytesRead;
    await assert.rejects(link.sendRequest(long, {}));
    assert.equal(socket.bytesRead, before);
  });

  it("is not asked if others may enter its folder, or it has another version of the protocol", async () => {
    const { path, variable } = await listen();
    await chmod(dirname(path), 0o755);
    assert.equal(await connectToWindow(variable), "foreign");
    const own = await createListenAddress();
    const token = newToken();
    const later = createServer((socket) => {
      const link = linkOver(socket);
      link.onRequest(hello, ({ nonce }) => {
        const proof = proofOf("window", token, { window: "b", command: nonce });
        return { protocol: 2, nonce: "b", proof };
      });
      link.onRequest(prove, () => true);
      link.listen();
    });
    later.listen(own.path);
    await once(later, "listening");
    atEnd.push(() => later.close());
    const found = await connectToWindow(writeWindowAddress({ path: own.path, token }));
    if (typeof found === "object") atEnd.push(() => found.close());
    assert.equal(found, "otherVersion");
  });

  it("is not trusted without proving to know the token too", async () => {
    const { path } = await createListenAddress();
    const told: unknown[] = [];
    const impostor = createServer((socket) => {
      const link = linkOver(socket);
      link.onRequest(hello, () => ({ protocol: 1, nonce: "a", proof: "b".repeat(64) }));
      link.onRequest(prove, (given) => {
        told.push(given);
        return true;
      });
      link.listen();
    });
    impostor.listen(path);
    await once(impostor, "listening");
    atEnd.push(() => impostor.close());
    const found = await connectToWindow(writeWindowAddress({ path, token: newToken() }));
    assert.equal(found, "foreign");
    assert.deepEqual(told, []);
  });

  it("is gone for a command after it closed", async () => {
    const { variable, close } = await listen();
    const window = await connectToWindow(variable);
    assert.ok(typeof window === "object");
    await close();
    assert.equal(await window.environment(), "gone");
    assert.equal(await connectToWindow(variable), "gone");
  });

  it("is gone for a command whose connection ends at once", async () => {
    const { path } = await createListenAddress();
    const closing = createServer((socket) => socket.destroy());
    closing.listen(path);
    await once(closing, "listening");
    atEnd.push(() => closing.close());
    const variable = writeWindowAddress({ path, token: newToken() });
    const found = await Promise.all(Array.from({ length: 20 }, () => connectToWindow(variable)));
    assert.deepEqual(new Set(found), new Set(["gone"]));
  });

  it("reads no message of a gigabyte, before and after the proof", async () => {
    const { path, token } = await listen();
    for (const isProven of [false, true]) {
      const link = rawLink(path);
      const { socket } = link;
      if (isProven) await link.sendRequest(prove, await proofFor(link, token));
      const end = ended(socket);
      let written = 0;
      socket.write("Content-Length: 1000000000\r\n\r\n");
      const piece = Buffer.alloc(1_000_000, "a");
      const write = () => {
        while (!socket.destroyed && written < 1_000_000_000) {
          written += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on("drain", write);
      write();
      await end;
      // The system's own buffers between both sides add to this.
      assert.ok(written < 3 * maxMessageBytes, `${written} bytes were taken`);
    }
  });

  it("reads no endless header", async () => {
    const { path } = await listen();
    const { socket } = rawLink(path);
    const end = ended(socket);
    const piece = "a".repeat(1_000_000);
    socket.on("drain", () => socket.write(piece));
    socket.write(piece.repeat(2));
    await end;
  });

  it("disconnects after an invalid message, and serves others", async () => {
    const { path, variable } = await listen();
    const { socket } = rawLink(path);
    const end = ended(socket);
    socket.write("Content-Length: 5\r\n\r\n{abc}");
    await end;
    const window = await connectToWindow(variable);
    assert.ok(typeof window === "object");
    window.close();
  });

  it("accepts many long messages at once", async () => {
    const { path, token } = await listen();
    const link = rawLink(path);
    await link.sendRequest(prove, await proofFor(link, token));
    const text = "a".repeat(3_000_000);
    const lengths = await Promise.all(
      Array.from({ length: 10 }, () => link.sendRequest(echo, { text })),
    );
    assert.deepEqual(new Set(lengths), new Set([text.length]));
  });
});
