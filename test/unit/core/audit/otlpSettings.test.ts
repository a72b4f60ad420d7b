import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type OtlpSignal, readOtlpSettings } from "../../../../src/core/audit/otlpSettings";

const name = (suffix: string) => `OTEL_EXPORTER_OTLP_${suffix}`;
const theirs = "https://theirs.example";
const credential = { [name("HEADERS")]: "Authorization=Bearer%20secret,host=x,a b=c,x-y=1" };

function settingsOf(env: Record<string, string>, endpoint = "") {
  const reading = readOtlpSettings(env, endpoint);
  assert.equal(reading.kind, "on");
  return reading.kind === "on" ? reading.settings : assert.fail();
}

function targetOf(env: Record<string, string>, endpoint = "", signal: OtlpSignal = "traces") {
  return settingsOf(env, endpoint).targets[signal] ?? assert.fail(`no ${signal}`);
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
      const urls = (["traces", "logs"] as const).map(
        (signal) => targetOf(env, endpoint, signal).url,
      );
      assert.deepEqual(urls, [traces, logs]);
    });
  }

  it("send the headers of the variables only to the origin of the variables, if these name one", () => {
    const headers = { authorization: "Bearer secret", "x-y": "1" };
    assert.deepEqual(targetOf(credential).headers, headers);
    assert.deepEqual(targetOf(credential, "https://own.example").headers, headers);
    const both = { ...credential, [name("ENDPOINT")]: theirs };
    assert.deepEqual(targetOf(both).headers, headers);
    assert.deepEqual(targetOf(both, `${theirs}/other`).headers, headers);
    assert.deepEqual(targetOf(both, "https://own.example").headers, {});
  });

  it("drop headers that contain a line break", () => {
    const env = { [name("HEADERS")]: "a=b%0d%0aevil: 1,ok=1,bad=%zz" };
    assert.deepEqual(targetOf(env).headers, { ok: "1" });
  });

  it("of one signal take precedence over those of both", () => {
    const env = {
      ...{ [name("HEADERS")]: "a=1", [name("TIMEOUT")]: "1000", [name("COMPRESSION")]: "gzip" },
      ...{ [name("LOGS_HEADERS")]: "b=2", [name("LOGS_TIMEOUT")]: "2000" },
      ...{ [name("PROTOCOL")]: "grpc", [name("LOGS_PROTOCOL")]: "http/json" },
      ...{ [name("TRACES_PROTOCOL")]: "http/json", [name("LOGS_COMPRESSION")]: "none" },
    };
    const [traces, logs] = [targetOf(env), targetOf(env, "", "logs")];
    assert.deepEqual(
      [traces, logs].map((one) => [one.headers, one.timeoutSeconds, one.isCompressed]),
      [
        [{ a: "1" }, 1, true],
        [{ b: "2" }, 2, false],
      ],
    );
  });

  for (const [variable, value] of [
    ["OTEL_LOGS_EXPORTER", "console"],
    ["OTEL_TRACES_EXPORTER", "zipkin"],
    [name("PROTOCOL"), "grpc"],
    [name("TRACES_PROTOCOL"), "http/protobuf"],
    [name("LOGS_COMPRESSION"), "zstd"],
  ] as const) {
    it(`name ${variable}=${value} as not supported, unless an address is set`, () => {
      const reading = readOtlpSettings({ [variable]: value }, "");
      assert.ok(reading.kind === "unusable");
      assert.equal(reading.problem.values?.["variable"], variable);
      assert.equal(readOtlpSettings({ [variable]: value }, theirs).kind, "on");
    });
  }

  it("leave out a signal whose exporter is none, and are off without any", () => {
    const [traces, logs] = [{ OTEL_TRACES_EXPORTER: "none" }, { OTEL_LOGS_EXPORTER: "none" }];
    assert.deepEqual(Object.keys(settingsOf(traces, theirs).targets), ["logs"]);
    assert.deepEqual(Object.keys(settingsOf(logs).targets), ["traces"]);
    assert.equal(readOtlpSettings({ ...traces, ...logs }, "").kind, "off");
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
      assert.equal(targetOf({ [name("TIMEOUT")]: milliseconds }).timeoutSeconds, seconds);
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
