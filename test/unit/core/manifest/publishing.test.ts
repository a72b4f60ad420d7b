import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import {
  changedSinceText,
  mayPublish,
  newestApproved,
  type OwnVersion,
  publishingQuestion,
  rejectionFindings,
  whyNotPublished,
} from "../../../../src/core/manifest/publishing";
import { english, localize } from "../../../../src/core/text/language";

const manifest: JsonObject = {
  version: "1.0.0",
  description: "x",
  runtime: { type: "http", entrypoint: "a" },
};
const own = (changes: Partial<OwnVersion> = {}): OwnVersion => ({
  version: "1.0.0",
  status: "draft",
  manifest,
  checks: [],
  ...changes,
});
const state = (versions: readonly OwnVersion[] = [], changes: object = {}) => ({
  account: "a",
  slug: "word-count",
  version: "1.0.0",
  versions,
  changes: undefined,
  warnings: 0,
  ...changes,
});

describe("A version of a publisher", () => {
  for (const [what, version, expected] of [
    ["a draft", own(), [false, false]],
    ["a queued version", own({ status: "submitted", reviewStatus: "queued" }), [true, false]],
    ["a submitted version without a known review", own({ status: "submitted" }), [true, false]],
    ["an approved version", own({ status: "verified", reviewStatus: "approved" }), [false, true]],
    [
      "an approved version of a submitted skill",
      own({ status: "submitted", reviewStatus: "approved" }),
      [false, true],
    ],
    ["a rejected version", own({ status: "rejected", reviewStatus: "rejected" }), [false, false]],
    ["an installed draft", own({ installs: 1 }), [false, true]],
  ] as const) {
    it(`is asked about before it is saved, or refused, in the state ${what}`, () => {
      const given = state([version]);
      const isAsked = publishingQuestion(given, "save", undefined, english) !== undefined;
      const isLocked = whyNotPublished(given, "save", english) !== undefined;
      assert.deepEqual([isAsked, isLocked], expected);
      assert.equal(whyNotPublished(given, "submit", english) !== undefined, isAsked || isLocked);
    });
  }

  it("is saved after one question if its name is new, which says what becomes public", () => {
    const first = state();
    const question = publishingQuestion(first, "save", undefined, english);
    assert.match(
      JSON.stringify(question),
      /word-count.*belongs to your org.*public from the first/,
    );
    assert.equal(publishingQuestion(first, "save", first, english), undefined);
    const other = state([own({ version: "0.9.0" })]);
    assert.equal(publishingQuestion(other, "save", undefined, english), undefined);
    const told = (given: ReturnType<typeof state>) =>
      JSON.stringify(publishingQuestion(given, "submit", undefined, english)?.detail);
    assert.match(told(first), /belongs to your organization/);
    assert.doesNotMatch(told(other), /belongs to your organization/);
  });

  it("becomes public with its first submission, whose question says so", () => {
    const says = (...versions: OwnVersion[]) =>
      /public from now on/.test(
        JSON.stringify(publishingQuestion(state(versions), "submit", undefined, english)),
      );
    assert.deepEqual(
      [
        says(),
        says(own({ status: "draft" })),
        says(own({ status: "rejected", reviewStatus: "rejected" })),
        says(own({ version: "0.9.0", status: "verified" }), own({ status: "draft" })),
      ],
      [true, true, false, false],
    );
  });

  it("may be published by the allowed roles, and if the registry returns no role", () => {
    const roles = ["owner", "admin", "publisher", "", "developer", "finance", "reviewer", "Owner"];
    assert.deepEqual(roles.filter(mayPublish), ["owner", "admin", "publisher", ""]);
  });

  it("is compared with the newest approved version, whenever that was written", () => {
    const approved = { status: "verified" };
    const all = [
      own({ version: "1.9.0", ...approved }),
      own({ version: "1.10.0", ...approved }),
      own({ version: "2.0.0" }),
    ];
    assert.equal(newestApproved(all)?.version, "1.10.0");
  });

  it("shows a review's findings at unchanged fields, with the reviewer's notes", () => {
    const rejected = own({
      reviewStatus: "rejected",
      notes: "Please\u202E explain\n[this](command:x).",
      checks: [
        { status: "passed", text: "fine", field: "description" },
        { status: "warning", text: "longer", field: "description" },
        { status: "failed", text: "https", field: "runtime.entrypoint/runtime.serverUrl" },
        { status: "failed", text: "inherited", field: "__proto__" },
        { status: "failed", text: "elsewhere", field: "constructor.name" },
        { status: "failed", text: "whole", field: "" },
      ],
    });
    const now = { ...manifest, description: "A longer description." };
    const told = (of: JsonObject) =>
      rejectionFindings(rejected, of).map(
        ({ pointer, message }) => `${pointer} ${localize(message, english)}`,
      );
    assert.deepEqual(told(now), [
      "/version The review rejected 1.0.0: Please\\u202E explain [this](command:x).",
      "/runtime/entrypoint The review rejected 1.0.0: https",
    ]);
    assert.equal(told(manifest).length, 3);
    assert.deepEqual(rejectionFindings({ ...rejected, reviewStatus: "approved" }, now), []);
  });

  it("shows one finding for a rejection with one cause, with the reviewer's notes", () => {
    const check = { status: "failed", text: "https", field: "runtime.entrypoint/description" };
    const rejected = (notes: string) => own({ reviewStatus: "rejected", notes, checks: [check] });
    const told = (notes: string, of = manifest) =>
      rejectionFindings(rejected(notes), of).map(({ pointer, message: { values } }) => {
        return `${pointer} ${String(values?.["text"])}`;
      });
    assert.deepEqual(told("Use TLS."), ["/runtime/entrypoint https Use TLS."]);
    assert.deepEqual(told("Please use https."), ["/runtime/entrypoint Please use https."]);
    assert.deepEqual(told("http"), ["/runtime/entrypoint https"]);
    const changed = { ...manifest, runtime: { type: "http" }, description: "Other." };
    assert.deepEqual(told("Use TLS.", changed), ["/version Use TLS."]);
  });

  it("names what changed since it was submitted", () => {
    const text = (now: JsonObject | undefined, given = own({ reviewStatus: "queued" })) =>
      changedSinceText(given, now, english);
    assert.equal(text({ ...manifest, version: "9.0.0" }), "Your manifest is the same.");
    const { description: _, ...less } = manifest as JsonObject;
    assert.equal(text({ ...less, extra: 1 }), "Changed in your manifest: description, extra");
    assert.equal(text(undefined), "");
    assert.equal(text(less, own({})), "");
  });

  it("lists at most 40 findings of a review, each truncated", () => {
    const checks = Array.from({ length: 100 }, () => ({
      status: "failed",
      text: "a".repeat(2000),
      field: "version",
    }));
    const findings = rejectionFindings(own({ reviewStatus: "blocked", checks }), manifest);
    assert.equal(findings.length, 40);
    assert.ok(findings.every(({ message }) => localize(message, english).length < 600));
  });

  it("is submitted after one question about its consequences, their duration and the unknown facts", () => {
    const approved = own({ version: "0.9.0", status: "verified", installs: 7, reviewDays: 3 });
    const text = (given: ReturnType<typeof state>) =>
      JSON.stringify(publishingQuestion(given, "submit", undefined, english)?.detail);
    const told = text(state([approved], { warnings: 2 }));
    for (const part of [
      "0.9.0 included",
      "Installations: 7",
      "up to 3 working days",
      "cannot be withdrawn",
      "not compared",
      ": 2.",
    ]) {
      assert.ok(told.includes(part), `${part}: ${told}`);
    }
    assert.match(text(state()), /does not say how long/);
    const lines = Array.from({ length: 9 }, (_, index) => `change ${index}`);
    const changed = text(state([approved], { changes: { step: "major", next: "1.0.0", lines } }));
    assert.match(changed, /change 4.*And 4 more changes/);
    assert.doesNotMatch(changed, /change 5/);
  });

  it("is asked about again for another account and after versions changed", () => {
    const asked = state([own()]);
    const again = (now: typeof asked) => publishingQuestion(now, "submit", asked, english);
    assert.equal(again(state([own()])), undefined);
    for (const other of [
      state([own()], { account: "b" }),
      state([own({ status: "submitted" })]),
      state([own({ manifest: {} })]),
      state([]),
    ]) {
      assert.ok(again(other));
    }
  });
});
