import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { icon } from "../src/page/icons";
import { button, element } from "./element";
import { jsonBlock } from "./jsonBlock";
import type { PageContext } from "./pageContext";
import { notGiven, section } from "./section";

/** Shows the publisher's examples, each with a button that starts an input from it. */
export function examplesTab({ examples }: SkillDescription, context: PageContext): HTMLElement {
  const { say, send } = context;
  if (examples.length === 0) {
    return section("examples", say("Examples"), notGiven(say("None given by this registry.")));
  }
  return element(
    "div",
    { class: "examples" },
    ...examples.map(({ name, input, output }, index) =>
      section(
        `example-${index}`,
        name === "" ? say("Example {number}", { number: index + 1 }) : name,
        element(
          "div",
          { class: "tools" },
          button(
            say("New Payload from this"),
            () => send({ type: "newPayload", example: index }),
            { "aria-label": say("New Payload from this: {name}", { name }) },
            icon("create", "start"),
          ),
        ),
        element(
          "div",
          { class: "columns even" },
          element(
            "div",
            {},
            element("h3", {}, say("Input")),
            jsonBlock(input, say("Input of {name}", { name }), context),
          ),
          output === undefined
            ? undefined
            : element(
                "div",
                {},
                element("h3", {}, say("Output")),
                jsonBlock(output, say("Output of {name}", { name }), context),
              ),
        ),
      ),
    ),
  );
}
