import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { element } from "./element";
import { jsonBlock } from "./jsonBlock";
import { outlineView } from "./outlineView";
import type { PageContext } from "./pageContext";
import { notGiven, section } from "./section";

/** Shows the input or output schema: an outline for people, beside its JSON and the first example. */
export function schemaTab(
  side: "input" | "output",
  skill: SkillDescription,
  context: PageContext,
): HTMLElement {
  const { say } = context;
  const isInput = side === "input";
  const title = isInput ? say("What it takes") : say("What it returns");
  const schema = skill[side];
  if (schema === undefined) {
    const consequence = isInput
      ? say("No input schema was given by this registry, so inputs cannot be checked here.")
      : say("No output schema was given by this registry.");
    return section(`${side}-outline`, title, notGiven(consequence));
  }
  const example = skill.examples.map((given) => given[side]).find((given) => given !== undefined);
  return element(
    "div",
    { class: "columns" },
    section(`${side}-outline`, title, outlineView(schema.outline, side, context)),
    element(
      "div",
      { class: "column" },
      section(
        `${side}-schema`,
        say("JSON Schema"),
        jsonBlock(schema.json, isInput ? say("Input schema") : say("Output schema"), context, {
          target: isInput ? "inputSchema" : "outputSchema",
        }),
      ),
      example === undefined
        ? undefined
        : section(
            `${side}-example`,
            say("Example"),
            jsonBlock(example, isInput ? say("Example input") : say("Example output"), context),
          ),
    ),
  );
}
