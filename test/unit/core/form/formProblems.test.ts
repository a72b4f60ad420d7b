import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readEnvironments } from "../../../../src/core/environment/environmentsFile";
import { environmentOf } from "../../../../src/core/environment/payloadEnvironment";
import {
  findPlaceholders,
  withoutPlaceholders,
} from "../../../../src/core/environment/placeholders";
import { checkResolved, resolvePayload } from "../../../../src/core/environment/resolvedPayload";
import { formProblems } from "../../../../src/core/form/formProblems";
import { readForm } from "../../../../src/core/form/readForm";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../src/core/text/language";
import { checkPayload } from "../../../../src/language/checkPayload";
import { compileSchema } from "../../../../src/language/compileSchema";

const registry = "https://staging.example.com";
const schema = testableSchema({
  type: "object",
  properties: { prio: { enum: ["low", "high"] }, key: { type: "string", maxLength: 9 } },
});

/** Returns the problems and values of a form, whose environment has a priority and perhaps a secret. */
async function shown(payload: object, given: { prio?: string; token?: string }) {
  const { prio, token } = given;
  const staging = { registry, ...(prio && { values: { prio } }), secrets: ["token"] };
  const other = { registry, values: { prio: "low" } };
  const file = JSON.stringify({ format: 1, environments: { staging, other } });
  const read = readEnvironments(file, english);
  if (!read.ok) throw new Error("The file is broken.");
  const environment = environmentOf(read.value, { name: "staging", registry }, () => token, false);
  const draft = { text: JSON.stringify(payload), unread: {} };
  const resolution = resolvePayload(draft.text, environment, english);
  const compiled = compileSchema(schema);
  const checking = async (text: string) => checkPayload(text, compiled, english);
  const check = await checkResolved(resolution, checking, english);
  const form = readForm(schema, draft, {}, english);
  return formProblems(form, draft, { check, resolution }, english);
}

describe("a form of a payload with placeholders", () => {
  it("names the value at its field, and has no problem if the value fits", async () => {
    const { all, summary } = await shown({ prio: "{{prio}}" }, { prio: "low" });
    assert.deepEqual(all, [
      { pointer: "/prio", message: 'prio is "low" in staging.', severity: "information" },
    ]);
    assert.equal(summary, undefined);
  });

  it("reports a value that does not fit at the field", async () => {
    const { summary } = await shown({ prio: "{{prio}}" }, { prio: "soon" });
    assert.equal(summary?.pointer, "/prio");
    assert.match(summary?.text ?? "", /Must be/);
  });

  it("reports a placeholder without a value at its field", async () => {
    const { summary } = await shown({ prio: "{{prio}}" }, {});
    assert.deepEqual(summary, { pointer: "/prio", text: "staging has no value for prio." });
  });

  it("never quotes a secret, and shows its problems at its field", async () => {
    const { all, summary } = await shown({ key: "{{token}}" }, { token: "s3cret-s3cret" });
    assert.equal(summary?.pointer, "/key");
    assert.deepEqual(
      all.map(({ message }) => message),
      [
        "The secret token does not match the schema here.",
        "token is a secret of staging. It is sent, and shown as dots.",
      ],
    );
  });
});

describe("a text of a registry in a form", () => {
  it("has the same values, and no placeholders", () => {
    const text = JSON.stringify({ a: "{{{token}}}", b: ["\\{{token}}", "{"] }, undefined, 2);
    const plain = withoutPlaceholders(text);
    assert.deepEqual(JSON.parse(plain), JSON.parse(text));
    assert.deepEqual(findPlaceholders(plain, undefined), []);
    assert.equal(findPlaceholders(text, undefined).length, 2);
  });
});
