import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { before, describe, it } from "mocha";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";
import { driftingCli } from "../driftingCli";
import { buildProgram } from "../runTestCli";

describe("the command line", () => {
  const bench = driftingCli();
  const { folder, run } = bench;

  describe("validate", () => {
    before(async () => {
      await mkdir(folder.path("data/node_modules"), { recursive: true });
      const write = (name: string, text: string) => writeFile(folder.path(`data/${name}`), text);
      await write("text-stats.skill-input.json", '{ "text": "a" }');
      await write("text-stats.bad.skill-input.json", '{\n  "text": 1,\n  "topWord": 2\n}\n');
      await write("node_modules/text-stats.skill-input.json", "[");
      await write("other.json", "[1]");
    });

    it("prints file, line, column, problem and keyword", async () => {
      const { code, out } = await run("validate", "data");
      assert.equal(code, 1);
      assert.match(out, /^data\/text-stats\.bad\.skill-input\.json:2:11: error: .* \(type\)$/m);
      assert.match(
        out,
        /^data\/text-stats\.bad\.skill-input\.json:3:3: error: .* \(additionalProperties\)$/m,
      );
      assert.match(out, /\n1 passed, 1 with findings\.\n$/);
    });

    it("writes annotations at line and column", async () => {
      const { out } = await run("validate", "data", "--format", "github");
      assert.match(
        out,
        /^::error file=data\/text-stats\.bad\.skill-input\.json,line=2,col=11,endLine=2,endColumn=12,title=type::/m,
      );
      const sarif = JSON.parse((await run("validate", "data", "--format", "sarif")).out);
      assert.deepEqual(sarif.runs[0].results[0].locations[0].physicalLocation.region, {
        startLine: 2,
        startColumn: 11,
        endLine: 2,
        endColumn: 12,
      });
    });

    it("writes annotations relative to the repository, from any folder", async () => {
      await mkdir(folder.path(".git"));
      const below = (format: string) =>
        folder.run(
          ["validate", ".", "--format", format, "--registry", bench.registry.url],
          {},
          undefined,
          "data",
        );
      const [github, sarif, text] = await Promise.all(["github", "sarif", "text"].map(below));
      await rm(folder.path(".git"), { recursive: true });
      assert.match(github?.out ?? "", /^::error file=data\/text-stats\.bad\.skill-input\.json,/m);
      const [first] = JSON.parse(sarif?.out ?? "").runs[0].results;
      assert.equal(
        first.locations[0].physicalLocation.artifactLocation.uri,
        "data/text-stats.bad.skill-input.json",
      );
      assert.match(text?.out ?? "", /^text-stats\.bad\.skill-input\.json:2:11: /m);
    });

    it("requests the skill alone, since only its schema is needed", async () => {
      const runtime = { type: "http", entrypoint: "https://run.example/" };
      const schemas = { inputSchema: { type: "object" }, outputSchema: true };
      const server = await startTestRegistry({
        "/v1/skills/text-stats": {
          body: { name: "text-stats", version: "1.0.0", runtime, ...schemas },
        },
        "**": "never",
      });
      const file = "data/text-stats.skill-input.json";
      const { code } = await folder.run(["validate", file, "--registry", server.baseUrl]);
      await server.close();
      const asked = server.requests.map(({ path }) => path);
      assert.deepEqual([code, asked], [0, ["/v1/skills/text-stats"]]);
    });

    it("reads the standard input for a named skill", async () => {
      const unnamed = await run("validate", "-");
      assert.equal(unnamed.code, 2);
      assert.match(unnamed.err, /^Name the skill of the standard input with --skill\./);
      const program = await buildProgram();
      const check = (input: string, ...more: string[]) => {
        const args = [program, "validate", "-", "--skill", "text-stats", "--registry", "built-in"];
        return spawnSync(process.execPath, [...args, ...more], { input, encoding: "utf8" });
      };
      assert.equal(check('{"text":"a"}').status, 0);
      const wrong = check('{"text":1}', "--format", "github");
      assert.equal(wrong.status, 1);
      assert.match(wrong.stdout, /^::error line=1,col=9,/);
    });

    const states: readonly (readonly [args: string[], code: number])[] = [
      [["data/*stats.skill-input.json"], 0],
      [["data/text-stats.skill-input.json"], 0],
      [["data/other.json"], 2],
      [["data/other.json", "--skill", "text-stats"], 1],
      [["data/other.json", "--skill", "no-such-skill"], 3],
      [["data/node_modules/text-stats.skill-input.json"], 1],
      [["."], 1],
      [["data", "--offline"], 2],
    ];
    for (const [args, code] of states) {
      it(`ends with ${code} for ${args.join(" ")}`, async () => {
        assert.equal((await run("validate", ...args)).code, code);
      });
    }

    for (const [what, bytes] of [
      [":1:1: error: data/lines.json looks like CSV", Buffer.from("name,age\nAda,36\n")],
      ["compressed with gzip", gzipSync('{"text":"a"}')],
      ["UTF-16 text", Buffer.from('\uFEFF{"text":"a"}', "utf16le")],
      [
        ":2:1: error: data/lines.json has several JSON values",
        Buffer.from('{"text":"a"}\n{"text":"b"}\n'),
      ],
    ] as const) {
      it(`names a file of another format in one sentence: ${what}`, async () => {
        await writeFile(folder.path("data/lines.json"), bytes);
        const { code, out } = await run("validate", "data/lines.json", "--skill", "text-stats");
        await rm(folder.path("data/lines.json"));
        assert.equal(code, 2);
        const [line = "", ...others] = out.trim().split("\n");
        assert.ok(line.includes(what), out);
        assert.deepEqual(others, ["1 broken."]);
      });
    }

    it("names a skill that the registry does not have, as the editor does", async () => {
      const { out } = await run("validate", "data/other.json", "--skill", "no-such-skill");
      assert.match(out, /: This registry has no skill “no-such-skill”\. \(unchecked\)/);
    });

    it("names the command that checks a suite", async () => {
      await writeFile(folder.path("data/a.skill-suite.json"), "{}");
      const { code, out } = await run("validate", "data/a.skill-suite.json");
      await rm(folder.path("data/a.skill-suite.json"));
      assert.equal(code, 2);
      assert.match(out, /This is a suite\. Check it with `skill-registry test`\. \(file\)/);
    });

    it("uses the schema of the reviewed contract if the registry is unreachable", async () => {
      assert.equal((await run("review", "text-stats", "--who", "Ann")).code, 0);
      const { code, out } = await folder.run(["validate", "data", "--offline"], {
        SKILL_REGISTRY_URL: "http://127.0.0.1:1",
      });
      assert.equal(code, 1);
      assert.match(out, /\(additionalProperties\)/);
    });
  });
});
