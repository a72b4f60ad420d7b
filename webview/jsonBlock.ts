import type { LongText } from "../src/core/skill/description/skillDescription";
import { icon } from "../src/page/icons";
import type { TextTarget } from "../src/protocol/skillPage";
import { element, toolButton } from "./element";
import type { PageContext } from "./pageContext";
import { notGiven } from "./section";

/**
 * Shows JSON text as it is. With a target, the host can copy it or open it in an editor, and the
 * reader can search it.
 */
export function jsonBlock(
  json: LongText,
  label: string,
  { say, send }: PageContext,
  { target }: { readonly target?: TextTarget } = {},
): HTMLElement {
  const tools =
    target === undefined
      ? undefined
      : element(
          "div",
          { class: "tools" },
          toolButton(
            say("Copy"),
            say("Copy: {label}", { label }),
            () => send({ type: "copy", what: target }),
            icon("copy", "start"),
          ),
          toolButton(
            say("Open in editor"),
            say("Open in editor: {label}", { label }),
            () => send({ type: "openText", what: target }),
            icon("open", "start"),
          ),
          toolButton(
            say("Find"),
            say("Find in this page"),
            () => send({ type: "find" }),
            icon("find", "start"),
          ),
        );
  const cutNote =
    target === undefined
      ? say("Cut here: too long to show.")
      : say("Cut here. Open it in an editor to see all of it.");
  return element(
    "div",
    { class: "json" },
    tools,
    element(
      "pre",
      { tabindex: "0", role: "group", "aria-label": say("{label} as JSON", { label }) },
      json.text,
    ),
    json.whole ? undefined : notGiven(cutNote),
  );
}
