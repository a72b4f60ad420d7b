import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { describeSkill } from "../../../../../src/core/skill/description/describeSkill";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { bareSkill, fixtureNow, fullSkill } from "../../../../fixtures/skillDetail";

const context = {
  registry: { name: "registry.example", builtIn: false },
  now: fixtureNow,
  language: english,
};

describe("describeSkill", () => {
  it("describes a skill with all facts", () => {
    const skill = describeSkill(fullSkill, context);
    assert.equal(skill.version, "2.1.0");
    assert.deepEqual(skill.prices, ["$0.02 per invocation"]);
    assert.deepEqual(skill.publisher?.otherSkills, ["json-to-csv", "sql-format"]);
    assert.deepEqual(
      skill.versions.map(({ version, shown }) => [version, shown]),
      [
        ["2.1.0", true],
        ["2.0.0", false],
        ["1.4.2", false],
      ],
    );
    assert.equal(skill.feedback?.summary, "4.6 of 5, 37 ratings");
    assert.match(skill.verification.review, /^Approved, Oct/);
  });

  it("shows every text of a skill, with words for the registry's codes", () => {
    const { manifest: _, inputSchema: __, outputSchema: ___, ...stated } = fullSkill;
    const page = JSON.stringify(describeSkill(fullSkill, context));
    const missing = new Set<string>();
    JSON.stringify(stated, (key, value: unknown) => {
      if (typeof value === "string" && !page.includes(JSON.stringify(value).slice(1, -1)))
        missing.add(key);
      return value;
    });
    // The payload of an example is shown as JSON.
    const codes = ["billingModel", "slug", "status", "reviewState", "csv", "currency"];
    assert.deepEqual([...missing], codes);
  });

  it("counts the hidden arguments of a command, and shows an author without an unsafe link", () => {
    const argumentsOf = (runtime: SkillDetail["runtime"]) =>
      describeSkill({ ...bareSkill, runtime }, context).facts.map(({ value }) => value);
    assert.deepEqual(
      argumentsOf({ type: "local", entry: "a", args: ["--json"], redactedArgs: 2 }),
      ["Program on the registry’s runner", "a", "--json 2 hidden by the registry"],
    );
    assert.deepEqual(argumentsOf({ type: "x", args: [], redactedArgs: 1 }), [
      "x",
      "1 hidden by the registry",
    ]);
    const author = { name: "Ida", url: "javascript:alert(1)" };
    assert.deepEqual(describeSkill({ ...bareSkill, author }, context).author, {
      name: "Ida",
      url: undefined,
    });
  });

  it("truncates long feedback visibly, and keeps 24 entries", () => {
    const long = "a".repeat(5000);
    const entry = { title: long, text: long, useCase: long, author: long, reply: long };
    const feedback = { entries: Array.from({ length: 30 }, () => entry) };
    const entries = describeSkill({ ...bareSkill, feedback }, context).feedback?.entries ?? [];
    assert.equal(entries.length, 24);
    for (const { title, text, useCase, author, reply } of entries) {
      const parts = [title, text, useCase, author, reply];
      assert.deepEqual(
        parts.map(({ length }) => length),
        [200, 4000, 1000, 200, 4000],
      );
      assert.ok(parts.every((part) => part.endsWith("a…")));
    }
  });

  it("says of a manifest where its payloads are sent, or that none is", () => {
    const manifest = { ...fullSkill, isLocal: true as const };
    const localAddress = "http://127.0.0.1:3000/words";
    const own = describeSkill(manifest, { ...context, localAddress });
    assert.match(
      own.versionNote?.text ?? "",
      /to http:\/\/127\.0\.0\.1:3000\/words on this machine.* lists it as a trial/,
    );
    const other = describeSkill(manifest, context);
    assert.match(other.versionNote?.text ?? "", /Nothing can be invoked/);
    const offers = [own, other, describeSkill(fullSkill, context)].map((item) => item.offersInvoke);
    assert.deepEqual(offers, [true, false, true]);
  });

  it("distinguishes loading parts from failed and missing ones", () => {
    const parts = ["listing", "prices", "feedback", "publisher"] as const;
    const absent = (change: Partial<SkillDetail>) => {
      const skill = describeSkill({ ...bareSkill, ...change }, context);
      return [skill.absent.listing, skill.absent.prices, skill.verification.advice, skill.prices];
    };
    const failed = "Could not be loaded from this registry.";
    // The word says it already.
    const none = "";
    assert.deepEqual(absent({ unanswered: parts, loading: ["listing"] }), [
      "Loading…",
      failed,
      "Loading…",
      [failed],
    ]);
    assert.deepEqual(absent({ unanswered: ["prices"], loading: ["prices"] }), [
      "Not provided by this registry.",
      "Loading…",
      none,
      ["Loading…"],
    ]);
    assert.deepEqual(absent({}).slice(1), ["Not provided by this registry.", none, []]);
    assert.equal(absent({ isLocal: true })[1], "Not in the manifest.");
  });

  it("counts the versions and examples that it leaves out", () => {
    const many = describeSkill(
      {
        ...bareSkill,
        versions: Array.from({ length: 1000 }, (_, at) => ({ version: `1.0.${at}` })),
        examples: Array.from({ length: 60 }, () => ({ name: "", input: null })),
      },
      context,
    );
    assert.deepEqual([many.versions.length, many.moreVersions], [200, 800]);
    assert.deepEqual([many.examples.length, many.moreExamples], [50, 10]);
  });

  it("distinguishes missing parts from empty ones", () => {
    const bare = describeSkill(bareSkill, context);
    assert.equal(bare.feedback, undefined);
    assert.equal(bare.permissions, undefined);
    assert.equal(bare.input, undefined);
    assert.equal(bare.publisher, undefined);
  });

  it("shows how it is billed if the price is unknown", () => {
    const summary = { ...bareSkill.summary, billingModel: "free" };
    assert.deepEqual(describeSkill({ ...bareSkill, summary }, context).prices, ["Free"]);
    const billed = { ...bareSkill, summary: { ...summary, billingModel: "per_call" }, prices: [] };
    assert.deepEqual(describeSkill(billed, context).prices, [
      "Billed per invocation, amount not provided",
    ]);
  });

  it("marks the sample numbers of the built-in registry", () => {
    const builtIn = { ...context, registry: { name: "Built-in registry", builtIn: true } };
    assert.equal(describeSkill(bareSkill, builtIn).numbersTitle, "Numbers (sample)");
    assert.equal(describeSkill(bareSkill, context).numbersTitle, "Numbers");
  });

  it("marks an inactive price", () => {
    const prices = [{ billingModel: "free", status: "retired" }];
    assert.deepEqual(describeSkill({ ...bareSkill, prices }, context).prices, ["Free (retired)"]);
  });

  const notes: [string, asked: string, latest: string | undefined, string][] = [
    ["the latest version", "", "2.1.0", "Verified good | "],
    ["a registry that names none", "", undefined, "Verified good | "],
    [
      "an older version",
      "2.1.0",
      "2.2.0",
      "Version 2.1.0 is not the newest. (Open 2.2.0) | Unknown for 2.1.0 neutral | 2.2.0 is verified.",
    ],
    [
      "one that is not offered yet",
      "2.1.0",
      "2.0.0",
      "Version 2.1.0 is not the one this registry offers. (Open 2.0.0) | Unknown for 2.1.0 neutral | 2.0.0 is verified.",
    ],
    [
      "a registry that ignores the version",
      "1.4.2",
      "2.1.0",
      "This registry returned 2.1.0 instead of version 1.4.2. | Verified good",
    ],
  ];
  for (const [what, asked, latest, expected] of notes) {
    it(`shows which version it shows: ${what}`, () => {
      const detail = { ...fullSkill, ...(latest !== undefined && { latestVersion: latest }) };
      const { versionNote, verification } = describeSkill(detail, {
        ...context,
        requestedVersion: asked,
      });
      const open = versionNote?.latest ? ` (Open ${versionNote.latest})` : "";
      const said = versionNote === undefined ? "" : `${versionNote.text}${open} | `;
      const text = `${said}${verification.word} ${verification.tone} | ${verification.advice}`;
      assert.equal(text.slice(0, expected.length), expected);
    });
  }

  const pins: [string, pinned: string, latest: string, string][] = [
    ["the newest version", "2.1.0", "2.1.0", ""],
    [
      "an older version than there is",
      "2.1.0",
      "2.2.0",
      "The project Team runs version 2.1.0; 2.2.0 is available. (Open 2.2.0)",
    ],
    [
      "a newer version than is offered",
      "2.1.0",
      "2.0.0",
      "The project Team runs version 2.1.0; the registry offers 2.0.0. (Open 2.0.0)",
    ],
    [
      "another version than is shown",
      "1.4.2",
      "2.1.0",
      "The project Team runs version 1.4.2, and no other. (Open 1.4.2)",
    ],
  ];
  for (const [what, version, latestVersion, expected] of pins) {
    it(`shows which version a project runs: ${what}`, () => {
      const detail = { ...fullSkill, latestVersion, pinned: { version, project: "Team" } };
      const { versionNote: note } = describeSkill(detail, context);
      assert.equal(note === undefined ? "" : `${note.text} (Open ${note.latest})`, expected);
    });
  }

  it("escapes hidden characters in every text", () => {
    const hidden = "a\u202Eb\u200Bc";
    const text = JSON.stringify(describeSkill(everyTextOf(fullSkill, hidden), context));
    assert.doesNotMatch(text, /[\u200B\u202E]/);
  });

  it("keeps only https addresses, with the host in punycode", () => {
    const cases: [string, string | undefined][] = [
      ["https://tabular.example/a", "https://tabular.example/a"],
      ["https://täbular.example", "https://xn--tbular-bua.example/"],
      ["http://tabular.example", undefined],
      ["https://user:pw@tabular.example", undefined],
      ["javascript:alert(1)", undefined],
      ["command:workbench.action.quit", undefined],
      ["data:text/html,x", undefined],
      ["vscode://file/etc", undefined],
      ["file:///etc/passwd", undefined],
      ["//evil.example/", undefined],
      [" \tjavascript:alert(1)", undefined],
      ["https://good.example@evil.example/", undefined],
      [`https://tabular.example/${"a".repeat(3000)}`, undefined],
      ["not an address", undefined],
    ];
    for (const [supportUrl, expected] of cases) {
      assert.equal(describeSkill({ ...bareSkill, supportUrl }, context).supportUrl, expected);
    }
  });

  it("stays small for megabytes of text and thousands of entries", () => {
    const huge = everyTextOf(fullSkill, "x".repeat(1_000_000));
    const many: SkillDetail = {
      ...huge,
      versions: Array.from({ length: 5000 }, (_, i) => ({ version: `${i}` })),
      examples: Array.from({ length: 5000 }, (_, i) => ({ name: `${i}`, input: i })),
    };
    const skill = describeSkill(many, context);
    assert.ok(JSON.stringify(skill).length < 2_000_000);
  });

  it("handles a manifest that is nested too deep to print", () => {
    let deep: JsonValue = {};
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    const skill = describeSkill(
      { ...fullSkill, manifest: { deep }, inputSchema: { default: deep } },
      context,
    );
    assert.equal(skill.manifest.whole, false);
  });
});

// Replaces every text inside a skill, except member names.
function everyTextOf<Value>(value: Value, text: string): Value {
  const replace = (part: unknown): unknown => {
    if (typeof part === "string") return part.startsWith("https:") ? part : text;
    if (Array.isArray(part)) return part.map(replace);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, replace(inner)]));
  };
  return replace(value) as Value;
}
