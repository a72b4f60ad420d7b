import type { SkillDescription } from "../src/core/skill/description/skillDescription";
import { icon } from "../src/page/icons";
import { button, element, notGiven, type PageContext, section } from "./element";
import { jsonBlock } from "./jsonBlock";

/** Shows the publisher's examples, each with a button that starts an input from it. */
export function examplesTab(
  { examples, moreExamples }: SkillDescription,
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  if (examples.length === 0) {
    return section("examples", t("Examples"), notGiven(t("Not provided by this registry.")));
  }
  return element(
    "div",
    { class: "examples" },
    ...examples.map(({ name, input, output }, index) =>
      section(
        `example-${index}`,
        name === "" ? t("Example {number}", { number: index + 1 }) : name,
        element(
          "div",
          { class: "tools" },
          button(
            t("Open as Payload"),
            () => send({ type: "newPayload", example: index }),
            { "aria-label": t("Open as Payload: {name}", { name }) },
            icon("create", "start"),
          ),
        ),
        element(
          "div",
          { class: "columns even" },
          element(
            "div",
            {},
            element("h3", {}, t("Input")),
            jsonBlock(input, t("Input of {name}", { name }), context, {
              copy: { type: "copyExample", example: index, side: "input" },
            }),
          ),
          output === undefined
            ? undefined
            : element(
                "div",
                {},
                element("h3", {}, t("Output")),
                jsonBlock(output, t("Output of {name}", { name }), context, {
                  copy: { type: "copyExample", example: index, side: "output" },
                }),
              ),
        ),
      ),
    ),
    moreExamples > 0
      ? notGiven(t("{count} more examples are not shown.", { count: moreExamples }))
      : undefined,
  );
}
