import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { assertHolds, login, signIn, startedAt, verify, withWorkspace } from "../withWorkspace";

describe("signing in", () => {
  const { test, codes, clock, send, ask } = withWorkspace();
  const email = "developer@local.example";
  const challenge = async () => {
    const { json } = await ask("nobody", signIn, { mode: "login", email });
    const { challengeId } = (json as { challenge: JsonObject }).challenge;
    return { challengeId: String(challengeId), code: codes.get(email) ?? "" };
  };
  const enter = (body: JsonObject) => ask("nobody", verify, body);

  it("accepts a code once, with spaces and dashes, and starts a session of 14 days", async () => {
    const { challengeId, code } = await challenge();
    const spaced = `${code.slice(0, 3)}-${code.slice(3)} `;
    const { status, json } = await enter({ challengeId, code: spaced });
    assert.equal(status, 200);
    const { accessToken, user } = (json as { login: { accessToken: JsonObject; user: JsonObject } })
      .login;
    const { token, name, expiresAt } = accessToken;
    assert.match(String(token), /^shub_user_[0-9a-f]{64}$/);
    assert.deepEqual([user["email"], name], [email, "Email verification session"]);
    assert.equal(expiresAt, "2026-12-04T10:00:00.000Z");
    const { json: account } = await send(String(token), "GET /v1/account");
    assertHolds(account, {
      account: {
        membership: { role: "developer", organizationName: "Local Workspace" },
        session: { expiresAt, tokenLast4: String(token).slice(-4) },
      },
    });
    const again = await enter({ challengeId, code });
    const error = "Email verification code has already been used.";
    assert.deepEqual([again.status, again.json], [403, { error }]);
    clock.now = Date.parse(String(expiresAt));
    assert.equal((await send(String(token), "GET /v1/auth/me")).status, 401);
    clock.now = startedAt;
  });

  it("rejects a wrong code, an expired one, and a stranger's", async () => {
    const { challengeId, code } = await challenge();
    const other = code === "000000" ? "111111" : "000000";
    const wrong = await enter({ challengeId, code: other });
    const errors = [wrong.json];
    clock.now += 600_000;
    errors.push((await enter({ challengeId, code })).json);
    clock.now = startedAt;
    const stranger = "stranger@b.example";
    const { json } = await ask("nobody", signIn, { mode: "login", email: stranger });
    const asked = (json as { challenge: { challengeId: string } }).challenge;
    const strange = { challengeId: asked.challengeId, code: codes.get(stranger) ?? "" };
    for (let time = 0; time < 2; time += 1) errors.push((await enter(strange)).json);
    const noWorkspace = { error: "No SkillHub workspace was found for this verified email." };
    assert.deepEqual(errors, [
      { error: "Email verification code is invalid." },
      { error: "Email verification code has expired." },
      noWorkspace,
      // The code stays unused.
      noWorkspace,
    ]);
  });

  it("accepts a password, and revokes every session but the current one", async () => {
    const { password } = test.registry;
    const { json } = await ask("nobody", login, { identifier: "owner", password });
    const { token, id } = (json as { login: { accessToken: Record<string, string> } }).login
      .accessToken;
    const own = await send(token, `POST /v1/account/sessions/${id}/revoke`, {});
    assert.deepEqual(
      [own.status, own.json],
      [
        403,
        {
          error: "The current session cannot be revoked from this list. Use sign out to end it.",
        },
      ],
    );
    for (let time = 0; time < 2; time += 1) {
      const { status, json: body } = await ask(
        "owner",
        `POST /v1/account/sessions/${id}/revoke`,
        {},
      );
      assert.equal(status, 200);
      assertHolds(body, { session: { status: "revoked", isCurrent: false } });
    }
    assert.equal((await send(token, "GET /v1/auth/me")).status, 401);
    const { json: list } = await ask("owner", "GET /v1/account/sessions");
    const { sessions } = list as { sessions: { isCurrent: boolean; status: string }[] };
    assert.deepEqual(
      sessions.map(({ isCurrent, status }) => [isCurrent, status]),
      [
        [false, "revoked"],
        [true, "active"],
      ],
    );
  });
});
