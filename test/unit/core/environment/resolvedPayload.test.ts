import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "mocha";
import { readEnvironments } from "../../../../src/core/environment/environmentsFile";
import {
  environmentOf,
  type PayloadEnvironment,
} from "../../../../src/core/environment/payloadEnvironment";
import { checkResolved, resolvePayload } from "../../../../src/core/environment/resolvedPayload";
import { findSecrets } from "../../../../src/core/payload/findSecrets";
import type { PayloadProblem } from "../../../../src/core/payload/payloadCheck";
import { english } from "../../../../src/core/text/language";

const secret = "sk-ant-s3cret0123456789abc";
const registry = "https://staging.example.com";

function environmentAt(inUse: string): PayloadEnvironment {
  const staging = { registry, values: { customer: "c-17" }, secrets: ["token"] };
  const text = JSON.stringify({ format: 1, environments: { staging } });
  const read = readEnvironments(text, english);
  if (!read.ok) throw new Error("The file is broken.");
  return environmentOf(read.value, { name: "staging", registry: inUse }, () => secret, false);
}

/** Returns the problems of the payload as written, for one problem of the payload as sent. */
async function asWritten(
  written: string,
  problemIn: (sent: string) => Pick<PayloadProblem, "start" | "end" | "message" | "data">,
): Promise<readonly PayloadProblem[]> {
  const resolution = resolvePayload(written, environmentAt(registry), english);
  const check = async (sent: string) => {
    const problem = { code: "type", severity: "error", pointer: "/a", ...problemIn(sent) } as const;
    return { state: "invalid" as const, problems: [problem], hiddenProblems: 0 };
  };
  return (await checkResolved(resolution, check, english)).problems;
}

describe("a payload with values of an environment", () => {
  it("reports a problem of a secret at its placeholder, without its value", async () => {
    const written = '{"a":"{{token}}"}';
    const [problem] = await asWritten(written, (sent) => ({
      start: sent.indexOf('"sk'),
      end: sent.length - 1,
      message: `Must not be ${secret}.`,
      data: { kind: "allowedValues", values: [secret], total: 1 },
    }));
    assert.equal(problem && written.slice(problem.start, problem.end), "{{token}}");
    assert.equal(problem?.message, "The secret token does not match the schema here.");
    assert.ok(!JSON.stringify(problem).includes("s3cret"));
  });

  it("has no message that quotes a secret from another part", async () => {
    const [problem] = await asWritten('{"a":1,"b":"{{token}}"}', () => ({
      start: 1,
      end: 4,
      message: `Must be the same as ${secret}.`,
    }));
    assert.equal(problem?.message, "A secret does not match the schema here.");
  });

  it("moves the offsets in a quick fix's data if no value is affected", async () => {
    const written = '{"b":"{{customer}}","a":1,"a":2}';
    const [problem] = await asWritten(written, (sent) => ({
      start: sent.lastIndexOf('"a"'),
      end: sent.lastIndexOf('"a"') + 3,
      message: "Duplicate property.",
      data: { kind: "duplicateKey", name: "a", firstStart: sent.indexOf('"a"') },
    }));
    const firstStart = written.indexOf('"a"');
    assert.deepEqual(problem?.data, { kind: "duplicateKey", name: "a", firstStart });
    assert.equal(problem?.start, written.lastIndexOf('"a"'));
  });

  it("names the only registry that may receive it, if it contains values", () => {
    const placeOf = (written: string) => {
      const resolution = resolvePayload(written, environmentAt(registry), english);
      return resolution.ok ? [resolution.value.environment, resolution.value.registry] : [];
    };
    assert.deepEqual(placeOf('{"a":"{{customer}}"}'), ["staging", registry]);
    assert.deepEqual(placeOf('{"a":"{{token}}"}'), ["staging", registry]);
    assert.deepEqual(placeOf('{"a":"b"}'), ["staging", undefined]);
  });

  it("is not resolved if the environment's registry is not in use", () => {
    const environment = environmentAt("https://other.example.com");
    const resolution = resolvePayload('{"a":"{{token}}"}', environment, english);
    const problems = resolution.ok ? [] : resolution.check.problems;
    assert.deepEqual(
      problems.map(({ message }) => message),
      [`The environment staging is for ${registry}, which is not in use.`],
    );
  });
});

describe("findSecrets in a payload with an allowed secret", () => {
  const text = `{"a":"${secret}"}`;
  const allowedSecrets = [{ start: 6, end: 6 + secret.length }];

  it("finds the secret only if it was not allowed", () => {
    assert.equal(findSecrets(text).length, 1);
    assert.deepEqual(findSecrets(text, [], allowedSecrets), []);
  });

  it("finds the Project Key nevertheless", () => {
    assert.equal(findSecrets(text, [secret], allowedSecrets).length, 1);
  });
});

describe("a payload without declared names", () => {
  const environment: PayloadEnvironment = {
    kind: "chosen",
    name: "staging",
    registry: "built-in",
    usesVariables: false,
    declared: new Set(["greeting", "token"]),
    secretNames: new Set(["token"]),
    values: new Map([["greeting", '"Hello"']]),
    secrets: new Map([["token", "s3cret-of-mine"]]),
  };
  const folder = "src/localRegistry/skills";
  const skills = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  const samples = skills.flatMap(({ name: skill }) => {
    const text = readFileSync(join(folder, skill, "listing.json"), "utf8");
    const { examples = [] } = JSON.parse(text) as { examples?: { input?: unknown }[] };
    return examples.map(({ input }, index) => [`${skill} ${index}`, input] as const);
  });

  it("occurs in the sample skills at least once", () => assert.ok(samples.length > 0));
  for (const [name, input] of samples) {
    it(`is sent byte for byte: example ${name}`, () => {
      for (const indent of [0, 2, "\t"]) {
        const text = ` ${JSON.stringify(input, undefined, indent)}\r\n`;
        const resolved = resolvePayload(text, environment, english);
        assert.ok(resolved.ok);
        assert.equal(resolved.value.text, text);
        assert.equal(resolved.value.written, undefined);
      }
    });
  }
});

describe("a word in double braces beside declared names", () => {
  const valid = async () => ({ state: "valid" as const, problems: [], hiddenProblems: 0 });
  for (const [word, meant, isGuess] of [
    ["{{custmer}}", "{{customer}}", true],
    ["{{ customer }}", "{{customer}}", false],
    ["{{CUSTOMER}}", "{{customer}}", false],
    ["{{Token}}", "{{token}}", false],
    ["{{customer}}", undefined, false],
    ["{{case:first/a}}", undefined, false],
  ] as const) {
    it(`${meant === undefined ? "is no problem" : `may be ${meant}`}: ${word}`, async () => {
      const text = JSON.stringify({ a: `x ${word}`, b: "{{customer}}" });
      const resolution = resolvePayload(text, environmentAt(registry), english);
      const { state, problems } = await checkResolved(resolution, valid, english);
      assert.equal(state, "valid");
      const found = problems.map(({ start, end, severity, message, data }) => {
        assert.ok(data?.kind === "edit");
        return [text.slice(start, end), severity, message, data.isGuess === true];
      });
      const message = `${word} is sent as text. Did you mean ${meant}?`;
      assert.deepEqual(found, meant === undefined ? [] : [[word, "warning", message, isGuess]]);
    });
  }

  const notesIn = async (text: string, environment = environmentAt(registry)) => {
    const resolution = resolvePayload(text, environment, english);
    const { state, problems } = await checkResolved(resolution, valid, english);
    assert.equal(state, "valid");
    return problems.map(({ start, severity, pointer, data }) => {
      assert.ok(data?.kind === "undeclared");
      return [start, severity, pointer, data.name];
    });
  };

  it("is a note if its name is near no declared one, once for each word", async () => {
    const text = '{"a":"{{greeting}} {{size}}","b":["{{greeting}}"],"{{name}}":1}';
    assert.deepEqual(await notesIn(text), [
      [6, "note", "/a", "greeting"],
      [19, "note", "/a", "size"],
    ]);
  });

  for (const template of [
    "{{#if greeting}}{{greeting}}{{/if}}",
    "{% for x in y %}{{greeting}}{% endfor %}",
    "{{greeting}} {{user.name}}",
    "{{{greeting}}}",
    "{{ greeting }}",
    "{# a #}{{greeting}}",
  ]) {
    it(`is no note in a template of another program: ${template}`, async () => {
      assert.deepEqual(await notesIn(JSON.stringify({ a: template })), []);
    });
  }

  it("is only looked for where an environment is in use", async () => {
    const text = '{"a":"{{custmer}} {{greeting}}"}';
    const elsewhere = environmentAt("https://elsewhere.example");
    const ofCase = { ...environmentAt(registry), name: "" };
    for (const environment of [{ kind: "none" } as const, elsewhere, ofCase]) {
      const resolution = resolvePayload(text, environment, english);
      assert.deepEqual((await checkResolved(resolution, valid, english)).problems, []);
    }
  });
});
