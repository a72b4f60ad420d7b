import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  askInTurn,
  type Submitted,
  submitInBox,
} from "../../../../../src/host/ui/quickInput/quickInput";
import { openInputBox } from "../../../../fixtures/inputBox";

/** Opens a box, with a registry that responds when the test says so. */
function openBox() {
  const { box, type, enter, pressEscape, isDisposed } = openInputBox();
  const texts: string[] = [];
  let signal: AbortSignal | undefined;
  let answer: (answer: Submitted<string>) => void = () => undefined;
  const result = submitInBox<string>(box, {
    problemOf: (text) => (text === "" ? "Enter something." : text === "no" ? "Not no." : ""),
    submit: (text, its) => {
      texts.push(text);
      signal = its;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  const answerWith = async (given: Submitted<string>) => {
    answer(given);
    await new Promise(setImmediate);
  };
  return {
    box,
    result,
    texts,
    type,
    enter,
    pressEscape,
    isDisposed,
    answerWith,
    isAborted: () => signal?.aborted,
  };
}

describe("an input box that submits its text", () => {
  it("shows an error below the text, and accepts another one", async () => {
    const { box, result, texts, enter, answerWith, isDisposed } = openBox();
    enter("wrong");
    assert.ok(box.busy && !box.enabled);
    await answerWith({ ok: false, problem: "Not this one." });
    assert.deepEqual(
      [box.busy, box.enabled, box.validationMessage],
      [false, true, "Not this one."],
    );
    assert.deepEqual([isDisposed(), box.value], [false, "wrong"]);
    enter("right");
    assert.equal(box.validationMessage, undefined);
    await answerWith({ ok: true, value: "done" });
    assert.equal(await result, "done");
    assert.deepEqual([isDisposed(), texts], [true, ["wrong", "right"]]);
  });

  it("shows errors while typing, and never submits them", async () => {
    const { box, result, texts, type, enter, pressEscape } = openBox();
    type("no");
    assert.equal(box.validationMessage, "Not no.");
    type("");
    assert.equal(box.validationMessage, undefined);
    enter("");
    assert.equal(box.validationMessage, "Enter something.");
    pressEscape();
    assert.deepEqual([await result, texts], [undefined, []]);
  });

  it("submits nothing twice while it waits, and stops with Escape", async () => {
    const { result, texts, enter, pressEscape, isDisposed, answerWith, isAborted } = openBox();
    enter("once");
    enter("once");
    assert.deepEqual([texts, isAborted()], [["once"], false]);
    pressEscape();
    assert.ok(isAborted() && isDisposed());
    await answerWith({ ok: true, value: "too late" });
    assert.equal(await result, undefined);
  });
});

describe("a sequence of questions", () => {
  it("goes back with the given answer, and ends when one is canceled", async () => {
    const asked: string[] = [];
    const answers = await askInTurn<[string, string]>(
      async (step, before = "") => {
        asked.push(`first ${before} ${step.back === undefined}`);
        return "a";
      },
      async ({ back }) => {
        asked.push("second");
        return asked.length < 4 ? back?.() : "b";
      },
    );
    assert.deepEqual(
      [answers, asked],
      [
        ["a", "b"],
        ["first  true", "second", "first a true", "second"],
      ],
    );
    assert.equal(
      await askInTurn<[string, string]>(
        async () => "a",
        async () => undefined,
      ),
      undefined,
    );
  });
});
