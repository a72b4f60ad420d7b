import type { FormProblems } from "../../src/core/form/formProblems";
import type { Callability } from "../../src/core/invocation/permission/callabilityFacts";
import type { SkillDescription } from "../../src/core/skill/description/skillDescription";
import { trustSigns } from "../../src/core/skill/verification";
import type { FormPart } from "../../src/protocol/pageMessages";
import { button, type PageContext, plainButton } from "../buttons";
import { element, selectOf } from "../element";
import { factIcon, icon, levelIcon, toneIcon } from "../icons";

/** The cost and risks of an invocation. */
export interface Stakes extends Pick<SkillDescription, "permissionLevel"> {
  readonly price: string;
  readonly run: Callability;
}

/** The data of the tools above the fields. */
interface ShownTools extends Stakes, Pick<FormPart, "starts"> {
  readonly isLocal: boolean;
  readonly offersInvoke: boolean;
  readonly hasForm: boolean;
  readonly isRunning: boolean;
  readonly problem: FormProblems["summary"];
}

/** Callbacks of the tools to their form. */
interface ToolActions {
  readonly invoke: () => void;
  readonly open: () => void;
  readonly focusAt: (pointer: string) => void;
}

/** Creates the tools of a form: its actions, the cost and risks of an invocation, and a summary of problems. */
export function formTools(
  shown: ShownTools,
  context: PageContext,
  { invoke, open, focusAt }: ToolActions,
): HTMLElement {
  const { t } = context;
  const { hasForm: isMade, isRunning, problem, isLocal, offersInvoke } = shown;
  return element(
    "div",
    { class: "form-tools" },
    element(
      "div",
      { class: "actions" },
      offersInvoke &&
        button(
          t("Invoke"),
          invoke,
          {
            id: "invoke-form",
            appearance: "primary",
            disabled: !isMade,
            // A disabled button would lose the focus.
            "aria-disabled": isRunning ? "true" : undefined,
            "aria-keyshortcuts": "Control+Enter",
            title: t("Invoke (Ctrl+Enter)"),
          },
          icon("play", "start"),
        ),
      button(t("Open Payload"), open, { id: "open-form" }, icon("edit", "start")),
      startsOf(shown, context),
    ),
    !isLocal && element("ul", { class: "stakes" }, ...stakes(shown, context)),
    problem !== undefined &&
      element(
        "p",
        { class: "form-problem" },
        toneIcon("bad"),
        plainButton("link", problem.text, () => focusAt(problem.pointer), { id: "form-problem" }),
      ),
  );
}

/** Creates the list of payloads to start from. */
function startsOf({ starts }: ShownTools, { t, send }: PageContext): HTMLElement {
  const options = starts.map(({ title }, index) => [String(index), title] as const);
  const list = selectOf(
    { id: "start-form", "aria-label": t("Start over from") },
    [["", t("Start over from…")], ...options],
    (value) => {
      const from = starts[Number(value)]?.kind;
      if (value === "" || from === undefined) return;
      list.value = "";
      send({ type: "startForm", from });
    },
  );
  return list;
}

/** Creates the line with the price, the permission level and whether the skill can be invoked. */
function stakes({ price, permissionLevel, run }: Stakes, { t }: PageContext): HTMLElement[] {
  return [
    element("li", {}, t("Price: {price}", { price })),
    element(
      "li",
      {},
      levelIcon(permissionLevel.bars, permissionLevel.tone),
      t("Permission level: {level}", { level: permissionLevel.word }),
    ),
    element(
      "li",
      {},
      factIcon(trustSigns.callability[run.kind]),
      t("Can I invoke it? {answer}", { answer: run.word }),
    ),
  ];
}
