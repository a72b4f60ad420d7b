import type { OutlineNode } from "../src/core/schemaOutline";
import { button, type Content, element } from "./element";
import type { PageContext } from "./pageContext";
import { definitions, notGiven } from "./section";

/** Shows the outline of a schema as nested lists; deeper levels open and close. */
export function outlineView(root: OutlineNode, context: PageContext): HTMLElement {
  const { say } = context;
  const view = element("div", { class: "outline" });
  const setAll = (open: boolean) => {
    for (const part of view.querySelectorAll("details")) part.open = open;
  };
  const deep = root.children.some(({ children }) => children.length > 0);
  const tools = element(
    "div",
    { class: "tools" },
    button(say("Expand all"), () => setAll(true)),
    button(say("Collapse all"), () => setAll(false)),
  );
  const empty = root.children.length === 0 && root.type === "" && root.description === "";
  view.append(
    ...[
      deep ? tools : undefined,
      element("div", { class: "part" }, ...facts(root, context)),
      root.children.length > 0 ? parts(root.children, 1, context) : undefined,
      empty ? notGiven(say("Any JSON value is allowed.")) : undefined,
    ].filter((part) => part !== undefined),
  );
  return view;
}

function parts(nodes: readonly OutlineNode[], depth: number, context: PageContext): HTMLElement {
  return element(
    "ul",
    {},
    ...nodes.map((node) =>
      element("li", {}, ...facts(node, context), inside(node, depth, context)),
    ),
  );
}

function inside(node: OutlineNode, depth: number, context: PageContext): Content {
  if (node.children.length === 0) return undefined;
  const count = node.children.length;
  return element(
    "details",
    { open: depth < 2 },
    element("summary", {}, context.say("Inside {name} ({count})", { name: node.name, count })),
    parts(node.children, depth + 1, context),
  );
}

function facts(node: OutlineNode, { say }: PageContext): Content[] {
  return [
    head(node, say),
    node.description === "" ? undefined : element("p", { class: "words" }, node.description),
    node.note === "" ? undefined : element("p", { class: "words quiet" }, node.note),
    details(node, say),
  ];
}

function head(node: OutlineNode, say: PageContext["say"]): HTMLElement {
  const name = node.literal
    ? element("code", { class: "name" }, node.name)
    : element("span", { class: "name" }, node.name);
  return element(
    "p",
    { class: "line" },
    node.name === "" ? undefined : name,
    element("span", { class: "type" }, node.type === "" ? say("any value") : node.type),
    node.required ? element("span", { class: "required" }, say("required")) : undefined,
    node.deprecated ? element("span", { class: "required" }, say("deprecated")) : undefined,
    ...node.limits.map((limit) => element("span", { class: "limit" }, limit)),
  );
}

function details(node: OutlineNode, say: PageContext["say"]): Content {
  const rows: [string, ...Content[]][] = [];
  if (node.values.length > 0) {
    const more =
      node.moreValues > 0 ? say("and {count} more", { count: node.moreValues }) : undefined;
    const label = node.values.length + node.moreValues === 1 ? say("Always") : say("One of");
    rows.push([label, ...node.values.flatMap((value) => [element("code", {}, value), " "]), more]);
  }
  if (node.defaultText !== undefined) {
    rows.push([say("Default"), element("code", {}, node.defaultText)]);
  }
  if (node.exampleText !== undefined) {
    rows.push([say("Example"), element("code", {}, node.exampleText)]);
  }
  return rows.length === 0 ? undefined : definitions(rows);
}
