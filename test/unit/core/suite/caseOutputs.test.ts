import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { PayloadEnvironment } from "../../../../src/core/environment/payloadEnvironment";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { runSuite } from "../../../../src/core/suite/runSuite";
import { readSuite } from "../../../../src/core/suite/suite";
import { createTurns } from "../../../../src/core/suite/turns";
import { english } from "../../../../src/core/text/language";
import { endedInvocation } from "../../../fixtures/pastInvocation";
import { check, readySuite, success, suite, tools } from "./caseOutcomes";

describe("the outcome of a case", () => {
  describe("with values from earlier cases", () => {
    const first = { name: "make it", payload: { n: 1 }, expect: { output: { "/id": 7 } } };
    const taking = (payload: JsonValue) => suite(first, { name: "use it", payload });
    const ranWith = async (
      text: string,
      outputText: string,
      more: Partial<Parameters<typeof runSuite>[2]> = {},
    ) => {
      const sent: string[] = [];
      const items = await runSuite(readySuite(text), new Map(), {
        ...tools(check(), check(), check(), check()),
        send: async ({ text: payload }) => {
          sent.push(payload);
          return endedInvocation({ ...success, outputText });
        },
        ...more,
      });
      return { sent, states: items.map(({ state }) => state), items };
    };
    const output = '{"id": 7, "text": "a {{customer}} b", "big": 9007199254740993}';

    it("sends them in place of the placeholders, whole or inside a text, with all digits", async () => {
      const payload = {
        id: "{{case:make it/id}}",
        line: "no. {{case:make it/id}}: {{case:make it/text}}",
        big: "{{case:make it/big}}",
        all: "{{case:make it}}",
      };
      const { sent, states } = await ranWith(taking(payload), output, { turns: createTurns(4) });
      assert.deepEqual(states, ["good", "good"]);
      assert.equal(
        sent[1],
        '{"id":7,"line":"no. 7: a {{customer}} b","big":9007199254740993,"all":{"id":7,"text":"a {{customer}} b","big":9007199254740993}}',
      );
    });

    it("lets no output name a value or secret of the environment", async () => {
      const environment: PayloadEnvironment = {
        kind: "chosen",
        name: "staging",
        registry: "built-in",
        declared: new Set(["customer"]),
        values: new Map([["customer", '"c-17"']]),
        secrets: new Map(),
        secretNames: new Set(),
        usesVariables: true,
      };
      const payload = { own: "{{customer}}", taken: "{{case:make it/text}}" };
      const { sent } = await ranWith(taking(payload), output, { environment });
      assert.equal(sent[1], '{"own":"c-17","taken":"a {{customer}} b"}');
    });

    it("sends nothing if the earlier case failed, or its output has no such value", async () => {
      for (const [payload, text, reason] of [
        ["{{case:make it/id}}", '{"id": 8}', /the case make it has no output to take/],
        [
          "{{case:make it/none}}",
          output,
          /the output of the case make it has no value at \/none\./,
        ],
      ] as const) {
        const { sent, states, items } = await ranWith(taking({ payload }), text);
        assert.equal(sent.length, 1);
        assert.equal(states[1], "unknown");
        assert.match(items[1]?.findings[0]?.message ?? "", reason);
      }
    });

    it("sends nothing if the earlier case is not part of the run", async () => {
      const isWanted = ({ name }: { readonly name: string }) => name === "use it";
      const { sent, states } = await ranWith(taking(["{{case:make it}}"]), output, { isWanted });
      assert.deepEqual([sent, states], [[], ["unknown"]]);
    });

    it("takes them from the stored output if nothing is sent, and is skipped without one", async () => {
      const text = suite(
        { name: "make it", payload: 1, expect: { snapshot: true } },
        { name: "use it", payload: ["{{case:make it/id}}"] },
      );
      const checked: string[] = [];
      const offline = {
        ...tools(),
        send: undefined,
        check: async (payload: string) => {
          checked.push(payload);
          return check();
        },
      };
      await runSuite(readySuite(text), new Map([["make it", { id: 7 }]]), offline);
      assert.ok(checked.includes("[7]"), checked.join("\n"));
      const [, second] = await runSuite(
        readySuite(taking({ a: "{{case:make it/id}}" })),
        new Map(),
        offline,
      );
      assert.equal(second?.state, "untested");
    });

    for (const reference of ["{{case:use it}}", "{{case:nobody/id}}", "{{case:make it2}}"]) {
      it(`is a problem of the suite if ${reference} names no earlier case`, () => {
        const read = readSuite(taking({ a: reference }), english);
        assert.ok(!read.ok);
        assert.match(read.problems[0]?.message ?? "", /names no earlier case of this suite/);
      });
    }
  });
});
