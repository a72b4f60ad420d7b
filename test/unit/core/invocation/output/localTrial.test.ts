import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { costOf } from "../../../../../src/core/invocation/cost";
import {
  type LocalOutcome,
  localAddressOf,
  localEnd,
  localNotice,
  localRecord,
} from "../../../../../src/core/invocation/output/localTrial";
import { endingText } from "../../../../../src/core/invocation/record/invocationLabels";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";

const local = (entry: string, type = "http"): SkillDetail => ({
  ...fullSkill,
  isLocal: true,
  runtime: { type, entry },
});
const address = "http://127.0.0.1:3000/words";

describe("the code of a manifest on this machine", () => {
  for (const [entry, expected] of [
    [address, address],
    ["http://localhost:3000/a?b=1#c", "http://localhost:3000/a?b=1"],
    ["https://[::1]:8443/", "https://[::1]:8443/"],
    ["http://127.1.2.3", "http://127.1.2.3/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["https://run.example/words", undefined],
    ["http://localhost.run.example/", undefined],
    ["http://127.0.0.1.nip.io/", undefined],
    ["http://127.0.0.1@run.example/", undefined],
    ["http://ada:pass@127.0.0.1/", undefined],
    ["http://0.0.0.0:3000/", undefined],
    ["http://10.0.0.1/", undefined],
    ["http://[::ffff:127.0.0.1]/", undefined],
    ["http://localhost:{port}/", undefined],
    ["ftp://127.0.0.1/", undefined],
    ["file:///etc/passwd", undefined],
    ["127.0.0.1:3000", undefined],
    ["", undefined],
  ] as const) {
    it(`is ${expected === undefined ? "not " : ""}at ${entry || "no address"}`, () => {
      assert.equal(localAddressOf(local(entry)), expected);
    });
  }

  it("is neither a skill of a registry nor another runtime", () => {
    const { isLocal: _, ...listed } = local(address);
    assert.equal(localAddressOf(listed), undefined);
    assert.equal(localAddressOf(local(address, "mcp")), undefined);
    assert.equal(localAddressOf(local(address, "local")), undefined);
  });
});

const answered = (status: number, more: object = {}): LocalOutcome => ({
  ...{ kind: "answered", status, start: "" },
  ...more,
});
const failed = (failure: object, isSent: boolean): LocalOutcome =>
  ({ kind: "failed", failure, isSent }) as LocalOutcome;

const ends: readonly (readonly [string, LocalOutcome, string, RegExp | undefined])[] = [
  ["JSON with 200", answered(200, { outputText: "{}" }), "success yes", undefined],
  [
    "JSON of another content type",
    answered(200, { outputText: "{}", isTypedAsText: true }),
    "success yes",
    /not have the content type application\/json, so the public gateway returns it as a text/,
  ],
  ["JSON with 202", answered(202, { outputText: "null" }), "success yes", undefined],
  ["no JSON", answered(200, { start: "hello" }), "error yes", /without JSON \(HTTP 200\)/],
  ["no body", answered(204), "error yes", /without JSON \(HTTP 204\)/],
  ["JSON with 500", answered(500, { outputText: "{}" }), "error yes", /with HTTP 500\.$/],
  ["a text with 404", answered(404, { start: "No\nroute" }), "error yes", /HTTP 404: No route\.$/],
  ["JSON with 304", answered(304, { outputText: "{}" }), "error yes", /HTTP 304/],
  [
    "a redirect, even with JSON",
    answered(307, { redirectTarget: "https://run.example", outputText: "{}" }),
    "refused no",
    /to https:\/\/run\.example, which was not followed/,
  ],
  [
    "no server",
    failed({ kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" }, false),
    "not sent no",
    /^Nothing answers at http:\/\/127\.0\.0\.1:3000\. Start your skill, then try again\.$/,
  ],
  [
    "an unknown certificate",
    failed({ kind: "unreachable", cause: "certificate", detail: "X" }, false),
    "not sent no",
    /certificate of http:\/\/127\.0\.0\.1:3000 is not trusted \(X\)/,
  ],
  ["a secret", failed({ kind: "containsKey" }, false), "not sent no", /^Not sent: /],
  [
    "a late answer",
    failed({ kind: "timeout", seconds: 5 }, true),
    "outcome unknown unknown",
    /5 s/,
  ],
  [
    "a long answer",
    failed({ kind: "tooLarge", limitBytes: 2_000_000 }, true),
    "outcome unknown unknown",
    /exceeds 2 MB/,
  ],
  [
    "a lost connection",
    failed({ kind: "connectionLost", detail: "ECONNRESET" }, true),
    "outcome unknown unknown",
    /broke off/,
  ],
  ["a cancellation in time", failed({ kind: "cancelled" }, false), "cancelled no", undefined],
  [
    "a late cancellation",
    failed({ kind: "cancelled" }, true),
    "outcome unknown unknown",
    /may have run/,
  ],
];

describe("the end of a trial", () => {
  for (const [title, outcome, end, words] of ends) {
    it(`is told for ${title}`, () => {
      const { status, ran } = localEnd(outcome);
      assert.equal(`${status} ${ran}`, end);
      const message = localNotice("words", address, outcome, english)?.message;
      if (words === undefined) assert.equal(message, undefined);
      else assert.match(message ?? "", words);
      assert.doesNotMatch(message ?? "", /registry/i);
    });
  }

  it("costs nothing, is marked, and names its address in place of a registry", () => {
    const running = localRecord(fullSkill, address, { id: "1", startedAt: 5 });
    const record = { ...running, ...localEnd(answered(200, { outputText: "{}" })) };
    assert.deepEqual(costOf(record), { kind: "none" });
    assert.equal(record.registry, address);
    assert.equal(endingText(record, english), "trial of a manifest, success");
  });
});
