import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { inputLines } from "../../../src/batch/inputLines";

describe("the payloads of a table", () => {
  let folder = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tables-"));
  });

  after(() => rm(folder, { recursive: true }));

  async function payloadsOf(bytes: Buffer | string) {
    const inputs = join(folder, "people.csv");
    await writeFile(inputs, bytes);
    const found: string[] = [];
    const lines = inputLines({
      inputs,
      inputsName: "people.csv",
      shard: undefined,
      again: new Set(),
    });
    for await (const { line, text } of lines) found.push(`${line} ${text}`);
    return found;
  }

  it("are read with any line breaks, also mixed, and a byte order mark", async () => {
    const payloads = [
      '2 {"name":"Ada","note":"a, b"}',
      '3 {"name":"Bob","note":"c\\nd"}',
      '5 {"name":"Eve"}',
    ];
    const lines = ["\uFEFFname,note", 'Ada,"a, b"', 'Bob,"c\nd"', "Eve,", ""];
    for (const end of ["\n", "\r", "\r\n"]) {
      assert.deepEqual(await payloadsOf(lines.join(end)), payloads);
      assert.deepEqual(await payloadsOf(lines.join(end).replace(end, "\r\n")), payloads);
    }
  });

  it("are not sent with replaced characters", async () => {
    const text = Buffer.from("name\nAda\nZürich\n", "latin1");
    await assert.rejects(
      payloadsOf(text),
      /^CommandError: people\.csv:3 could not be read: it is not UTF-8/,
    );
  });
});
