import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { ChangeEvent } from "../../../../src/engine/changeEvent";
import {
  askInTurn,
  type Submitted,
  type SubmittingBox,
  submitInBox,
} from "../../../../src/host/ui/quickInput/quickInput";

/** A box, and a registry that answers when the test says so. */
function openBox() {
  const changed = new ChangeEvent<string>();
  const accepted = new ChangeEvent<void>();
  const hidden = new ChangeEvent<void>();
  const seen = { isDisposed: false, texts: [] as string[] };
  const box = {
    value: "",
    enabled: true,
    busy: false,
    onDidChangeValue: changed.event,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    show: () => undefined,
    dispose: () => {
      const isNew = !seen.isDisposed;
      seen.isDisposed = true;
      // A box that is open is hidden by that.
      if (isNew) hidden.fire();
    },
  } as unknown as SubmittingBox;
  let signal: AbortSignal | undefined;
  let answer: (answer: Submitted<string>) => void = () => undefined;
  const result = submitInBox<string>(box, {
    problemOf: (text) => (text === "" ? "Enter something." : text === "no" ? "Not no." : ""),
    submit: (text, its) => {
      seen.texts.push(text);
      signal = its;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  const type = (text: string) => {
    box.value = text;
    changed.fire(text);
  };
  const enter = (text: string) => {
    type(text);
    accepted.fire();
  };
  const answerWith = async (given: Submitted<string>) => {
    answer(given);
    await new Promise(setImmediate);
  };
  return {
    box,
    result,
    seen,
    type,
    enter,
    answerWith,
    hide: hidden,
    isAborted: () => signal?.aborted,
  };
}

describe("a box that sends its text", () => {
  it("shows what was wrong below the text, and takes the next one", async () => {
    const { box, result, seen, enter, answerWith } = openBox();
    enter("wrong");
    assert.ok(box.busy && !box.enabled);
    await answerWith({ ok: false, problem: "Not this one." });
    assert.deepEqual(
      [box.busy, box.enabled, box.validationMessage],
      [false, true, "Not this one."],
    );
    assert.deepEqual([seen.isDisposed, box.value], [false, "wrong"]);
    enter("right");
    assert.equal(box.validationMessage, undefined);
    await answerWith({ ok: true, value: "done" });
    assert.equal(await result, "done");
    assert.deepEqual(seen, { isDisposed: true, texts: ["wrong", "right"] });
  });

  it("says while it is typed what is wrong with it, and sends that never", async () => {
    const { box, result, seen, type, enter, hide } = openBox();
    type("no");
    assert.equal(box.validationMessage, "Not no.");
    type("");
    assert.equal(box.validationMessage, undefined);
    enter("");
    assert.equal(box.validationMessage, "Enter something.");
    hide.fire();
    assert.deepEqual([await result, seen.texts], [undefined, []]);
  });

  it("sends nothing a second time while it waits, and stops with Escape", async () => {
    const { result, seen, enter, answerWith, hide, isAborted } = openBox();
    enter("once");
    enter("once");
    assert.deepEqual([seen.texts, isAborted()], [["once"], false]);
    hide.fire();
    assert.ok(isAborted() && seen.isDisposed);
    await answerWith({ ok: true, value: "too late" });
    assert.equal(await result, undefined);
  });
});

describe("questions in turn", () => {
  it("lead back with the answer that was given, and end where one is canceled", async () => {
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
