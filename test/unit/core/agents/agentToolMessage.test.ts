import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { agentToolMessage, agentToolNames } from "../../../../src/core/agents/agentTools";
import { english } from "../../../../src/core/text/language";

describe("the message of a chat before it runs an agent's tool", () => {
  it("describes the action of each tool, and names the skill", () => {
    const input = { skill: "text-stats@1.0.0", input: { text: "secret" } };
    assert.deepEqual(
      agentToolNames.map((name) => agentToolMessage(name, input, english)),
      [
        "Searching for skills",
        "Reading what text-stats is and may do",
        "Checking a payload for text-stats; nothing is sent",
        "Invoking text-stats within your limits",
        "Reading the output of an invocation",
      ],
    );
  });

  for (const skill of ["[x](command:y)", "$(check)", "a\nb", 5, undefined, "x".repeat(200)]) {
    it(`shows no part of an invalid slug: ${JSON.stringify(skill)?.slice(0, 20)}`, () => {
      const message = agentToolMessage("invoke_skill", { skill }, english);
      assert.equal(message, "Invoking … within your limits");
    });
  }
});
