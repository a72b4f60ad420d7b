import type { ExampleTrial, TrialPart } from "../../src/core/invocation/output/exampleTrial";
import type { TrialName } from "../../src/protocol/pageMessages";
import type { ResultTarget } from "../../src/protocol/readPageMessage";
import { button, type PageContext, toolButton } from "../buttons";
import { element, quietNote } from "../element";
import { type IconName, icon, toneIcon } from "../icons";
import { jsonBlock } from "../schemaTab";

/** Shows the result of an invocation from the page: its outcome, facts, actions and output. */
export function trialView(
  {
    kind,
    tone,
    word,
    facts,
    message,
    actions,
    output,
    parts,
    moreParts,
    isUnrecorded,
  }: ExampleTrial,
  { name, trial }: { readonly name: string; readonly trial: TrialName },
  context: PageContext,
): HTMLElement {
  const { t, send } = context;
  const tool = (text: string, label: string, what: ResultTarget, sign: IconName) =>
    toolButton(text, label, () => send({ type: "openResult", trial, what }), icon(sign, "start"));
  return element(
    "div",
    { class: "trial", role: "group", "aria-label": t("Result of {name}", { name }) },
    element(
      "p",
      { class: "line" },
      element("span", { class: "by" }, toneIcon(tone), element("strong", {}, word)),
      ...facts.map((fact) => element("span", { class: "quiet" }, fact)),
    ),
    message !== "" && element("p", { class: "words" }, message),
    kind === "running" &&
      element(
        "div",
        { class: "tools" },
        button(t("Cancel"), () => send({ type: "cancelTrial", trial }), {
          "aria-label": t("Cancel: {name}", { name }),
        }),
      ),
    actions.length !== 0 &&
      element(
        "div",
        { class: "tools" },
        ...actions.map(({ title }, action) =>
          button(title, () => send({ type: "runTrialAction", trial, action }), {
            "aria-label": t("{title}: {name}", { title, name }),
          }),
        ),
      ),
    ...parts.map((part, index) => partView(part, index, { name, trial }, context)),
    moreParts > 0 &&
      quietNote(t("{count} more are not shown. They are in the output.", { count: moreParts })),
    output !== undefined &&
      jsonBlock(output, t("Result of {name}", { name }), context, {
        copy: { type: "openResult", trial, what: "copy" },
        open: { type: "openResult", trial, what: "output" },
      }),
    kind === "ended" &&
      isUnrecorded !== true &&
      element(
        "div",
        { class: "tools" },
        tool(t("Open Invocation"), t("Open Invocation: {name}", { name }), "record", "open"),
        output !== undefined &&
          tool(t("Save as Test"), t("Save as Test: {name}", { name }), "test", "yes"),
        output !== undefined &&
          tool(t("Use as Payload…"), t("Use as Payload: {name}", { name }), "payload", "create"),
      ),
  );
}

/** Shows an image, a text or a file of an output, with its type and a button to save it. */
function partView(
  { name, facts, text, image }: TrialPart,
  part: number,
  of: { readonly name: string; readonly trial: TrialName },
  { t, send }: PageContext,
): HTMLElement {
  const label = name === "" ? t("Output") : name;
  const save = toolButton(
    t("Save as File…"),
    t("Save as File: {name}", { name: label }),
    () => send({ type: "saveTrialPart", trial: of.trial, part }),
    icon("create", "start"),
  );
  return element(
    "figure",
    { class: "trial-part" },
    element(
      "figcaption",
      { class: "line" },
      element("code", { class: "name" }, label),
      ...facts.map((fact) => element("span", { class: "quiet" }, fact)),
      save,
    ),
    image &&
      element("img", {
        src: image.src,
        width: String(image.width),
        height: String(image.height),
        alt: t("Image in the output: {name}", { name: label }),
      }),
    text &&
      element(
        "pre",
        { class: "text", tabindex: "0", role: "group", "aria-label": label },
        text.text,
      ),
    text === undefined || text.whole
      ? undefined
      : quietNote(t("Truncated. Save it as a file to see all of it.")),
  );
}
