import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { commands } from "../../../src/cli/cli";
import { runCommand } from "../../../src/cli/program/runCommand";
import { echoedForms, keyNeedles } from "../../fixtures/keyForms";
import { httpAnswer, type RawServer, startRawServer } from "../../fixtures/network/rawServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { cliFolder } from "./runTestCli";

const canary = "canarys3cret9f27";

/** Tests a registry that returns a secret, with every end of an invocation. */
describe("the secret of an environment that a registry returns to commands", () => {
  const { path, run, threads } = cliFolder();
  let registry: ForeignRegistry;
  let collector: RawServer;
  const env = () => ({
    SKILL_REGISTRY_URL: registry.baseUrl,
    SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    // CI stores often keep the last line break of a file.
    SKILL_REGISTRY_SECRET_TOKEN: `${canary}\n`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
    CI: "true",
  });

  before(async () => {
    const said = echoedForms(canary);
    const echo = ({ body }: { readonly body: string }) => {
      const text = String(JSON.parse(body).input.text);
      const facts = { invocationId: "inv-1", skillSlug: "word-tally" };
      return text.includes("fails")
        ? { status: 422, body: { ...facts, code: "bad", error: said.join(" ") } as never }
        : { body: { ...facts, status: "success", output: { said } } as never };
    };
    registry = await startForeignRegistry({ dialect: "camel" }, { "/v1/runtime/invoke": echo });
    collector = await startRawServer((socket) => socket.write(httpAnswer(200, "{}")));
    await mkdir(path(".skill-registry"));
    const staging = { registry: registry.baseUrl, secrets: ["token"] };
    const payload = { text: "With {{token}}." };
    const fails = { text: "It fails with {{token}}." };
    const cases = [{ name: "one", payload, expect: { snapshot: true } }];
    for (const [name, value] of [
      [".skill-registry/environments.json", { format: 1, environments: { staging } }],
      ["word-tally.skill-input.json", payload],
      ["fails.json", fails],
      ["a.skill-suite.json", { format: 1, skill: "word-tally", cases }],
    ] as const) {
      await writeFile(path(name), JSON.stringify(value));
    }
    await writeFile(
      path("lines.jsonl"),
      [payload, fails].map((one) => JSON.stringify(one)).join("\n"),
    );
  });
  after(() => Promise.all([registry.close(), collector.close()]));

  it("stands in no output, result, journal, snapshot, report, list or export", async () => {
    const written: string[] = [];
    const wanted = ["--yes", "--keep-texts", "--otlp", "--environment", "staging"];
    for (const [args, ...codes] of [
      [["invoke", "word-tally.skill-input.json", "--format", "json", ...wanted], 0],
      [["invoke", "word-tally", "fails.json", ...wanted], 1],
      [["run", "lines.jsonl", "--skill", "word-tally", "--out", "out.jsonl", ...wanted], 1],
      [
        [
          "test",
          "--live",
          "--update",
          "--report-junit",
          "a.xml",
          "--report-sarif",
          "a.sarif",
          ...wanted,
        ],
        0,
      ],
      [["test", "--live", "--format", "json", ...wanted], 0],
      ...["text", "jsonl", "csv"].map((format) => [["log", "--format", format], 0] as const),
      [["log", "inv-1"], 0, 2],
      [["usage"], 0],
    ] as const) {
      const { code, out, err } = await run(args, env());
      written.push(out, err);
      assert.ok((codes as readonly number[]).includes(code), `${args.join(" ")}: ${code} ${err}`);
    }
    const sent = registry.requests.filter(({ body }) => body.includes(`${canary}.`));
    assert.equal(sent.length, 6);
    const files = await filesBelow(path());
    const names = files.map(({ name }) => name).join();
    assert.match(names, /a\.xml/);
    assert.match(names, /a\.sarif/);
    assert.match(names, /out\.jsonl/);
    assert.match(names, /snap/);
    written.push(...files.map(({ text }) => text), ...collector.requests);
    assert.ok(collector.requests.length > 0);
    assert.ok(written.join().includes("[Secret]"));
    for (const needle of keyNeedles(canary)) {
      const found = written.find((text) => text.includes(needle)) ?? "";
      const at = found.indexOf(needle);
      assert.equal(found.slice(Math.max(0, at - 200), at + 50), "");
    }
  });

  it("is taken out of the message of an unexpected error", async () => {
    let err = "";
    await runCommand(commands, ["--help"], {
      env: env(),
      ...{ cwd: path(), program: [], threads },
      out: () => {
        throw new Error(`About ${canary}`);
      },
      err: (text) => {
        err += text;
      },
      signal: new AbortController().signal,
    });
    assert.match(err, /^An unexpected error occurred: Error: About \[Secret\]/);
  });
});

async function filesBelow(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) => {
      return { name, text: await readFile(join(parentPath, name), "latin1") };
    }),
  );
}
