import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  addressText,
  maxLinkPayload,
  payloadLink,
  readLinkPayload,
  readSkillAddress,
  readSkillLink,
} from "../../../../src/core/skill/skillAddress";

describe("readSkillAddress", () => {
  const cases: [unknown, string | undefined][] = [
    ["text-stats", "text-stats "],
    ["text-stats@1.2.0-beta.1+x", "text-stats 1.2.0-beta.1+x"],
    ["acme.CSV_clean@1.0.0", "acme.CSV_clean 1.0.0"],
    ["text-stats@", undefined],
    ["@1.0.0", undefined],
    ["text-stats@../1", undefined],
    ["text-stats@1@2", undefined],
    ["text-stats@1?a=b", undefined],
    ["../text-stats", undefined],
    ["a b", undefined],
    ["a".repeat(1000), undefined],
    [`a@${"1".repeat(200)}`, undefined],
    ["", undefined],
    [undefined, undefined],
    [{ slug: "a" }, undefined],
  ];
  for (const [text, expected] of cases) {
    it(`reads ${JSON.stringify(text)?.slice(0, 60)}`, () => {
      const address = readSkillAddress(text);
      assert.equal(address && `${address.slug} ${address.version}`, expected);
    });
  }
});

describe("addressText", () => {
  for (const [text, slug, version] of [
    ["text-stats@1.0.0", "text-stats", "1.0.0"],
    ["text-stats", "text-stats", ""],
    ["text-stats", "text-stats", undefined],
  ] as const) {
    it(`writes ${slug} in version ${JSON.stringify(version)}`, () => {
      assert.equal(addressText(slug, version), text);
      assert.deepEqual(readSkillAddress(text), { slug, version: version ?? "" });
    });
  }
});

describe("readSkillLink", () => {
  const cases: [string, string | undefined][] = [
    ["/skill/text-stats", "text-stats "],
    ["/skill/text-stats/", "text-stats "],
    ["/skill/text-stats@1.0.0", "text-stats 1.0.0"],
    ["/skill/", undefined],
    ["/skill/a/invoke", undefined],
    ["/invoke/a", undefined],
    ["skill/a", undefined],
    ["/skill/..", undefined],
    [`/skill/${"a".repeat(100_000)}`, undefined],
  ];
  for (const [path, expected] of cases) {
    it(`reads ${path.slice(0, 60)}`, () => {
      const address = readSkillLink(path);
      assert.equal(address && `${address.slug} ${address.version}`, expected);
    });
  }
});

describe("The payload of a link", () => {
  const filled = (length: number) => `"${"a".repeat(length - 2)}"`;
  const cases: [query: string, read: string][] = [
    ["", "none"],
    ["windowId=_blank", "none"],
    ["repayload={}", "none"],
    ["payload={}", "json {}"],
    ["windowId=_blank&payload={}", "json {}"],
    ['payload={"a": "b&payload=c=d#%41"}', 'json {"a": "b&payload=c=d#%41"}'],
    ["payload={}&send=true", "notJson"],
    ["payload=", "notJson"],
    ['payload={"cut', "notJson"],
    ["payload=%7B%7D", "notJson"],
    ["payload=[".repeat(300), "notJson"],
    [`payload=${filled(maxLinkPayload)}`, `json ${filled(maxLinkPayload)}`],
    [`payload=${filled(maxLinkPayload + 1)}`, "tooLong"],
    [`payload=${"[".repeat(100_000)}`, "tooLong"],
  ];
  for (const [query, expected] of cases) {
    it(`in ${query.slice(0, 60) || "no query"} is ${expected.slice(0, 40)}`, () => {
      const read = readLinkPayload(query);
      assert.equal(read.kind === "json" ? `json ${read.text}` : read.kind, expected);
    });
  }
});

describe("payloadLink", () => {
  const address = { slug: "text-stats", version: "1.0.0+a" };
  const link = (payload: string) => payloadLink("vscode://a.b", address, payload);

  it("keeps the typed text except for blanks between tokens, and can be read again", () => {
    const written = new URL(link('{ "a b": [1e400,\n "c & d" ] }') ?? "");
    assert.deepEqual(readSkillLink(written.pathname), address);
    assert.deepEqual(readLinkPayload(decodeURIComponent(written.search.slice(1))), {
      kind: "json",
      text: '{"a b":[1e400,"c & d"]}',
    });
  });

  it("has the maximum length that a link's payload may have", () => {
    const most = "1".repeat(maxLinkPayload - (link("")?.length ?? 0));
    assert.equal(link(most)?.length, maxLinkPayload);
    assert.equal(link(`${most}1`), undefined);
  });

  it("is undefined for an unpaired surrogate, which no address can contain", () => {
    assert.equal(link('"\ud800"'), undefined);
  });
});
