import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { CredentialProblem } from "../../../../src/core/registry/credential";
import { failureNotice, type RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { english } from "../../../../src/core/text/language";

describe("the notice of a failed reading", () => {
  const refused = { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" } as const;
  const proxy = { kind: "unreachable", cause: "proxy", detail: "407" } as const;
  const cases: readonly (readonly [RegistryFailure, ...(readonly string[])])[] = [
    [refused, "connect", "showLog"],
    [{ ...refused, withoutProxy: true }, "openProxySettings", "connect", "showLog"],
    [proxy, "openProxySettings", "connect", "showLog"],
    [{ kind: "timeout", seconds: 3 }, "openSettings"],
    [{ kind: "tooLarge", limitBytes: 9 }, "openSettings"],
    [{ kind: "redirected", target: "https://a.example" }, "connect"],
    [{ kind: "notFound" }],
    [{ kind: "tooManyValues", what: "members", limit: 25_000 }],
    [{ kind: "unreadable", route: "/x", field: "" }, "connect", "showLog"],
  ];
  for (const [failure, ...actions] of cases) {
    it(`offers for ${JSON.stringify(failure)}: ${actions.join(", ") || "nothing"}`, () => {
      const notice = failureNotice(failure, english);
      assert.deepEqual(
        notice?.actions.map(({ action }) => action),
        actions,
      );
    });
  }

  it("names the proxy setting only if a proxy may be missing", () => {
    const hint = /http\.proxy setting/;
    assert.match(failureNotice({ ...refused, withoutProxy: true }, english)?.message ?? "", hint);
    assert.match(failureNotice(proxy, english)?.message ?? "", hint);
    assert.doesNotMatch(failureNotice(refused, english)?.message ?? "", hint);
  });

  it("lists the usable proxies if the configured one is not", () => {
    const failure = { ...proxy, detail: "UNSUPPORTED_SCHEME" };
    const message = failureNotice(failure, english)?.message ?? "";
    assert.match(
      message,
      /http:\/\/, https:\/\/ or socks5:\/\/ proxy in http\.proxy or HTTPS_PROXY\.$/,
    );
  });

  it("distinguishes a credential for another registry from one of another kind", () => {
    const message = (problem: CredentialProblem) =>
      failureNotice({ kind: "wrongCredential", problem }, english)?.message ?? "";
    assert.match(message("otherOrigin"), /^Not sent: this credential is for another registry\./);
    for (const problem of ["otherRoute", "otherKind"] as const)
      assert.match(message(problem), /^Not sent: this request needs another kind of credential\./);
  });

  it("ends as a sentence, with any text of the registry", () => {
    const answer = { kind: "errorAnswer", status: 500 } as const;
    for (const failure of [
      answer,
      { ...answer, message: "Down" },
      { ...answer, message: "Down. " },
    ]) {
      assert.match(failureNotice(failure, english)?.message ?? "", /[^.]\.$/);
    }
  });

  it("is empty after a cancellation", () => {
    assert.equal(failureNotice({ kind: "cancelled" }, english), undefined);
  });
});
