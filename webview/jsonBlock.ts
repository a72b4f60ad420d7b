import type { LongText } from "../src/core/skill/description/skillDescription";
import { icon } from "../src/page/icons";
import type { PageMessage, TextTarget } from "../src/protocol/skillPage";
import { element, notGiven, type PageContext, toolButton } from "./element";

/** What can be done with a JSON text. */
export interface JsonTools {
  /** The text that the host can copy or open in an editor, and the reader can search. */
  readonly target?: TextTarget;
  /** What asks the host to copy it, where it cannot be opened. */
  readonly copy?: PageMessage;
}

/** Shows JSON text as it is, in colors. */
export function jsonBlock(
  json: LongText,
  label: string,
  context: PageContext,
  { target, copy }: JsonTools = {},
): HTMLElement {
  const { t, send } = context;
  const copyMessage: PageMessage | undefined =
    target === undefined ? copy : { type: "copy", what: target };
  const copyButton =
    copyMessage &&
    toolButton(
      t("Copy"),
      t("Copy: {label}", { label }),
      () => send(copyMessage),
      icon("copy", "start"),
    );
  const cutNote =
    target === undefined
      ? t("Truncated: too long to show.")
      : t("Truncated. Open it in an editor to see all of it.");
  return element(
    "div",
    { class: "json" },
    copyButton &&
      element(
        "div",
        { class: "tools" },
        copyButton,
        ...(target ? fileTools(target, label, context) : []),
      ),
    element(
      "pre",
      { tabindex: "0", role: "group", "aria-label": t("{label} as JSON", { label }) },
      ...coloredJson(json.text),
    ),
    json.whole ? undefined : notGiven(cutNote),
  );
}

function fileTools(target: TextTarget, label: string, { t, send }: PageContext): HTMLElement[] {
  return [
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
  ];
}

/** Elements that a text is colored with at most; what follows has the color of plain text. */
const maxTokens = 4000;

// A text may be cut anywhere, so that a string may end without its quote.
const token = /("(?:[^"\\]|\\.)*(?:"|$))(\s*:)?|-?\d[\d.eE+-]*|true|false|null/gs;

/** Splits JSON text into elements by what its parts are. All of it stays text. */
function coloredJson(text: string): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: quoted, 2: colon } of text.matchAll(token)) {
    if (parts.length > maxTokens * 2) break;
    const shown = quoted ?? whole;
    parts.push(text.slice(end, index), element("span", { class: kindOf(shown, colon) }, shown));
    end = index + shown.length;
  }
  return [...parts, text.slice(end)];
}

function kindOf(shown: string, colon: string | undefined): string {
  if (shown.startsWith('"')) return colon === undefined ? "json-string" : "json-name";
  return /^[tfn]/.test(shown) ? "json-word" : "json-number";
}
