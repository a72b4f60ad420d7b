import type { SkillDescription } from "../../src/core/skill/description/skillDescription";
import { button, type PageContext } from "../buttons";
import { element, notGiven, section } from "../element";
import { icon } from "../icons";
import { jsonBlock } from "../schemaTab";
import { type PagePart, pagePart } from "./part";
import { trialView } from "./trialView";

/** Shows the publisher's examples, each with a button to invoke the skill with it, and the result. */
export function examplesTab(context: PageContext): PagePart {
  return pagePart(
    element("div", {}),
    ({ skill: { examples, moreExamples } }) => ({ examples, moreExamples }),
    (shown, inner) => [examplesView(shown, inner, context)],
  );
}

function examplesView(
  { examples, moreExamples }: Pick<SkillDescription, "examples" | "moreExamples">,
  inner: (part: PagePart) => HTMLElement,
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  if (examples.length === 0) {
    return section("examples", t("Examples"), notGiven(t("Not provided by this registry.")));
  }
  return element(
    "div",
    { class: "examples" },
    ...examples.map(({ name: given, input, output }, index) => {
      const name = given === "" ? t("Example {number}", { number: index + 1 }) : given;
      return section(
        `example-${index}`,
        name,
        element(
          "div",
          { class: "tools" },
          button(
            t("Invoke"),
            () => send({ type: "invokeExample", example: index }),
            { id: `invoke-example-${index}`, "aria-label": t("Invoke with {name}", { name }) },
            icon("play", "start"),
          ),
          button(
            t("Open as Payload"),
            () => send({ type: "newPayload", example: index }),
            { "aria-label": t("Open as Payload: {name}", { name }) },
            icon("create", "start"),
          ),
        ),
        inner(
          pagePart(
            element("div", {}),
            ({ trials }) => trials[index],
            (trial) => [trial && trialView(trial, { name, trial: index }, context)],
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
              open: { type: "openExample", example: index, side: "input" },
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
                  open: { type: "openExample", example: index, side: "output" },
                }),
              ),
        ),
      );
    }),
    moreExamples > 0
      ? notGiven(t("{count} more examples are not shown.", { count: moreExamples }))
      : undefined,
  );
}
