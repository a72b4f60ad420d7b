import { strict as assert } from "node:assert";
import { mkdir, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";
import { cliFolder } from "../runTestCli";

const good = catalog.find(({ slug }) => slug === "text-stats")?.releases[0].manifest;
const broken = { ...good, version: "1", permissions: { ...good?.permissions, secrets: ["*"] } };

describe("skill-registry manifest check", () => {
  const { run, path } = cliFolder();
  const write = (name: string, manifest: unknown) =>
    writeFile(path(name), `${JSON.stringify(manifest, undefined, 2)}\n`);

  it("finds nothing in a valid manifest of the folder", async () => {
    await write("skillhub.json", good);
    assert.deepEqual(await run(["manifest", "check"]), { code: 0, out: "1 passed.\n", err: "" });
  });

  it("reports the place and rule of each finding, and ends with 1", async () => {
    await mkdir(path("skill"));
    await write("skill/skillhub.json", broken);
    const { code, out } = await run(["manifest", "check", "skill"]);
    const lines = out.split("\n").map((line) => line.replace(/: .*\((.*)\)$/, " $1"));
    assert.deepEqual(
      [code, lines],
      [
        1,
        [
          "skill/skillhub.json:5:14 version",
          "skill/skillhub.json:24:16 review-high",
          "skill/skillhub.json:25:7 review-secret",
          "1 with findings.",
          "",
        ],
      ],
    );
  });

  for (const [format, told] of Object.entries({
    json: /"rule": "review-secret"/,
    sarif: /"ruleId": "review-secret"/,
    junit: /<testsuite .*failures="1"/,
    github: /^::error file=skill\/skillhub\.json,line=25/m,
  })) {
    it(`writes its findings as ${format}`, async () => {
      const { code, out } = await run(["manifest", "check", "skill", "--format", format]);
      assert.equal(code, 1);
      assert.match(out, told);
    });
  }

  it("ends with 4 in a folder without a manifest", async () => {
    await mkdir(path("empty"));
    const { code, out } = await run(["manifest", "check", "empty"]);
    assert.deepEqual([code, out], [4, "No skillhub.json files in empty.\n"]);
  });

  it("ends with 2 if the file is missing, or nothing is requested", async () => {
    const codes = [["manifest", "check", "nowhere.json"], ["manifest"], ["manifest", "publish"]];
    const ends = await Promise.all(codes.map((args) => run(args)));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [2, 2, 2],
    );
  });
});
