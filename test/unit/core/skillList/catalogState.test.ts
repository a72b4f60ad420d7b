import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import {
  afterFailure,
  type CatalogState,
  catalogDescription,
  catalogMessage,
  countedList,
  type LoadedCatalog,
  listContext,
  missingList,
} from "../../../../src/core/skillList/catalogState";
import { startList } from "../../../../src/core/skillList/skillList";
import { plainListing, type SkillListing } from "../../../../src/core/skillList/skillListing";
import { english, l10nText } from "../../../../src/core/text/language";

const failures: readonly (readonly [RegistryFailure, RegExp, string])[] = [
  [
    { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
    /^No server is listening at the registry's address \(ECONNREFUSED\)\.$/,
    "refresh useBuiltInRegistry connect showLog",
  ],
  [
    { kind: "unreachable", cause: "proxy", detail: "407" },
    /connection through the proxy failed \(407\)/,
    "refresh openProxySettings useBuiltInRegistry connect showLog",
  ],
  [
    { kind: "timeout", seconds: 30 },
    /did not respond within 30 s/,
    "refresh openSettings useBuiltInRegistry connect showLog",
  ],
  [
    { kind: "unreachable", cause: "certificate", detail: "CERT_HAS_EXPIRED" },
    /CERT_HAS_EXPIRED.*Nothing was sent\. If the registry is yours, add its certificate authority/,
    "refresh useBuiltInRegistry connect showLog",
  ],
  [
    { kind: "errorAnswer", status: 503, message: "Down until noon." },
    /\(HTTP 503\): Down until noon\.$/,
    "refresh useBuiltInRegistry connect showLog",
  ],
  [
    { kind: "unreadable", route: "/v1/skills/search", field: "" },
    /response from \/v1\/skills\/search could not be read\. Check that the address leads to a registry\.$/,
    "refresh useBuiltInRegistry connect showLog",
  ],
];

describe("a Skills view without a list", () => {
  for (const [failure, message, actions] of failures) {
    it(`explains in full the reason and an action after ${JSON.stringify(failure)}`, () => {
      const failed = { kind: "failed", registryName: "a.example", failure } as const;
      const missing = missingList({ ...failed, isBuiltIn: false }, english);
      assert.match(missing?.message ?? "", message);
      assert.equal(missing?.actions.map(({ action }) => action).join(" "), actions);
      assert.equal(listContext({ ...failed, isBuiltIn: false }), "failed");
      const words = catalogDescription({ ...failed, isBuiltIn: false }, plainListing, english);
      assert.equal(words, "a.example");
    });
  }

  it("does not offer the built-in registry instead of itself", () => {
    const failure = { kind: "timeout", seconds: 30 } as const;
    const failed = { kind: "failed", registryName: "Built-in", isBuiltIn: true, failure } as const;
    const actions = missingList(failed, english)?.actions.map(({ action }) => action) ?? [];
    assert.equal(actions.includes("useBuiltInRegistry"), false);
  });

  it("explains why no registry can be requested", () => {
    const problem = l10nText("Start the address with https:// (or http:// for this machine).");
    const state = { kind: "notConnected", problem, isBuiltIn: false } as const;
    assert.match(missingList(state, english)?.message ?? "", /^Start the address with https/);
    assert.equal(listContext(state), "notConnected");
  });

  describe("after a failed refresh", () => {
    const failure = { kind: "timeout", seconds: 30 } as const;
    const from = { registry: "https://a.example", registryName: "a.example", isBuiltIn: false };
    const kept = (skills: SkillSummary[]) => ({
      list: startList({ skills, ignoredFilters: [] }),
      loadedAt: 7,
    });

    it("keeps the earlier list, with its time", () => {
      const state = afterFailure(kept([{ slug: "a" } as SkillSummary]), failure, from);
      assert.equal(state.kind === "list" && state.problem?.kind, "stale");
      assert.equal(missingList(state, english), undefined);
    });

    for (const [what, before] of [
      ["none", undefined],
      ["an empty one", kept([])],
    ] as const) {
      it(`gives a reason and an action if the list was ${what}`, () => {
        const state = afterFailure(before, failure, from);
        const actions = missingList(state, english)?.actions.map(({ action }) => action);
        assert.deepEqual(actions, [
          "refresh",
          "openSettings",
          "useBuiltInRegistry",
          "connect",
          "showLog",
        ]);
      });
    }
  });
});

const filtered: SkillListing = {
  ...plainListing,
  query: { text: "csv", filters: { verification: ["verified"] } },
};

const listOf = (...slugs: string[]): LoadedCatalog => ({
  kind: "list",
  registry: "https://a.example",
  registryName: "a.example",
  list: startList({
    skills: slugs.map((slug) => ({ slug }) as SkillSummary),
    ignoredFilters: [],
  }),
  loadedAt: 7,
});

describe("the text beside the title of the Skills view", () => {
  const cases: readonly (readonly [string, CatalogState, SkillListing, string])[] = [
    ["nothing before a registry is known", { kind: "loading" }, plainListing, ""],
    [
      "the search and filters, before a registry is known",
      { kind: "loading" },
      filtered,
      "“csv” · verified",
    ],
    ["the registry, if all its skills are listed", listOf("a"), plainListing, "a.example"],
    [
      "the registry, the search and the filters, above an empty list",
      listOf(),
      filtered,
      "a.example · “csv” · verified",
    ],
    [
      "the registry alone, if a message names the search and filters",
      listOf("a"),
      filtered,
      "a.example",
    ],
  ];
  for (const [name, state, listing, expected] of cases) {
    it(`is ${name}`, () => assert.equal(catalogDescription(state, listing, english), expected));
  }
});

describe("the message above the rows of the Skills view", () => {
  const shown = { listing: plainListing, leftOut: 0, isNew: false, now: 7 };
  const messageOf = (state: LoadedCatalog, more: Partial<typeof shown> = {}) =>
    catalogMessage(state, { ...shown, list: state.list, ...more }, english);

  it("is empty if the rows alone are clear", () => assert.equal(messageOf(listOf("a")), ""));

  it("names restrictions of the list first, then notes", () => {
    const listing = { ...plainListing, query: { text: "csv", filters: {} } };
    const message = messageOf(listOf("a"), { listing, leftOut: 1 });
    assert.equal(
      message,
      "Showing: “csv”. Left out because their permissions amount to more than the registry states: 1.",
    );
  });

  it("mentions that the built-in registry bills nothing when somebody starts with it", () => {
    const builtIn = { ...listOf("a"), registry: "" };
    const first = "Built-in sample registry on this machine. Nothing is billed.";
    assert.equal(messageOf(builtIn, { isNew: true }), first);
    assert.equal(messageOf(builtIn), "");
    assert.equal(messageOf(listOf("a"), { isNew: true }), "");
  });

  it("explains on one line why the list is old", () => {
    const failure = { kind: "errorAnswer", status: 503, message: "Down\nuntil noon." } as const;
    const from = { registry: "https://a.example", registryName: "a.example", isBuiltIn: false };
    const state = afterFailure(listOf("a"), failure, from);
    assert.ok(state.kind === "list");
    assert.match(messageOf(state), /^List from .*; refresh failed: .*Down until noon\.$/);
  });
});

describe("the list behind the values of filters", () => {
  const all = { text: "", filters: {} };

  it("is complete if nothing restricts it and no page remains", () => {
    assert.equal(countedList(listOf("a"), all)?.isWhole, true);
    assert.equal(countedList(listOf("a"), { ...all, text: "csv" })?.isWhole, false);
    const begun = { ...listOf("a"), list: { ...listOf("a").list, nextCursor: "c" } };
    assert.equal(countedList(begun, all)?.isWhole, false);
  });

  it("is none before one is loaded", () => {
    assert.equal(countedList({ kind: "loading" }, all), undefined);
  });
});
