import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "mocha";

const own = (name: string) => pathToFileURL(resolve("scripts/node", name)).href;

describe("a script started by an outdated Node.js", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "newer-node-"));
  });
  after(() => rm(folder, { recursive: true }));

  /** Starts a script that at first considers this Node.js outdated, and then runs `rest`. */
  async function start(rest: string): Promise<ChildProcess> {
    const script = join(folder, "script.mjs");
    await writeFile(
      script,
      `import { continueInNewerNode } from ${JSON.stringify(own("continueInNewerNode.mjs"))};
      const version = process.env.TEST_AGAIN === undefined ? "20.19.0" : process.versions.node;
      process.env.TEST_AGAIN = "yes";
      await continueInNewerNode(version);
      ${rest}`,
    );
    return spawn(process.execPath, ["--stack-size=900", script, "two words", "--flag"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
  }

  it("continues in the newer one with its arguments, flags, variables and streams, and ends with its exit code", async () => {
    const child = await start(`
      import { text } from "node:stream/consumers";
      const { execPath, execArgv, argv, env } = process;
      const read = await text(process.stdin);
      console.log(JSON.stringify({ execPath, execArgv, rest: argv.slice(2), path: env.PATH, read }));
      process.exit(7);`);
    child.stdin?.end("typed");
    const [printed, [code]] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      once(child, "exit"),
    ]);
    const { packagedNode } = (await import(own("packagedNode.mjs"))) as {
      packagedNode(folder: string): string;
    };
    const node = packagedNode(resolve("."));
    assert.deepEqual(JSON.parse(printed), {
      execPath: node,
      execArgv: ["--stack-size=900"],
      rest: ["two words", "--flag"],
      path: [dirname(node), process.env["PATH"]].join(delimiter),
      read: "typed",
    });
    assert.equal(code, 7);
  });

  it("receives a signal that is sent to the old one", async () => {
    const child = await start(`
      process.once("SIGTERM", () => process.exit(5));
      setInterval(() => {}, 1000);
      console.log("ready");`);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 5);
  });

  it("ends by the signal that ended it", async () => {
    const child = await start(`
      console.log("ready");
      setInterval(() => {}, 1000);`);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGHUP");
    const [code, signal] = await once(child, "exit");
    assert.deepEqual([code, signal], [null, "SIGHUP"]);
  });
});

describe("the Node.js of the development dependencies", () => {
  const cases: readonly (readonly [version: string, least: string, isAtLeast: boolean])[] = [
    ["22.13.0", "22.13.0", true],
    ["22.13.1", "22.13.0", true],
    ["22.9.0", "22.13.0", false],
    ["23.0.0", "22.13.0", true],
    ["20.20.2", "22.13.0", false],
    ["22.13.0", "22.13.1", false],
  ];
  for (const [version, least, expected] of cases) {
    it(`${version} is ${expected ? "" : "not "}at least ${least}`, async () => {
      const { isAtLeast } = (await import(own("packagedNode.mjs"))) as {
        isAtLeast(version: string, least: string): boolean;
      };
      assert.equal(isAtLeast(version, least), expected);
    });
  }

  it("is one version for every platform, new enough for package.json", async () => {
    const { isAtLeast, oldestNode } = (await import(own("packagedNode.mjs"))) as {
      isAtLeast(version: string, least: string): boolean;
      oldestNode: string;
    };
    const { optionalDependencies } = JSON.parse(
      await readFile("scripts/node/package.json", "utf8"),
    );
    const versions = [...new Set(Object.values<string>(optionalDependencies))];
    assert.equal(versions.length, 1);
    assert.ok(isAtLeast(versions[0] ?? "", oldestNode));
  });
});
