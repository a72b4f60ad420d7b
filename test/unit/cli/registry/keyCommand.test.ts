import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { mock } from "node:test";
import { after, afterEach, before, describe, it } from "mocha";
import { exitCodes } from "../../../../src/core/findings/report";
import { mockTimeouts } from "../../../fixtures/mockTimeouts";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../../fixtures/registries/foreignRegistry";
import { skipBecause, skipWithout } from "../../../fixtures/tools";
import { buildProgram, cliFolder } from "../runTestCli";

/** Runs a program at a terminal of its own and types the first argument once something is asked. Python. */
const typesAtTerminal = `
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown = b""
while True:
    try:
        part = os.read(terminal, 1024)
    except OSError:
        break
    if not part:
        break
    if b"Password:" not in shown and b"Password:" in shown + part:
        os.write(terminal, (sys.argv[1] + "\\n").encode())
    shown += part
sys.stdout.buffer.write(shown)
`;

describe("The command that prints a Project Key", () => {
  const { run, path } = cliFolder();
  let registry: ForeignRegistry;
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await mkdir(path("machine"), { recursive: true });
  });
  after(() => registry.close());
  const atEnd: (() => unknown)[] = [];
  afterEach(() => {
    for (const end of atEnd.splice(0)) end();
  });

  const print = (text: string) => [
    process.execPath,
    "-e",
    `process.stdout.write(${JSON.stringify(text)})`,
  ];
  const config = async (keyCommand: unknown, origin = registry.baseUrl) => {
    const text = JSON.stringify({ format: 1, registries: { [origin]: { keyCommand } } });
    await writeFile(path("machine/config.json"), text);
    await chmod(path("machine/config.json"), 0o600);
  };
  const invoke = (env: Record<string, string> = {}, ...args: string[]) =>
    run(["invoke", "word-tally", "text=Good morning.", "--yes", ...args], {
      SKILL_REGISTRY_URL: registry.baseUrl,
      ...env,
    });

  const invokeAtTerminal = () =>
    run(
      ["invoke", "word-tally", "text=Good morning.", "--yes"],
      { SKILL_REGISTRY_URL: registry.baseUrl },
      undefined,
      undefined,
      undefined,
      [],
    );

  it("provides a missing key, which is written nowhere", async () => {
    await config(print(`${registry.projectKey}\n`));
    registry.answer("/v1/runtime/invoke", ({ headers }) => ({
      body: { status: "success", output: { sent: headers.authorization } },
    }));
    const { code, out, err } = await invoke();
    registry.restore();
    assert.equal(code, exitCodes.good, err);
    assert.match(out, /Bearer \[Project Key\]/);
    assert.equal(`${out}${err}`.includes(registry.projectKey), false);
  });

  it("is not run if a key is set, if no key is needed, or if it is for another registry", async () => {
    await config(["/does/not/exist"]);
    const set = await invoke({ SKILL_REGISTRY_PROJECT_KEY: registry.projectKey });
    assert.equal(set.code, exitCodes.good, set.err);
    const search = await run(["search"], { SKILL_REGISTRY_URL: registry.baseUrl });
    assert.equal(search.code, exitCodes.good, search.err);
    await config(["/does/not/exist"], "https://registry.example");
    const other = await invoke();
    assert.equal(other.code, exitCodes.broken);
    assert.match(
      other.err,
      /Set SKILL_REGISTRY_PROJECT_KEY .* the keyCommand of your config\.json/s,
    );
  });

  it("runs without a shell", async () => {
    await config(["echo $(id)", "; echo", registry.projectKey]);
    const { code, err } = await invoke();
    assert.equal(code, exitCodes.unknown);
    assert.match(
      err,
      /The keyCommand for http:\/\/127\.0\.0\.1:\d+ in .*config\.json printed no key/,
    );
  });

  for (const [what, keyCommand] of [
    ["prints nothing", print("")],
    ["prints more than a key has", print("a".repeat(5_000))],
    [
      "fails after it printed",
      [process.execPath, "-e", "console.log('sk_proj_secret'); process.exit(1)"],
    ],
    ["is not there", ["/does/not/exist"]],
  ] as const) {
    it(`is reported without its output if it ${what}`, async () => {
      await config(keyCommand);
      const { code, out, err } = await invoke();
      assert.equal(code, exitCodes.unknown);
      assert.match(err, /printed no key/);
      assert.doesNotMatch(`${out}${err}`, /sk_proj_secret|aaaaaa/);
    });
  }

  it("is ended after ten seconds", async () => {
    const held = createServer();
    held.listen(0, "127.0.0.1");
    await once(held, "listening");
    const begun = once(held, "connection");
    const { port } = held.address() as AddressInfo;
    const program = `const c = require("net").connect(${port}, "127.0.0.1"); c.pipe(c)`;
    await config([process.execPath, "-e", program]);
    mockTimeouts();
    atEnd.push(() => mock.timers.reset());
    const running = invoke();
    const [connection] = (await begun) as [Socket];
    atEnd.push(() => connection.destroy());
    held.close();
    const ended = once(connection, "close");
    connection.on("error", () => undefined);
    mock.timers.tick(9_999);
    connection.write("alive?");
    const isAlive = once(connection, "data").then(() => true);
    assert.equal(await Promise.race([isAlive, ended.then(() => false)]), true);
    mock.timers.tick(1);
    const { code, err } = await running;
    assert.equal(code, exitCodes.unknown);
    assert.match(err, /took longer than 10 s/);
    await ended;
  });

  /** Runs a `keyCommand` to its limit. Resolves once the process that it started has ended. */
  const endsAtLimit = async (keyCommand: (connects: string) => string, start: typeof invoke) => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    atEnd.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const connects = `require("net").connect(${port}, "127.0.0.1");`;
    const connected = once(server, "connection") as Promise<[Socket]>;
    await config([process.execPath, "-e", keyCommand(connects)]);
    mockTimeouts();
    atEnd.push(() => mock.timers.reset());
    const running = start();
    const [connection] = await connected;
    connection.on("error", () => undefined);
    const ended = once(connection, "close");
    mock.timers.tick(10_000);
    assert.match((await running).err, /took longer than 10 s/);
    await ended;
  };
  const starts = (program: string, then: string) =>
    `const started = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(program)}], { stdio: "inherit" });${then}`;
  const waits = "setInterval(() => undefined, 60_000);";

  it("is ended with all that it started where nothing can ask a person", async () => {
    const leaves = "started.once('spawn', () => process.exit());";
    await endsAtLimit((connects) => starts(starts(connects, leaves), waits), invoke);
  });

  it("is ended with its descendants at a terminal", async function () {
    if (process.platform !== "linux") skipBecause(this, "without /proc");
    await endsAtLimit((connects) => starts(starts(connects, waits), waits), invokeAtTerminal);
  });

  it("asks for a password at a terminal", async function () {
    const python = skipWithout(this, "Python 3.11");
    // It closes its output some time before it ends: the command line must not end in between.
    const asks =
      "printf Password: >/dev/tty; read -r key </dev/tty; printf %s $key; exec sleep 0.1 >&-";
    await config(["/bin/sh", "-c", asks]);
    const program = [process.execPath, await buildProgram(), "invoke", "word-tally", "text=Hi."];
    const env = {
      PATH: process.env["PATH"],
      SKILL_REGISTRY_URL: registry.baseUrl,
      SKILL_REGISTRY_HOME: path("machine"),
    };
    const typing = spawn(
      python,
      ["-c", typesAtTerminal, registry.projectKey, ...program, "--yes"],
      {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let shown = "";
    typing.stdout.on("data", (part: Buffer) => {
      shown += part.toString("utf8");
    });
    await once(typing, "close");
    assert.match(shown, /Password:/);
    assert.equal(registry.requests.at(-1)?.headers.authorization, `Bearer ${registry.projectKey}`);
  });

  it("ends although a process that it started keeps its output open", async () => {
    const started = "setTimeout(() => undefined, 60_000)";
    const program = `
      const { pid } = require("child_process").spawn(process.execPath, ["-e", "${started}"], { stdio: "inherit" });
      require("fs").writeFileSync(${JSON.stringify(path("pid"))}, String(pid));
      process.stdout.write(${JSON.stringify(registry.projectKey)});
      process.exit();`;
    await config([process.execPath, "-e", program]);
    const { code, err } = await invoke();
    process.kill(Number(await readFile(path("pid"), "utf8")));
    assert.equal(code, exitCodes.good, err);
  });

  for (const relative of ["./getkey", "bin/getkey", "..\\getkey"]) {
    it(`is rejected if it is a relative path: ${relative}`, async () => {
      await config([relative]);
      const { code, err } = await invoke();
      assert.equal(code, exitCodes.broken);
      assert.match(err, /keyCommand of .* is a relative path\. Write an absolute one/);
    });
  }

  it("runs no program of the folder in which the command was started", async () => {
    const folder = dirname(process.execPath);
    await config([basename(process.execPath), "-p", "process.cwd()"]);
    await invoke({ PATH: folder });
    const sent = registry.requests.map(({ headers }) => headers.authorization).join();
    assert.ok(sent.includes(`Bearer ${path("machine")}`), sent);
  });

  for (const [what, keyCommand] of [
    ["is a text", "op read op://key"],
    ["is an empty list", []],
    ["has a number", ["op", 5]],
  ] as const) {
    it(`is rejected if it ${what}`, async () => {
      await config(keyCommand);
      const { code, err } = await invoke();
      assert.equal(code, exitCodes.broken);
      assert.match(err, /keyCommand of .* is no list of texts/);
    });
  }

  it("does not count in a folder that others may write", async () => {
    await config(print(registry.projectKey));
    await chmod(path("machine"), 0o777);
    const { code, err } = await invoke();
    await chmod(path("machine"), 0o700);
    assert.equal(code, exitCodes.broken);
    assert.match(err, /config\.json is not used: others may write it or its folder/);
  });

  it("does not count in a file that others may write, or in an invalid one", async () => {
    await config(print(registry.projectKey));
    await chmod(path("machine/config.json"), 0o620);
    const open = await invoke();
    assert.equal(open.code, exitCodes.broken);
    assert.match(open.err, /config\.json is not used: others may write it/);
    await writeFile(path("machine/config.json"), "{");
    await chmod(path("machine/config.json"), 0o600);
    assert.match((await invoke()).err, /it has no "format": 1/);
  });

  it("provides its key to its own registry only", async () => {
    const foreign = await startForeignRegistry({ dialect: "camel" });
    await config(print(registry.projectKey));
    const { code } = await invoke({ SKILL_REGISTRY_URL: foreign.baseUrl });
    assert.equal(code, exitCodes.broken);
    assert.equal(JSON.stringify(foreign.requests).includes(registry.projectKey), false);
    await foreign.close();
  });
});
