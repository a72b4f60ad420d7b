import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  endedTrial,
  runningTrial,
  trialWithNotice,
} from "../../../../../src/core/invocation/output/exampleTrial";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";
import { onePoint, pngOf } from "../../../../fixtures/images";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const startedAt = Date.UTC(2026, 10, 20, 10, 22);
const reader = { language: english, now: startedAt };
const record: InvocationRecord = pastInvocation(startedAt, {
  id: "1",
  registry: "built-in",
  skillSlug: "text-stats",
  version: "1.0.0",
  status: "success",
  durationMs: 12,
  amountCents: 0,
  invocationId: "63615c78",
  requestSha256: "",
});
const ended = (changes: Partial<InvocationRecord>, output?: string) =>
  runSync(endedTrial({ ...record, ...changes }, output, reader));

describe("an invoked example", () => {
  it("shows how it ended, its facts and its formatted output", () => {
    const trial = ended({}, '{"words":2}');
    assert.deepEqual([trial.kind, trial.tone, trial.word], ["ended", "good", "Success"]);
    assert.deepEqual(
      [trial.facts[0], trial.facts[1], trial.facts[3]],
      ["12 ms", "free", "63615c78"],
    );
    assert.deepEqual(trial.output, { text: '{\n  "words": 2\n}', whole: true });
  });

  for (const [changes, tone, word] of [
    [{ status: "not executed" }, "caution", "Accepted, not executed"],
    [{ status: "error" }, "bad", "Error"],
    [{ status: "refused" }, "bad", "Refused"],
    [{ status: "blocked" }, "caution", "Blocked"],
    [{ status: "cancelled" }, "caution", "Canceled"],
    [{ status: "outcome unknown" }, "caution", "Outcome unknown"],
  ] as const) {
    it(`shows ${word} as ${tone}`, () => {
      const trial = ended(changes);
      assert.deepEqual([trial.tone, trial.word, trial.output], [tone, word, undefined]);
    });
  }

  it("truncates a long output like an example, with hidden characters escaped", () => {
    const { output } = ended({}, `["\u202Ealso this", "${"x".repeat(1_000_000)}"]`);
    assert.equal(output?.whole, false);
    assert.ok((output?.text.length ?? 0) <= 20_010);
    assert.match(output?.text ?? "", /^\[\n {2}"\\u202Ealso this"/);
  });

  it("shows images, texts and files of its output separately, each with its size", () => {
    const image = `data:image/png;base64,${onePoint}`;
    const pdf = `data:application/pdf;base64,${Buffer.from("%PDF").toString("base64")}`;
    const output = JSON.stringify({ chart: image, list: ["a\nb\u202E"], report: pdf });
    const { parts, moreParts } = ended({}, output);
    assert.deepEqual(parts, [
      {
        name: "chart",
        facts: ["image/png", "1 × 1", `${Buffer.from(onePoint, "base64").length} bytes`],
        image: { src: image, width: 1, height: 1 },
      },
      {
        name: "list › 0",
        facts: ["4 characters"],
        text: { text: "a\nb\\u202E", whole: true },
      },
      { name: "report", facts: ["application/pdf", "4 bytes"] },
    ]);
    assert.equal(moreParts, 0);
  });

  it("limits the images and texts of an output", () => {
    const image = `data:image/png;base64,${pngOf(9, 9, 1_100_000)}`;
    const images = ended({}, JSON.stringify([image, image, image]));
    assert.deepEqual(
      images.parts.map((part) => part.image !== undefined),
      [true, true, false],
    );
    assert.equal(images.parts[2]?.facts[1], "1.1 MB");
    const texts = ended({}, JSON.stringify(Array(12).fill("x".repeat(100_000))));
    assert.deepEqual([texts.parts.length, texts.moreParts], [8, 4]);
    const shown = texts.parts.reduce((sum, { text }) => sum + (text?.text.length ?? 0), 0);
    assert.ok(shown <= 60_010, `${shown}`);
  });

  it("shows a hostile ID and message on one line each", () => {
    const { facts } = ended({ invocationId: `a\n\u202E${"b".repeat(10_000)}` });
    assert.match(facts.at(-1) ?? "", /^a \\u202Eb+…$/);
    assert.equal([...(facts.at(-1) ?? "")].length, 200);
    const notice = { severity: "error", message: `a\n${"b".repeat(10_000)}`, actions: [] } as const;
    const trial = trialWithNotice(undefined, notice, english);
    assert.deepEqual([trial.kind, trial.message.length], ["notSent", 500]);
  });

  it("shows how it ended beside the notice's text, and at most three actions", () => {
    const actions = ["openSkill", "showOutput", "showInput", "showLog"] as const;
    const notice = {
      severity: "warning",
      message: "Too often.",
      actions: actions.map((action) => ({ action, title: action })),
    } as const;
    const blocked = trialWithNotice(ended({ status: "blocked" }), notice, english);
    assert.deepEqual(
      [blocked.kind, blocked.word, blocked.message],
      ["ended", "Blocked", "Too often."],
    );
    assert.equal(blocked.actions.length, 3);
    const notSent = trialWithNotice(runningTrial(false, english), notice, english);
    assert.deepEqual(
      [notSent.kind, notSent.tone, notSent.word],
      ["notSent", "caution", "Not sent"],
    );
  });
});
