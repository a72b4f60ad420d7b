import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readOtlpSettings } from "../../../../src/core/audit/otlpSettings";

const name = (suffix: string) => `OTEL_EXPORTER_OTLP_${suffix}`;
const theirs = "https://theirs.example";
const credential = { [name("HEADERS")]: "Authorization=Bearer%20secret,host=x,a b=c,x-y=1" };

function settingsOf(env: Record<string, string>, endpoint = "") {
  const reading = readOtlpSettings(env, endpoint);
  assert.equal(reading.kind, "on");
  return reading.kind === "on" ? reading.settings : assert.fail();
}

describe("the settings of the audit export", () => {
  for (const [env, endpoint, traces, logs] of [
    [{}, "", "http://localhost:4318/v1/traces", "http://localhost:4318/v1/logs"],
    [
      {},
      "https://own.example/otlp/",
      "https://own.example/otlp/v1/traces",
      "https://own.example/otlp/v1/logs",
    ],
    [{ [name("ENDPOINT")]: theirs }, "", `${theirs}/v1/traces`, `${theirs}/v1/logs`],
    [
      { [name("ENDPOINT")]: theirs, [name("LOGS_ENDPOINT")]: "https://logs.example/in" },
      "",
      `${theirs}/v1/traces`,
      "https://logs.example/in",
    ],
    [
      { [name("ENDPOINT")]: theirs, [name("LOGS_ENDPOINT")]: "https://logs.example/in" },
      "https://own.example",
      "https://own.example/v1/traces",
      "https://own.example/v1/logs",
    ],
  ] as const) {
    it(`name ${traces} and ${logs}, with ${Object.keys(env).length} variables and "${endpoint}"`, () => {
      const { tracesUrl, logsUrl } = settingsOf(env, endpoint);
      assert.deepEqual([tracesUrl, logsUrl], [traces, logs]);
    });
  }

  it("send the headers of the variables only to the origin of the variables, if these name one", () => {
    const headers = { authorization: "Bearer secret", "x-y": "1" };
    assert.deepEqual(settingsOf(credential).headers, headers);
    assert.deepEqual(settingsOf(credential, "https://own.example").headers, headers);
    const both = { ...credential, [name("ENDPOINT")]: theirs };
    assert.deepEqual(settingsOf(both).headers, headers);
    assert.deepEqual(settingsOf(both, `${theirs}/other`).headers, headers);
    assert.deepEqual(settingsOf(both, "https://own.example").headers, {});
  });

  it("drop headers that contain a line break", () => {
    const env = { [name("HEADERS")]: "a=b%0d%0aevil: 1,ok=1,bad=%zz" };
    assert.deepEqual(settingsOf(env).headers, { ok: "1" });
  });

  it("name the service and its resource", () => {
    const env = { OTEL_RESOURCE_ATTRIBUTES: "team=a%2Cb,service.name=shop" };
    assert.deepEqual(settingsOf({}).resource, { "service.name": "skill-registry" });
    assert.deepEqual(settingsOf(env).resource, { team: "a,b", "service.name": "shop" });
    const named = { ...env, OTEL_SERVICE_NAME: "own" };
    assert.equal(settingsOf(named).resource["service.name"], "own");
  });

  for (const [milliseconds, seconds] of [
    ["", 10],
    ["2500", 2.5],
    ["-1", 10],
    ["soon", 10],
    ["999999999", 60],
  ] as const) {
    it(`give a request ${seconds} s where the variable is "${milliseconds}"`, () => {
      assert.equal(settingsOf({ [name("TIMEOUT")]: milliseconds }).timeoutSeconds, seconds);
    });
  }

  it("turn the export off if the environment turns its SDKs off", () => {
    assert.equal(readOtlpSettings({ OTEL_SDK_DISABLED: "true" }, theirs).kind, "off");
  });

  for (const [env, endpoint] of [
    [{ [name("PROTOCOL")]: "grpc" }, ""],
    [{}, "ftp://own.example"],
    [{}, "https://user:password@own.example"],
    [{}, "own.example:4318"],
    [{ [name("LOGS_ENDPOINT")]: "file:///etc/passwd" }, ""],
  ] as const) {
    it(`cannot be used with ${JSON.stringify(env)} and "${endpoint}"`, () => {
      assert.equal(readOtlpSettings(env, endpoint).kind, "unusable");
    });
  }

  it("ignore the protocol in unused variables", () => {
    assert.equal(readOtlpSettings({ [name("PROTOCOL")]: "grpc" }, theirs).kind, "on");
  });
});
