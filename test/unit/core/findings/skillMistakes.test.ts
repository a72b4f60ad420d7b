import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type MistakesReader, skillMistakes } from "../../../../src/core/findings/skillMistakes";
import { english, l10nText } from "../../../../src/core/text/language";
import { fullSkill } from "../../../fixtures/skillDetail";

describe("the mistakes in a skill's schemas", () => {
  const message = l10nText("No value fits this schema. Change the parts that exclude each other.");
  const everywhere: MistakesReader = async () => [{ pointer: "/properties/a", message }];
  const sides = async (skill: typeof fullSkill, read = everywhere) =>
    (await skillMistakes(skill, read, english)).map((text) => /input|output/.exec(text)?.[0]);

  it("are told for the input and the output", async () => {
    assert.deepEqual(await sides(fullSkill), ["input", "output"]);
    assert.deepEqual(await sides(fullSkill, async () => []), []);
  });

  it("are not judged by numbers that lost digits", async () => {
    assert.deepEqual(await sides({ ...fullSkill, lossyNumbers: [2 ** 53] }), []);
  });
});
