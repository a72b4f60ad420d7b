import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { keptTrialOf } from "../../../../../src/core/invocation/output/keptTrials";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import {
  dayRowText,
  type InvocationRowFacts,
  invocationRowText,
  runRowText,
  trialRowText,
  trialsRowText,
} from "../../../../../src/core/invocation/record/invocationRowText";
import { timeFormats } from "../../../../../src/core/text/dates";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const at = new Date(2026, 10, 20, 12, 0).getTime();
const noon = timeFormats(english).timeOfDay(at);
const { moment } = timeFormats(english);

const look: InvocationRowFacts = {
  language: english,
  times: timeFormats(english),
  words: "",
  verdict: "",
  isOfRun: false,
  profile: "Test Editor",
  window: { registry: pastInvocation(0).registry },
  canCancel: false,
};

const rowOf = (facts: Partial<InvocationRecord> = {}, more: Partial<InvocationRowFacts> = {}) =>
  invocationRowText(pastInvocation(at, facts), { ...look, ...more });

describe("the row of a day", () => {
  it("counts its invocations", () => {
    const records = [pastInvocation(at)];
    const day = { day: "2026-11-20", title: "Today", isOpen: true, mayHaveEarlier: false, records };
    const row = dayRowText(day, english);
    assert.deepEqual(row, {
      id: "day:2026-11-20",
      label: "Today",
      description: "1 invocation",
      sentence: "Today, 1 invocation",
      context: "invocationDay",
    });
  });
});

describe("the row of a trial", () => {
  it("names its end, time and address, and has no menu of an invocation", () => {
    const registry = "http://127.0.0.1:8080/run";
    const row = { trial: keptTrialOf(pastInvocation(at, { registry, durationMs: 84 })) };
    const text = trialRowText(row, timeFormats(english), english);
    assert.equal(text.label, "text-stats@1.0.0");
    assert.equal(text.description, `success · ${moment(at)} · 84 ms`);
    assert.equal(text.sentence, `text-stats@1.0.0, trial of a manifest, success, ${moment(at)}`);
    assert.match(text.tooltip, /sent to no registry\\, and not billed/);
    assert.match(text.tooltip, /127\\\.0\\\.0\\\.1\\:8080/);
    assert.deepEqual(
      [text.context, trialsRowText({ trials: [row] }, english).context],
      ["trial", "trials"],
    );
  });
});

describe("the row of an invocation", () => {
  it("shows its end, input and output, time and duration", () => {
    const row = rowOf({}, { words: "Hi → words 1" });
    assert.equal(row.label, "text-stats@1.0.0");
    assert.equal(row.description, `success · Hi → words 1 · ${noon} · 5 ms`);
    assert.equal(row.sentence, `text-stats@1.0.0, success, ${moment(at)}, Hi → words 1`);
  });

  it("names the other profile that made it", () => {
    const other = rowOf({ profile: "Test Editor, profile 12ab" });
    assert.equal(other.description, `success · ${noon} · 5 ms · Test Editor, profile 12ab`);
    assert.match(other.sentence, /, Test Editor, profile 12ab$/);
    assert.match(rowOf({ profile: "command line" }).description, / · command line$/);
    assert.match(rowOf().tooltip, / · Test Editor$/);
  });

  it("names its registry and environment unless the window uses both", () => {
    const window = { registry: "https://other.example" };
    assert.match(rowOf({}, { window }).description, / · built-in registry$/);
    assert.match(rowOf({ environment: "dev" }).description, / · dev \(built-in registry\)$/);
  });

  it("leaves out unknown facts", () => {
    const row = rowOf({ version: "", durationMs: 0 });
    assert.equal(row.label, "text-stats");
    assert.equal(row.description, `success · ${noon}`);
    assert.equal(row.sentence, `text-stats, success, ${moment(at)}`);
  });

  it("is labeled only with its time below a folded row, which names the skill", () => {
    const row = rowOf({}, { isOfRun: true, words: "Hi" });
    assert.equal(row.label, noon);
    assert.equal(row.description, "success · 5 ms · Hi");
  });

  it("has the registry's verdict on an unknown outcome", () => {
    const row = rowOf({ status: "outcome unknown" }, { verdict: "it ran" });
    assert.equal(row.description, `outcome unknown (it ran) · ${noon} · 5 ms`);
  });

  const contexts: readonly (readonly [string, Partial<InvocationRecord>, boolean])[] = [
    ["invocation withOutput testable loose", {}, false],
    ["invocation withId withOutput testable pinned", { invocationId: "i", pinned: true }, false],
    ["invocation loose cancelable", { status: "running" }, true],
    ["invocation loose", { status: "blocked" }, false],
    ["invocation testable loose", { status: "blocked", code: "x" }, false],
    ["invocation withOutput loose", { status: "not executed" }, false],
  ];
  for (const [context, facts, canCancel] of contexts) {
    it(`has the menus of “${context}”`, () => {
      assert.equal(rowOf(facts, { canCancel }).context, context);
    });
  }

  it("has further facts in its tooltip, one paragraph each", () => {
    const { tooltip } = rowOf({ message: "No *rows*.", amountCents: 2, currency: "usd" });
    assert.deepEqual(tooltip.replaceAll("\\", "").split("\n\n"), [
      "**text-stats@1.0.0**: success",
      "No *rows*.",
      "Cost: $0.02 (sample)",
      "Invocation ID: none",
      `${moment(at)} · built-in registry · Test Editor`,
    ]);
    assert.equal(rowOf({ amountCents: 0 }).tooltip.includes("Cost"), false);
  });

  it("contains no text of a registry that the editor would interpret", () => {
    const row = rowOf({ version: "$(x)", registry: "[a](b)" }, { words: "$(trash)" });
    for (const text of [row.label, row.description])
      assert.equal(/\$\((x|trash)\)/.test(text), false);
    assert.equal(row.tooltip.includes("[a](b)"), false);
  });
});

describe("a folded row", () => {
  const newest = pastInvocation(at, { responseSha256: "a", amountCents: 2, currency: "usd" });
  const oldest = pastInvocation(at - 60_000, { responseSha256: "b", status: "error" });
  const run = { run: oldest.id, records: [newest, oldest] as const };

  it("counts the ends of its invocations and names their time span", () => {
    const row = runRowText(run, { ...look, words: "Hi" });
    const { timeOfDay } = timeFormats(english);
    assert.equal(row.id, `run:${oldest.id}`);
    assert.equal(row.label, "text-stats@1.0.0");
    const span = `${timeOfDay(at - 60_000)} – ${noon}`;
    const ends = "1 × success, 1 × error";
    assert.equal(row.description, `${ends} · 2 different outputs · Hi · ${span}`);
    assert.equal(
      row.sentence,
      `text-stats@1.0.0, 2 invocations, ${ends}, 2 different outputs, Hi, ${span}`,
    );
    assert.deepEqual(row.tooltip.replaceAll("\\", "").split("\n\n"), [
      `**text-stats@1.0.0**: ${ends}`,
      "2 different outputs",
      "Cost: $0.02 (sample)",
      `${span} · built-in registry`,
    ]);
  });

  it("is pinned as a whole or not at all", () => {
    assert.equal(runRowText(run, look).context, "invocationRun withOutput testable loose");
    const pinned = { ...run, records: [{ ...newest, pinned: true }] as const };
    assert.equal(runRowText(pinned, look).context, "invocationRun withOutput testable pinned");
  });
});
