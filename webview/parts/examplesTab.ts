import type { LongText } from "../../src/core/json/printJson";
import type {
  SchemaSide,
  SkillDescription,
} from "../../src/core/skill/description/skillDescription";
import { button, type PageContext } from "../buttons";
import { element, quietNote, section } from "../element";
import { icon } from "../icons";
import { exampleTools, jsonBlock } from "../schemaTab";
import { type PagePart, pagePart, picked } from "./part";
import { trialView } from "./trialView";

/** Shows the publisher's examples, each with a button to invoke the skill with it, and the result. */
export function examplesTab(context: PageContext): PagePart {
  return pagePart(
    element("div", {}),
    ({ skill }) => picked(skill, "examples", "moreExamples", "offersInvoke"),
    (shown, inner) => [examplesView(shown, inner, context)],
  );
}

function examplesView(
  {
    examples,
    moreExamples,
    offersInvoke,
  }: Pick<SkillDescription, "examples" | "moreExamples" | "offersInvoke">,
  inner: (part: PagePart) => HTMLElement,
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  if (examples.length === 0) {
    return section("examples", t("Examples"), quietNote(t("Not provided by this registry.")));
  }
  return element(
    "div",
    { class: "examples" },
    ...examples.map(({ name: given, input, output }, index) => {
      const name = given === "" ? t("Example {number}", { number: index + 1 }) : given;
      const column = (side: SchemaSide, title: string, json: LongText, label: string) => {
        const block = jsonBlock(json, label, context, exampleTools(index, side));
        return element("div", {}, element("h3", {}, title), block);
      };
      return section(
        `example-${index}`,
        name,
        element(
          "div",
          { class: "tools" },
          offersInvoke &&
            button(
              t("Invoke"),
              () => send({ type: "invokeExample", example: index }),
              { id: `invoke-example-${index}`, "aria-label": t("Invoke with {name}", { name }) },
              icon("play", "start"),
            ),
          button(
            t("Open Payload"),
            () => send({ type: "newPayload", example: index }),
            { "aria-label": t("Open Payload: {name}", { name }) },
            icon("edit", "start"),
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
          column("input", t("Input"), input, t("Input of {name}", { name })),
          output && column("output", t("Output"), output, t("Output of {name}", { name })),
        ),
      );
    }),
    moreExamples > 0 &&
      quietNote(t("{count} more examples are not shown.", { count: moreExamples })),
  );
}
