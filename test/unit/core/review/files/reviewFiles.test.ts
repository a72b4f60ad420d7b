import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import {
  contractFileName,
  contractKey,
  contractNamer,
  contractOf,
  isContractFile,
  readContractFile,
} from "../../../../../src/core/review/files/contractFiles";
import {
  type Review,
  readPolicy,
  readReviews,
  writeTeamFile,
} from "../../../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../../../src/core/review/newReview";
import { readContract } from "../../../../../src/core/skill/compare/contract";
import { runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";
import { reviewedSkill } from "../reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const hash = `contract-v1:sha256-${"0".repeat(64)}`;
const entry = {
  kind: "version",
  skill: "text-stats",
  version: "1.0.0",
  registry: "https://registry.example",
  contract: hash,
  criteria: ["safe-to-try"],
  who: "Ann",
  when: "2026-01-01T00:00:00Z",
};

/** Returns the marked text of each problem, with its message. */
function problemsOf(
  text: string,
  read:
    | { readonly ok: true }
    | {
        readonly ok: false;
        readonly problems: readonly { start: number; end: number; message: string }[];
      },
) {
  if (read.ok) return [];
  return read.problems.map(({ start, end, message }) => [
    text.slice(start, end).slice(0, 40),
    message,
  ]);
}

const deep = `{"format":1,"reviews":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;

describe("policy.json", () => {
  const policy = (changes: object) => JSON.stringify({ ...firstPolicy(), ...changes });
  const criteria = ["safe-to-try"];
  const good: readonly (readonly [string, string])[] = [
    ["the first one", writeTeamFile(firstPolicy())],
    [
      "one with all it can have",
      policy({
        $schema: "./policy.schema.json",
        skills: { "csv-profile": { require: ["customer-facing"] } },
        exemptions: [
          { skill: "json-diff", version: "1.0.0", criteria, reason: "r", until: "2026-12-31" },
        ],
        trustedPublishers: [
          { publisher: "p", criteria, reason: "r", from: "2026-01-01", until: "2027-01-02" },
        ],
      }),
    ],
  ];
  for (const [what, text] of good) {
    it(`is valid: ${what}`, () =>
      assert.deepEqual(problemsOf(text, readPolicy(text, english)), []));
  }

  const trust = (from: string, until: string) => ({
    trustedPublishers: [{ publisher: "p", criteria, reason: "r", from, until }],
  });
  const bad: readonly (readonly [text: string, ...problems: (readonly [string, string])[]])[] = [
    ["", ["", "The document is empty."]],
    ["{", ["{", "A } is missing at the end."]],
    [policy({ format: 2 }), ["2", "Must be 1."]],
    [policy({ require: [] }), ["[]", "Must not be empty."]],
    [
      policy({ require: ["fast"] }),
      ['"fast"', "The criterion “fast” is not defined in “criteria”."],
    ],
    [policy({ allow: ["*"] }), ['"allow"', '"allow" is not a known property.']],
    [
      policy(trust("2026-01-01", "2027-01-03")),
      ['"until":"2027-01-03"', "A publisher can be trusted for at most 366 days."],
    ],
    [
      policy(trust("2026-02-01", "2026-01-31")),
      ['"until":"2026-01-31"', "This date must not be earlier than “from”."],
    ],
    [
      policy(trust("2026-02-30", "2026-05-01")),
      ['"from":"2026-02-30"', "This date does not exist."],
    ],
    [
      '{"format":1,"format":1,"criteria":{"a":{"description":"d"}},"require":["a"]}',
      [
        '"format"',
        'Duplicate property "format". Remove one, since parsers disagree on which value wins.',
      ],
    ],
    [deep, ["", "This file is nested too deeply."]],
    [" ".repeat(1_000_001), ["", "This file is too large: at most 1000000 characters are read."]],
  ];
  for (const [text, ...expected] of bad) {
    it(`is invalid: ${text.slice(0, 60)} … ${expected[0]?.[1]}`, () => {
      assert.deepEqual(problemsOf(text, readPolicy(text, english)), expected);
    });
  }

  it("defines no criterion by a name that every object has", () => {
    const text = policy({ require: ["constructor"] });
    assert.equal(problemsOf(text, readPolicy(text, english)).length, 1);
    const proto = '{"format":1,"criteria":{"__proto__":{"description":"d"}},"require":["a"]}';
    assert.equal(readPolicy(proto, english).ok, false);
  });
});

describe("reviews.json", () => {
  const reviews = (...entries: object[]) => JSON.stringify({ format: 1, reviews: entries });
  const violation = { kind: "violation", skill: "a", who: "b", when: entry.when, notes: "n" };
  it("is read entry by entry", () => {
    const text = reviews(
      entry,
      { ...entry, kind: "step", from: "1.0.0", until: "2027-01-01" },
      violation,
    );
    const read = runSync(readReviews(text, english));
    assert.equal(read.ok && read.value.length, 3);
  });

  it("pauses while it checks many entries, and locates each problem", () => {
    const many = Array.from({ length: 1000 }, () => entry);
    const work = readReviews(reviews(...many), english);
    const steps = [
      ...(function* () {
        for (let step = work.next(); !step.done; step = work.next()) yield step;
      })(),
    ];
    assert.ok(steps.length > 10, `${steps.length}`);

    const broken = many.map((one, at) => (at === 307 || at === 999 ? { ...one, who: 7 } : one));
    const text = reviews(...broken);
    const read = runSync(readReviews(text, english));
    assert.ok(!read.ok);
    assert.deepEqual(
      read.problems.map(({ pointer, start, end }) => [pointer, text.slice(start, end)]),
      [
        ["/reviews/307/who", "7"],
        ["/reviews/999/who", "7"],
      ],
    );
    assert.equal(runSync(readReviews(reviews(...Array(20_001).fill(entry)), english)).ok, false);
  });

  it("has at most 5,000 entries about one skill", () => {
    const text = (count: number) => reviews(...Array(count).fill(violation), entry);
    assert.equal(runSync(readReviews(text(5000), english)).ok, true);
    const read = runSync(readReviews(text(5001), english));
    assert.deepEqual(!read.ok && read.problems.map(({ pointer, message }) => [pointer, message]), [
      [
        "/reviews/5000/skill",
        "At most 5000 entries can be about one skill. Remove its oldest ones.",
      ],
    ]);
  });

  const statement = {
    ...{ kind: "statement", skill: "a", about: "owner", who: "b", notes: "n" },
    until: "2026-06-01",
  };
  for (const time of ["25:00:00", "10:00:60", "10:60:00"]) {
    it(`is invalid if the time of any kind of entry is ${time}`, () => {
      const when = `2026-01-01T${time}Z`;
      const step = { ...entry, kind: "step", from: "1.0.0" };
      const text = reviews(...[entry, step, violation, statement].map((one) => ({ ...one, when })));
      const read = runSync(readReviews(text, english));
      assert.deepEqual(
        !read.ok && read.problems.map(({ pointer, message }) => [pointer, message]),
        [0, 1, 2, 3].map((at) => [`/reviews/${at}/when`, "This time does not exist."]),
      );
    });
  }

  it("accepts the last second of a day, and rejects impossible days", () => {
    const at = (when: string) => runSync(readReviews(reviews({ ...statement, when }), english));
    assert.equal(at("2026-02-28T23:59:59.999999999Z").ok, true);
    const read = at("2026-02-30T10:00:00Z");
    assert.deepEqual(!read.ok && read.problems.map(({ pointer, message }) => [pointer, message]), [
      ["/reviews/0/when", "This date does not exist."],
    ]);
  });

  const bad: readonly (readonly [what: string, text: string])[] = [
    ["a step without a beginning", reviews({ ...entry, kind: "step" })],
    ["a version with a beginning", reviews({ ...entry, from: "1.0.0" })],
    ["a hash of another form", reviews({ ...entry, contract: "sha256-0" })],
    ["a skill that is a path", reviews({ ...entry, skill: "../../etc/passwd" })],
    ["a month that does not exist", reviews({ ...entry, until: "2026-13-01" })],
    ["a day that does not exist", reviews({ ...entry, until: "2026-02-30" })],
    ["a violation of criteria", reviews({ ...violation, criteria: ["a"] })],
    ["an unknown kind", reviews({ ...entry, kind: "praise" })],
    ["lists nested too deep", deep],
  ];
  for (const [what, text] of bad) {
    it(`is invalid with ${what}`, () => {
      const problems = problemsOf(text, runSync(readReviews(text, english)));
      assert.ok(problems.length >= 1, JSON.stringify(problems));
    });
  }
});

describe("the file of a contract", () => {
  const read = readContract(reviewedSkill(), digest);
  assert.ok(read.ok);
  const { contract } = read;
  const file = (changes: object = {}) =>
    writeTeamFile({ format: 1, skill: "text-stats", version: "1.0.0", contract, ...changes });
  const nameOf = "text-stats@1.0.0.json";

  it("has the hash of its content", () => {
    const again = readContractFile(nameOf, file(), digest, english);
    assert.deepEqual(again.ok && again.value.hash, read.hash);
    const other = file({ contract: { ...contract, publisher: "x" } });
    const changed = readContractFile(nameOf, other, digest, english);
    assert.notEqual(changed.ok && changed.value.hash, read.hash);
  });

  const at = (registry: string) => ({ slug: "text-stats", version: "1.0.0", registry });
  it("may have a name that ends with the registry", () => {
    const files = ["https://registry.example", "http://127.0.0.1:4010", "built-in"].map(
      (registry) => [contractFileName(at(registry)), file({ registry })] as const,
    );
    assert.deepEqual(
      files.map(([name]) => name),
      [
        "text-stats@1.0.0@registry.example.json",
        "text-stats@1.0.0@http_127.0.0.1_4010.json",
        "text-stats@1.0.0@built-in.json",
      ],
    );
    for (const [name, text] of files) {
      assert.ok(isContractFile(name));
      assert.equal(readContractFile(name, text, digest, english).ok, true);
    }
    for (const name of ["text-stats.json", "a@1.0.0@", "a@1.0.0@.json", "a@1.0.0@b@c.json"]) {
      assert.equal(isContractFile(name), false, name);
    }
  });

  it("is the shared one unless that belongs to another registry", () => {
    const [here, there] = ["https://registry.example", "https://other.example"];
    const reviews = [here, there].map((registry) => ({
      kind: "version" as const,
      skill: "text-stats",
      version: "1.0.0",
      registry,
      contract: read.hash,
      criteria: ["safe-to-try"],
      who: "Ann",
      when: "2026-01-01T00:00:00Z",
    }));
    const [first, second] = reviews;
    assert.ok(first && second);
    const { registry: _, ...shared } = at(here);
    const contracts = new Map([[contractKey(shared), { ...shared, contract, hash: read.hash }]]);
    const nameAt = (registry: string, hash: string, all: readonly Review[]) =>
      contractNamer(all, contracts)(at(registry), hash).registry;
    assert.equal(nameAt(there, "other", []), undefined);
    assert.equal(nameAt(here, "other", [first]), undefined);
    assert.equal(nameAt(there, read.hash, [first]), undefined);
    assert.equal(nameAt(there, "other", [first]), there);
    assert.equal(nameAt(here, "other", reviews), here);
    assert.equal(nameAt(there, "other", [first, { ...first, contract: "newer" }]), undefined);
    assert.equal(contractOf(contracts, second)?.hash, read.hash);
    assert.equal(contractOf(contracts, { ...second, contract: "other" }), undefined);
  });

  const bad: readonly (readonly [what: string, name: string, text: string])[] = [
    ["under another name", "text-stats@1.0.1.json", file()],
    ["of a registry under the shared name", nameOf, file({ registry: "https://other.example" })],
    ["without the registry of its name", contractFileName(at("built-in")), file()],
    [
      "with a number beyond doubles",
      nameOf,
      file().replace('"unitAmountCents": 2', '"unitAmountCents": 1e400'),
    ],
    ["with more than a contract has", nameOf, file({ contract: { ...contract, note: "x" } })],
    [
      "without its permissions",
      nameOf,
      file({ contract: { ...contract, permissions: undefined } }),
    ],
    [
      "nested too deeply",
      nameOf,
      file().replace('"type": "object"', `"x": ${"[".repeat(5000)}${"]".repeat(5000)}`),
    ],
  ];
  for (const [what, name, text] of bad) {
    it(`is invalid ${what}`, () => {
      assert.equal(readContractFile(name, text, digest, english).ok, false);
    });
  }
});
