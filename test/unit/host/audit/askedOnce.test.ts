import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { AskedOnce } from "../../../../src/host/audit/askedOnce";

describe("a question that is asked once", () => {
  it("has one answer for all who ask while it is open, and after", async () => {
    const asked = new AskedOnce<string>();
    const shown: string[] = [];
    let answer: (text: string) => void = () => undefined;
    const question = (name: string) => () => {
      shown.push(name);
      return new Promise<string>((resolve) => {
        answer = resolve;
      });
    };
    const open = [asked.ask("a", question("a")), asked.ask("a", question("a again"))];
    answer("Keep");
    assert.deepEqual(await Promise.all(open), ["Keep", "Keep"]);
    assert.equal(await asked.ask("a", question("a later")), "Keep");
    void asked.ask("b", question("b"));
    assert.deepEqual(shown, ["a", "b"]);
  });
});
