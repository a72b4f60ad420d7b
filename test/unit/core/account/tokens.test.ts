import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  activeTokens,
  mayCreateTokens,
  revokeTokenQuestion,
  type TokenRow,
  tokenFacts,
  tokenLabel,
  tokenNameProblem,
  tokenQuestion,
} from "../../../../src/core/account/tokens";
import { english } from "../../../../src/core/text/language";
import { readTokenRow } from "../../../../src/registry/workspace/userRoutes";
import { localNoon } from "../../../fixtures/localNoon";

const row: TokenRow = {
  id: "1",
  name: "CI",
  last4: "f00d",
  createdAt: localNoon("2026-11-01"),
  isCurrent: false,
  isActive: true,
};

describe("The tokens of an account", () => {
  it("are listed if they work: the one in use first, then those used last", () => {
    const rows: TokenRow[] = [
      { ...row, id: "old", lastUsedAt: 5 },
      { ...row, id: "revoked", isActive: false },
      { ...row, id: "new" },
      { ...row, id: "here", isCurrent: true, lastUsedAt: 1 },
    ];
    assert.deepEqual(
      activeTokens(rows).map(({ id }) => id),
      ["here", "new", "old"],
    );
  });

  it("work unless the registry says that they ended", () => {
    const works = (more: object) => readTokenRow({ id: "1", ...more })?.isActive;
    const working = [{}, { status: "Active" }, { status: "in_use" }];
    assert.deepEqual(working.map(works), [true, true, true]);
    const ended = [{ status: "REVOKED" }, { status: "expired" }, { revokedAt: "2026-11-01" }];
    assert.deepEqual(ended.map(works), [false, false, false]);
  });

  it("are named by their names and last characters, on one line without hidden ones", () => {
    assert.equal(tokenLabel(row), "CI (…f00d)");
    assert.equal(tokenLabel({ ...row, name: "a\nb\u202Ec", last4: "" }), "a b\\u202Ec");
  });

  it("show when they were used last and when they end", () => {
    assert.match(tokenFacts(row, english), /^never used · created Nov 1, 2026.* · never ends$/);
    const used = {
      ...row,
      lastUsedAt: localNoon("2026-11-02"),
      expiresAt: localNoon("2026-11-09"),
    };
    assert.match(tokenFacts(used, english), /^used Nov 2, 2026.* · ends Nov 9, 2026/);
  });

  it("have a name of 1 to 80 characters", () => {
    assert.notEqual(tokenNameProblem("  ", english), "");
    assert.notEqual(tokenNameProblem("x".repeat(81), english), "");
    assert.equal(tokenNameProblem("x".repeat(80), english), "");
  });

  for (const [role, may] of [
    ["owner", true],
    ["admin", true],
    ["", true],
    ["Developer", false],
    ["finance", false],
  ] as const) {
    it(`may be created by the role "${role}": ${may}`, () => {
      assert.equal(mayCreateTokens(role), may);
    });
  }

  it("are created after a question that lists their permissions", () => {
    const account = {
      userId: "u",
      email: "ana@example.org",
      organizationId: "o",
      organization: "Shop",
      role: "owner",
      tokenId: "t",
    };
    const { message, detail } = tokenQuestion("CI of shop", account, english);
    assert.match(message, /CI of shop/);
    assert.match(detail.join(" "), /ana@example\.org \(Shop\) can as owner, and never ends/);
    assert.match(detail.join(" "), /Sessions…/);
  });

  it("are revoked after a question that describes the consequences", () => {
    const { message, detail } = revokeTokenQuestion(row, english);
    assert.match(message, /CI \(…f00d\)/);
    assert.match(detail.join(" "), /signed out at once/);
  });
});
