import type { ExampleTrial } from "../../src/core/skill/description/exampleTrial";
import type { SkillDescription } from "../../src/core/skill/description/skillDescription";
import type { ResultTarget } from "../../src/protocol/readPageMessage";
import { button, type PageContext, toolButton } from "../buttons";
import { element, notGiven, section } from "../element";
import { type IconName, icon, toneIcon } from "../icons";
import { jsonBlock } from "../schemaTab";
import { type PagePart, pagePart } from "./part";

/** Shows the publisher's examples, each with a button that invokes the skill with it and what became of that. */
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
            (trial) => [trial && trialView(trial, { name, index }, context)],
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

/** Shows what became of an example: how it ended, its facts, what can be done about it, and its output. */
function trialView(
  { kind, tone, word, facts, message, actions, output }: ExampleTrial,
  { name, index: example }: { readonly name: string; readonly index: number },
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  const tool = (text: string, label: string, what: ResultTarget, sign: IconName) =>
    toolButton(text, label, () => send({ type: "openResult", example, what }), icon(sign, "start"));
  return element(
    "div",
    { class: "trial", role: "group", "aria-label": t("Result of {name}", { name }) },
    element(
      "p",
      { class: "line" },
      element("span", { class: "by" }, toneIcon(tone), element("strong", {}, word)),
      ...facts.map((fact) => element("span", { class: "quiet" }, fact)),
    ),
    message === "" ? undefined : element("p", { class: "words" }, message),
    kind === "running"
      ? element(
          "div",
          { class: "tools" },
          button(t("Cancel"), () => send({ type: "cancelExample", example }), {
            "aria-label": t("Cancel: {name}", { name }),
          }),
        )
      : undefined,
    actions.length === 0
      ? undefined
      : element(
          "div",
          { class: "tools" },
          ...actions.map(({ title }, action) =>
            button(title, () => send({ type: "runExampleAction", example, action }), {
              "aria-label": t("{title}: {name}", { title, name }),
            }),
          ),
        ),
    output === undefined
      ? undefined
      : jsonBlock(output, t("Result of {name}", { name }), context, {
          copy: { type: "openResult", example, what: "copy" },
          open: { type: "openResult", example, what: "output" },
        }),
    kind === "ended"
      ? element(
          "div",
          { class: "tools" },
          tool(t("Open Invocation"), t("Open Invocation: {name}", { name }), "record", "open"),
          output === undefined
            ? undefined
            : tool(t("Save as Test"), t("Save as Test: {name}", { name }), "test", "yes"),
        )
      : undefined,
  );
}
