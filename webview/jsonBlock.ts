import type { LongText } from "../src/core/skill/description/skillDescription";
import { icon } from "../src/page/icons";
import type { TextTarget } from "../src/protocol/skillPage";
import { element, notGiven, type PageContext, toolButton } from "./element";

/**
 * Shows JSON text as it is. With a target, the host can copy it or open it in an editor, and the
 * reader can search it.
 */
export function jsonBlock(
  json: LongText,
  label: string,
  { t, send }: PageContext,
  { target }: { readonly target?: TextTarget } = {},
): HTMLElement {
  const tools =
    target === undefined
      ? undefined
      : element(
          "div",
          { class: "tools" },
          toolButton(
            t("Copy"),
            t("Copy: {label}", { label }),
            () => send({ type: "copy", what: target }),
            icon("copy", "start"),
          ),
          toolButton(
            t("Open in editor"),
            t("Open in editor: {label}", { label }),
            () => send({ type: "openText", what: target }),
            icon("open", "start"),
          ),
          toolButton(
            t("Find"),
            t("Find in this page"),
            () => send({ type: "find" }),
            icon("find", "start"),
          ),
        );
  const cutNote =
    target === undefined
      ? t("Cut here: too long to show.")
      : t("Cut here. Open it in an editor to see all of it.");
  return element(
    "div",
    { class: "json" },
    tools,
    element(
      "pre",
      { tabindex: "0", role: "group", "aria-label": t("{label} as JSON", { label }) },
      json.text,
    ),
    json.whole ? undefined : notGiven(cutNote),
  );
}
