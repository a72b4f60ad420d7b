// Writes the JSON Schema Test Suite into test/fixtures/jsonSchemaTestSuite: `node scripts/jsonSchemaSuite.mjs CLONE`,
// where CLONE is a clone of the suite at the commit that the fixture's README names. Each draft becomes one file,
// `{ file: groups }`, with a line for each file of the suite.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./editor/paths.mjs";
import { runQuietly } from "./editor/runQuietly.mjs";

/** The commit of the suite. */
const commit = "44401e0c046704b476ec9d2e2fccdaee618f259d";
const drafts = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"];

const [clone] = process.argv.slice(2);
if (clone === undefined) throw new Error("Name a clone of the JSON Schema Test Suite.");
const git = (...args) => runQuietly("git", ["-C", clone, ...args]);
for (const draft of drafts) {
  const paths = (await git("ls-tree", "-r", "--name-only", commit, `tests/${draft}`)).split("\n");
  const lines = [];
  for (const path of paths.filter((name) => name.endsWith(".json"))) {
    const groups = JSON.parse(await git("show", `${commit}:${path}`));
    // What the reader uses; the rest are links to the specification.
    const kept = groups.map(({ description, schema, tests }) => ({ description, schema, tests }));
    lines.push(`${JSON.stringify(path.slice(`tests/${draft}/`.length))}:${JSON.stringify(kept)}`);
  }
  const file = join(root, "test/fixtures/jsonSchemaTestSuite", `${draft}.json`);
  await writeFile(file, `{\n${lines.join(",\n")}\n}\n`);
}
