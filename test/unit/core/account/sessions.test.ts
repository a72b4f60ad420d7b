import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  accountKey,
  endsSession,
  expiryWarning,
  isSameOrganization,
  mayHaveTakenEffect,
  nextExpiryMoment,
  readForgotten,
  readSessions,
  sessionAt,
  sessionsToRevoke,
  signedOutText,
  type UserSession,
  withForgotten,
  withSession,
} from "../../../../src/core/account/sessions";
import {
  projectDescription,
  projectMessage,
  stateOfFailure,
} from "../../../../src/core/project/projectState";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { english } from "../../../../src/core/text/language";
import { localNoon } from "../../../fixtures/localNoon";
import { userSession } from "../../../fixtures/userSession";

const now = localNoon("2026-11-22");
const day = 24 * 3_600_000;

function sessionOf(changes: Partial<UserSession> = {}): UserSession {
  return userSession({ expiresAt: now + 14 * day, ...changes });
}

describe("stored sessions", () => {
  it("are read, without damaged entries", () => {
    const { expiresAt: _, ...lasting } = userSession();
    const kept = [userSession(), lasting];
    assert.deepEqual(readSessions(JSON.stringify(kept)), kept);
    const { token: __, ...less } = userSession();
    const others = [less, { ...lasting, isOurs: "yes" }, { ...lasting, expiresAt: "later" }];
    assert.deepEqual(readSessions(JSON.stringify([...others, lasting])), [lasting]);
    for (const text of ["", "{", "{}", "[1, null]"]) assert.deepEqual(readSessions(text), []);
  });
});

describe("a sign-in", () => {
  it("is chosen for its own registry: the chosen account, else the last one", () => {
    const first = sessionOf();
    const second = sessionOf({ organizationId: "p" });
    const elsewhere = sessionOf({ origin: "https://b.example" });
    const all = [first, second, elsewhere];
    assert.equal(sessionAt(all, first.origin, accountKey(first)), first);
    assert.equal(sessionAt(all, first.origin, undefined), second);
    assert.equal(sessionAt(all, first.origin, accountKey(elsewhere)), second);
    assert.equal(sessionAt(all, "https://c.example", accountKey(first)), undefined);
  });

  it("replaces an earlier one of the same account", () => {
    const before = sessionOf();
    const anew = sessionOf({ tokenId: "t2", token: "shub_user_2" });
    const other = sessionOf({ organizationId: "p" });
    assert.deepEqual(withSession([before, other], anew), [other, anew]);
  });

  it("warns two days before it ends", () => {
    const warning = (expiresAt: number | undefined) => {
      const { expiresAt: _, ...session } = sessionOf();
      const account = { ...session, ...(expiresAt !== undefined && { expiresAt }) };
      return expiryWarning(account, now, english);
    };
    assert.equal(warning(undefined), "");
    assert.equal(warning(now + 2 * day + 1), "");
    assert.match(warning(now + 2 * day), /^Your sign-in ends Nov 24, 2026/);
  });

  it("is checked again two days before it ends, and when it ends", () => {
    const { expiresAt: _, ...endless } = sessionOf();
    const session = sessionOf({ expiresAt: now });
    assert.equal(nextExpiryMoment(endless, now), undefined);
    assert.equal(nextExpiryMoment(session, now - 2 * day - 1), now - 2 * day);
    assert.equal(nextExpiryMoment(session, now - 2 * day), now);
    assert.equal(nextExpiryMoment(session, now), undefined);
  });

  it("describes after signing out how long the registry still accepts the token", () => {
    const text = signedOutText(sessionOf(), english);
    assert.match(text, /^a@b\.c \(Org\) is signed out\. .*until Dec 6, 2026/);
    assert.match(signedOutText(sessionOf({ isOurs: false }), english), /pasted token stays valid/);
  });

  it("knows other accounts of the same organization and registry", () => {
    const key = accountKey(sessionOf());
    assert.ok(isSameOrganization(key, sessionOf({ userId: "v" })));
    assert.ok(!isSameOrganization(key, sessionOf({ organizationId: "p" })));
    assert.ok(!isSameOrganization(key, sessionOf({ origin: "https://b.example" })));
  });

  it("revokes forgotten sign-ins of the same person at the same registry", () => {
    const forgotten = withForgotten([], sessionOf(), now);
    assert.equal(forgotten.length, 1);
    assert.ok(!JSON.stringify(forgotten).includes("shub_user"));
    assert.equal(sessionsToRevoke(forgotten, sessionOf({ tokenId: "t2" })).length, 1);
    assert.equal(sessionsToRevoke(forgotten, sessionOf({ tokenId: "t1" })).length, 0);
    assert.equal(sessionsToRevoke(forgotten, sessionOf({ tokenId: "t2", userId: "v" })).length, 0);
    const there = sessionOf({ tokenId: "t2", origin: "https://b.example" });
    assert.equal(sessionsToRevoke(forgotten, there).length, 0);
    assert.deepEqual(withForgotten([], sessionOf({ isOurs: false }), now), []);
    assert.deepEqual(withForgotten(forgotten, sessionOf({ isOurs: false }), now + 15 * day), []);
  });

  it("reads forgotten sign-ins, and nothing else, from the storage", () => {
    const forgotten = withForgotten([], sessionOf(), now);
    const [one] = forgotten;
    const others = [null, "text", {}, { ...one, tokenId: 1 }, { ...one, expiresAt: "soon" }];
    assert.deepEqual(readForgotten([...others, ...forgotten]), forgotten);
    assert.deepEqual(readForgotten({ length: 1 }), []);
  });
});

describe("a failure of a signed-in request", () => {
  const error = (status: number): RegistryFailure => ({ kind: "errorAnswer", status });
  const rows: readonly [RegistryFailure, ends: boolean, undecided: boolean, state: string][] = [
    [error(401), true, false, "signedOut"],
    [error(400), false, false, "failed"],
    [error(403), false, false, "wrongRole"],
    [error(405), false, false, "notOffered"],
    [error(500), false, true, "failed"],
    [error(501), false, true, "notOffered"],
    [{ kind: "notFound" }, false, false, "notOffered"],
    [{ kind: "notFound", message: "Project not found." }, false, false, "failed"],
    [{ kind: "timeout", seconds: 30 }, false, true, "failed"],
    [{ kind: "connectionLost", detail: "ECONNRESET" }, false, true, "failed"],
    [{ kind: "unreachable", cause: "refused", detail: "" }, false, false, "failed"],
    [{ kind: "wrongCredential", problem: "otherOrigin" }, false, false, "failed"],
    [{ kind: "containsKey" }, false, false, "failed"],
  ];
  for (const [failure, ends, undecided, kind] of rows) {
    it(`${JSON.stringify(failure)} leads to ${kind}`, () => {
      assert.equal(endsSession(failure), ends);
      assert.equal(mayHaveTakenEffect(failure), undecided);
      const state = stateOfFailure(failure, sessionOf(), { kind: "loading" });
      assert.equal(state.kind, kind);
    });
  }

  it("keeps the loaded data and reports that reading it again failed", () => {
    const summary = { slug: "demo", name: "Demo" };
    const lists = { skills: [], keys: [], updates: [], invocations: [], subscriptions: [] };
    const detail = { summary, ...lists };
    const loaded = {
      kind: "project",
      registry: "r",
      account: sessionOf(),
      detail,
      loadedAt: now,
    } as const;
    assert.equal(projectDescription(loaded), "Demo · a@b.c (Org) · owner");
    assert.equal(projectMessage(loaded, undefined, now, english), "");
    const soon = { ...loaded, account: sessionOf({ expiresAt: now + 2 * day }) };
    assert.match(projectMessage(soon, undefined, now, english), /^Your sign-in ends Nov 24, 2026/);
    const state = stateOfFailure(error(500), sessionOf(), loaded);
    assert.match(projectMessage(state, undefined, now, english), /refresh failed: .*HTTP 500/);
    assert.equal(stateOfFailure(error(401), sessionOf(), loaded).kind, "signedOut");
  });

  it("is shown above an empty view in full, not in its header", () => {
    const failed = stateOfFailure(error(500), sessionOf(), { kind: "loading" });
    assert.equal(projectDescription(failed), "");
    assert.match(projectMessage(failed, undefined, now, english), /HTTP 500/);
    const problem = { text: "No address." };
    const state = { kind: "notConnected", problem } as const;
    assert.deepEqual(
      [projectDescription(state), projectMessage(state, undefined, now, english)],
      ["", "No address."],
    );
  });
});
