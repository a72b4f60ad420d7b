import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  openOutputLabel,
  outputLinks,
} from "../../../../../src/core/invocation/record/outputBlock";

const time = "2026-11-20T10:22:31.512Z";
const header = `── ${time}  text-stats@1.0.0  success  12 ms`;

describe("the links of the output channel", () => {
  it("lead to the invocation of each header, and to the whole of a truncated output", () => {
    const text = `${header}\nInvocation ID: x\nOutput:\n{}\n… cut here. ${openOutputLabel} shows all of it.\n`;
    assert.deepEqual(
      outputLinks(text).map(({ start, end, opens, heading }) => [
        text.slice(start, end),
        opens,
        heading,
      ]),
      [
        [time, "invocation", `${header}\nInvocation ID: x`],
        [openOutputLabel, "output", `${header}\nInvocation ID: x`],
      ],
    );
  });

  it("distinguish two invocations of one millisecond", () => {
    const text = `${header}\nInvocation ID: x\n\n${header}\nInvocation ID: y\n\n`;
    const headings = outputLinks(text).map(({ heading }) => heading.slice(-1));
    assert.deepEqual(headings, ["x", "y"]);
  });

  const others: readonly string[] = [
    "",
    `a ${openOutputLabel}`,
    `… ${openOutputLabel}`,
    "── soonZ  x\n",
    ` ${header}`,
    `"${header}`,
  ];
  for (const text of others) {
    it(`do not exist in ${JSON.stringify(text)}`, () => assert.deepEqual(outputLinks(text), []));
  }

  it("are found in long texts", () => {
    const text = `${header}\n${"x".repeat(5_000_000)}\n${"\n".repeat(200_000)}${header}`;
    assert.equal(outputLinks(text).length, 2);
  });
});
