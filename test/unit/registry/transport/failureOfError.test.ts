import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { codeOf, unreachableOfError } from "../../../../src/registry/transport/failureOfError";

const withCode = (code: unknown) => Object.assign(new Error("http://user:hunter2@p"), { code });

describe("the code of a system's error", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [withCode("ECONNREFUSED"), "ECONNREFUSED"],
    [withCode("ERR_TLS_CERT_ALTNAME_INVALID"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    [withCode("connect to http://user:hunter2@p failed"), "unknown"],
    [withCode("E".repeat(61)), "unknown"],
    [withCode(7), "unknown"],
    [new Error("hunter2"), "unknown"],
    ["hunter2", "unknown"],
    [undefined, "unknown"],
  ];
  for (const [error, code] of cases) {
    it(`is ${code} for ${error instanceof Error ? JSON.stringify({ ...error }) : String(error)}`, () => {
      assert.equal(codeOf(error), code);
    });
  }

  const causes: readonly (readonly [string, string])[] = [
    ["ENOTFOUND", "name"],
    ["EAI_AGAIN", "name"],
    ["ECONNREFUSED", "refused"],
    ["ECONNRESET", "network"],
    ["ETIMEDOUT", "network"],
    ["CERT_HAS_EXPIRED", "certificate"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "certificate"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate"],
  ];
  for (const [code, cause] of causes) {
    it(`${code} leads to the cause “${cause}”`, () => {
      assert.equal(unreachableOfError(withCode(code)).cause, cause);
    });
  }
});
