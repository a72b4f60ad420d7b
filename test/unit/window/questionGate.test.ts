import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { QuestionGate } from "../../../src/window/questionGate";

const isNo = (answer: string) => answer === "no";

describe("The questions of terminals", () => {
  const gateAt = () => {
    const clock = { now: 0 };
    const asked: ((answer: string) => void)[] = [];
    const gate = new QuestionGate(() => clock.now);
    const ask = () => gate.ask(() => new Promise<string>((answer) => asked.push(answer)), isNo);
    return { clock, asked, gate, ask };
  };

  it("are shown one after the other", async () => {
    const { asked, ask } = gateAt();
    const [first, second] = [ask(), ask()];
    assert.equal(asked.length, 1);
    asked[0]?.("yes");
    assert.equal(await first, "yes");
    await new Promise(setImmediate);
    assert.equal(asked.length, 2);
    asked[1]?.("yes");
    assert.equal(await second, "yes");
  });

  it("are shown as one if a hundred arrive and the answer is no", async () => {
    const { asked, ask } = gateAt();
    const all = Array.from({ length: 100 }, () => ask());
    asked[0]?.("no");
    const answers = await Promise.all(all);
    assert.equal(asked.length, 1);
    assert.deepEqual(
      answers.slice(1),
      Array.from({ length: 99 }, () => "refused"),
    );
    assert.equal(await ask(), "refused");
  });

  it("are refused if twenty are already waiting", async () => {
    const { asked, ask } = gateAt();
    const all = Array.from({ length: 20 }, () => ask());
    assert.equal(await ask(), "refused");
    for (const answered of all) {
      asked.at(-1)?.("yes");
      assert.equal(await answered, "yes");
      await new Promise(setImmediate);
    }
    assert.equal(asked.length, 20);
  });

  it("are shown again a minute after the last refused one", async () => {
    const { clock, asked, ask } = gateAt();
    const first = ask();
    asked[0]?.("no");
    await first;
    clock.now = 59_999;
    assert.equal(await ask(), "refused");
    clock.now += 59_999;
    assert.equal(await ask(), "refused");
    clock.now += 60_000;
    const again = ask();
    asked[1]?.("yes");
    assert.equal(await again, "yes");
  });

  it("continue after a failed one", async () => {
    const { gate, asked, ask } = gateAt();
    await assert.rejects(gate.ask(() => Promise.reject<string>(new Error("closed")), isNo));
    const next = ask();
    asked[0]?.("yes");
    assert.equal(await next, "yes");
  });

  it("are not shown after a no elsewhere", async () => {
    const { gate, ask } = gateAt();
    gate.close();
    assert.equal(await ask(), "refused");
  });
});
