import type { LongText } from "../src/core/json/printJson";
import type { OutlineNode } from "../src/core/schema/schemaOutline";
import type { SchemaSide, SchemaView } from "../src/core/skill/description/skillDescription";
import type { PageMessage, TextTarget } from "../src/protocol/readPageMessage";
import { type PageContext, toolButton } from "./buttons";
import { type Content, element, quietNote, refill, section } from "./element";
import { type IconName, icon } from "./icons";
import { type PagePart, pagePart } from "./parts/part";

/** Shows the input schema, closed until the reader opens it: the form above it is the first way to read it. */
export function inputSchema(context: PageContext): PagePart {
  const { t } = context;
  return pagePart(
    element("div", {}),
    ({ skill }) => skill.input !== undefined,
    (isKnown, inner) => {
      const content = inner(schemaPart("input", context));
      if (!isKnown) return [content];
      const summary = element("summary", {}, t("Input schema"));
      return [element("details", { id: "input-schema" }, summary, content)];
    },
  );
}

/** Shows the output schema: a readable outline beside its JSON and the first example. */
export function outputTab(context: PageContext): PagePart {
  return schemaPart("output", context);
}

function schemaPart(side: SchemaSide, context: PageContext): PagePart {
  return pagePart(
    element("div", {}),
    ({ skill, schemas }) => ({
      json: skill[side],
      // Examples of inputs are in their own tab, and in the form.
      examples: side === "input" ? [] : skill.examples.map(({ output }) => output),
      view: schemas[side],
    }),
    (shown) => [schemaView(side, shown, context)],
  );
}

interface ShownSchema {
  readonly json: LongText | undefined;
  /** The output of each example; empty for an input schema. */
  readonly examples: readonly (LongText | undefined)[];
  readonly view: SchemaView | undefined;
}

function schemaView(
  side: SchemaSide,
  { json, examples, view }: ShownSchema,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  const isInput = side === "input";
  const title = isInput ? t("Input") : t("Output");
  if (json === undefined) {
    const consequence = isInput
      ? t("No input schema provided by this registry, so payloads cannot be checked.")
      : t("No output schema provided by this registry.");
    return section(`${side}-outline`, title, quietNote(consequence));
  }
  const index = examples.findIndex((item) => item !== undefined);
  const given = examples[index];
  const example = given ?? view?.sample?.json;
  const words = view?.sample?.fits
    ? t("Made from the schema.")
    : t("Made from the schema; it may not fit.");
  return element(
    "div",
    { class: "columns" },
    section(`${side}-outline`, title, outlineOf(view, side, context)),
    element(
      "div",
      { class: "column" },
      section(
        `${side}-json`,
        t("JSON Schema"),
        jsonBlock(json, isInput ? t("Input schema") : t("Output schema"), context, {
          target: isInput ? "inputSchema" : "outputSchema",
        }),
      ),
      example !== undefined &&
        section(
          `${side}-example`,
          t("Example"),
          given === undefined && quietNote(words),
          jsonBlock(
            example,
            t("Example output"),
            context,
            given === undefined ? {} : exampleTools(index, side),
          ),
        ),
    ),
  );
}

function outlineOf(
  view: SchemaView | undefined,
  side: SchemaSide,
  context: PageContext,
): HTMLElement {
  const { t } = context;
  if (view === undefined) return element("p", { class: "quiet", role: "status" }, t("Loading…"));
  return view.outline === undefined
    ? quietNote(t("This schema could not be outlined. Read its JSON instead."))
    : outlineView(view.outline, side, context);
}

const openLevels = 3;

/** Shows the outline of a schema as nested lists. Deeper levels can be opened. `path` identifies the outline. */
function outlineView(root: OutlineNode, path: string, context: PageContext): HTMLElement {
  const view = element("div", { class: "outline" });
  const isDeep = root.children.some(({ children }) => children.length > 0);
  const isEmpty = root.children.length === 0 && root.type === "" && root.description === "";
  refill(view, [
    isDeep && levelTools(view, context),
    isEmpty
      ? quietNote(context.t("Any JSON value is allowed."))
      : element("div", {}, ...facts(root, context)),
    root.children.length > 0 && parts(root.children, [path], context),
  ]);
  return view;
}

function levelTools(view: HTMLElement, { t }: PageContext): HTMLElement {
  const setAll = (open: boolean) => {
    for (const part of view.querySelectorAll("details")) part.open = open;
  };
  return element(
    "div",
    { class: "tools" },
    toolButton(t("Expand all"), t("Expand all"), () => setAll(true)),
    toolButton(t("Collapse all"), t("Collapse all"), () => setAll(false)),
  );
}

function parts(
  nodes: readonly OutlineNode[],
  above: readonly string[],
  context: PageContext,
): HTMLElement {
  return element(
    "ul",
    {},
    ...nodes.map((node) => {
      const { name, last } = throughPlainItems(node);
      return element("li", {}, ...facts(node, context), inside(last, [...above, name], context));
    }),
  );
}

function inside({ children }: OutlineNode, path: readonly string[], context: PageContext): Content {
  if (children.length === 0) return undefined;
  const words = { name: path.at(-1) ?? "", count: children.length };
  return element(
    "details",
    { open: path.length <= openLevels },
    element("summary", {}, context.t("Inside {name} ({count})", words)),
    parts(children, path, context),
  );
}

// The outline skips the level "each item" of an array of objects, which adds no information.
function throughPlainItems(node: OutlineNode): { name: string; last: OutlineNode } {
  let name = node.name;
  let last = node;
  for (;;) {
    const [only, ...others] = last.children;
    if (only === undefined || others.length > 0 || !isPlainItem(only)) return { name, last };
    name = `${name}: ${only.name}`;
    last = only;
  }
}

function isPlainItem(node: OutlineNode): boolean {
  const { literal, limits, values, defaultText, exampleText, description, note, children } = node;
  const texts = [...limits, ...values, defaultText, exampleText, description, note];
  return (
    !literal && children.length > 0 && texts.every((text) => text === undefined || text === "")
  );
}

function facts(node: OutlineNode, { t }: PageContext): Content[] {
  return [
    head(node, t),
    node.description !== "" && element("p", { class: "words" }, node.description),
    node.note !== "" && element("p", { class: "words quiet" }, node.note),
    valuesLine(node, t),
    codeLine(t("Default"), node.defaultText),
    codeLine(t("Example"), node.exampleText),
  ];
}

function head(node: OutlineNode, t: PageContext["t"]): HTMLElement {
  const name = element(node.literal ? "code" : "span", { class: "name" }, node.name);
  return element(
    "p",
    { class: "line" },
    node.name !== "" && name,
    element("span", { class: "type" }, node.type === "" ? t("any value") : node.type),
    node.required && element("span", { class: "required" }, t("required")),
    node.deprecated && element("span", { class: "required" }, t("deprecated")),
    ...node.limits.map((limit) => element("span", { class: "limit" }, limit)),
  );
}

function valuesLine({ values, moreValues }: OutlineNode, t: PageContext["t"]): Content {
  if (values.length === 0) return undefined;
  const more = moreValues > 0 ? t("and {count} more", { count: moreValues }) : undefined;
  return element(
    "p",
    { class: "values" },
    element("span", { class: "quiet" }, values.length === 1 && !more ? t("Always") : t("One of")),
    ...values.map((value) => element("code", {}, value)),
    more,
  );
}

function codeLine(label: string, text: string | undefined): Content {
  if (text === undefined) return undefined;
  return element(
    "p",
    { class: "values" },
    element("span", { class: "quiet" }, label),
    element("code", {}, text),
  );
}

/** The actions for a JSON text. */
interface JsonTools {
  /** The text that the host can copy or open in an editor, and that the reader can search. */
  readonly target?: TextTarget;
  /** The message that requests the host to copy another text. */
  readonly copy?: PageMessage;
  /** The message that requests the host to open another text in an editor, for a text that is truncated here. */
  readonly open?: PageMessage;
}

/** Returns the actions for one side of an example. */
export function exampleTools(example: number, side: SchemaSide): JsonTools {
  const copy = { type: "copyExample", example, side } as const;
  return { copy, open: { ...copy, type: "openExample" } };
}

/** Shows JSON text unchanged, with syntax highlighting. */
export function jsonBlock(
  json: LongText,
  label: string,
  context: PageContext,
  { target, copy, open }: JsonTools,
): HTMLElement {
  const { t, send } = context;
  const copied = target === undefined ? copy : ({ type: "copy", what: target } as const);
  const opened = target === undefined ? open : ({ type: "openText", what: target } as const);
  const tool = (text: string, name: string, message: PageMessage, sign: IconName) =>
    toolButton(text, name, () => send(message), icon(sign, "start"));
  const openText = t("Open in editor");
  const openName = t("Open in editor: {label}", { label });
  const cutNote =
    opened === undefined
      ? t("Truncated: too long to show.")
      : t("Truncated. Open it in an editor to see all of it.");
  return element(
    "div",
    { class: "json" },
    copied &&
      element(
        "div",
        { class: "tools" },
        tool(t("Copy"), t("Copy: {label}", { label }), copied, "copy"),
        // Only a truncated example or result needs an editor.
        opened && (target !== undefined || !json.whole) && tool(openText, openName, opened, "open"),
        target && tool(t("Find"), t("Find in this page"), { type: "find" }, "find"),
      ),
    element(
      "pre",
      { tabindex: "0", role: "group", "aria-label": t("{label} as JSON", { label }) },
      ...coloredJson(json.text),
    ),
    !json.whole && quietNote(cutNote),
  );
}

/** The maximum number of highlighted tokens. The rest is plain text. */
const maxTokens = 4000;

// Truncation may leave a string without its closing quote.
const token = /("(?:[^"\\]|\\.)*(?:"|$))(\s*:)?|-?\d[\d.eE+-]*|true|false|null/gs;

/** Splits JSON text into elements by token type. The text itself is unchanged. */
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
