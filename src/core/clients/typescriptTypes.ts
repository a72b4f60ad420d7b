import type { ObjectShape, Shape, Shapes } from "./shape";

/**
 * Writes a schema's shape as exported TypeScript types: `name` for the whole, and one for each definition. They compile
 * under `strict` and `exactOptionalPropertyTypes`, alone and beside types of other names.
 */
export function typescriptTypes(name: string, shapes: Shapes): string {
  const names = definitionNames(name, shapes);
  const { root, about } = shapes;
  const types = [
    // A root with a name is one of the definitions.
    ...(root.kind === "named" ? [] : [typeDeclaration(name, root, about, names)]),
    ...[...shapes.definitions].map(([id, { shape, about }]) =>
      typeDeclaration(names.get(id) ?? name, shape, about, names),
    ),
  ];
  return types.join("\n\n");
}

type Names = ReadonlyMap<number, string>;

/** Returns type names for the definitions of a schema: its own name, then theirs, with a number if two are equal. */
export function definitionNames(name: string, { root, definitions }: Shapes): Names {
  const taken = new Set([name]);
  const names = new Map<number, string>();
  for (const [id, definition] of definitions) {
    if (root.kind === "named" && root.id === id) {
      names.set(id, name);
      continue;
    }
    names.set(id, uniqueName(name + typeName(definition.name || "Whole"), taken));
  }
  return names;
}

/** Returns a name that is not taken, with a number if necessary, and marks it as taken. */
export function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name}${number}`;
  taken.add(unique);
  return unique;
}

/** Creates a type name from any text: its letters and digits, each word capitalized. */
export function typeName(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return name.slice(0, 60);
}

function typeDeclaration(
  name: string,
  shape: Shape,
  about: readonly string[],
  names: Names,
): string {
  return `${comment(about, "")}export type ${name} = ${typeText(shape, names, "")};`;
}

/** Writes a shape as a type; `indent` is the indentation of its line. */
function typeText(shape: Shape, names: Names, indent: string): string {
  switch (shape.kind) {
    case "unknown":
      return shape.why === undefined ? "unknown" : `unknown /* ${commentText(shape.why)} */`;
    case "never":
      return "never";
    case "primitive":
      return shape.type === "integer" ? "number" : shape.type;
    case "literal":
      return JSON.stringify(shape.value);
    case "array":
      return `readonly ${grouped(shape.items, names, indent)}[]`;
    case "tuple":
      return tupleText(shape, names, indent);
    case "object":
      return objectText(shape, names, indent);
    case "union":
      return shape.of.map((part) => grouped(part, names, indent, "union")).join(" | ");
    case "intersection":
      return shape.of.map((part) => grouped(part, names, indent)).join(" & ");
    case "named":
      return names.get(shape.id) ?? "unknown";
  }
}

/** Writes a part of a larger type, in parentheses if needed. */
function grouped(shape: Shape, names: Names, indent: string, within?: "union"): string {
  const text = typeText(shape, names, indent);
  const binds =
    shape.kind === "union" ||
    (shape.kind === "intersection" && within === undefined) ||
    ((shape.kind === "array" || shape.kind === "tuple") && within === undefined);
  return binds ? `(${text})` : text;
}

function tupleText(
  { items, required, rest }: Extract<Shape, { kind: "tuple" }>,
  names: Names,
  indent: string,
): string {
  const parts = items.map((item, index) =>
    index < required ? typeText(item, names, indent) : `${grouped(item, names, indent)}?`,
  );
  if (rest !== undefined) parts.push(`...${grouped(rest, names, indent)}[]`);
  return `readonly [${parts.join(", ")}]`;
}

function objectText({ properties, rest }: ObjectShape, names: Names, indent: string): string {
  if (properties.length === 0) {
    const values = rest === undefined ? "never" : typeText(rest, names, indent);
    return `{ readonly [name: string]: ${values} }`;
  }
  const inner = `${indent}  `;
  const lines = properties.map(({ name, isRequired, shape, about }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeText(shape, names, inner);
    return `${comment(about, inner)}${inner}readonly ${key}${isRequired ? "" : "?"}: ${type};`;
  });
  if (rest !== undefined) {
    lines.push(`${inner}readonly [name: string]: ${restText(properties, rest, names, inner)};`);
  }
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** Writes the index signature. TypeScript applies it to all properties, so it must allow their types. */
function restText(
  properties: ObjectShape["properties"],
  rest: Shape,
  names: Names,
  indent: string,
): string {
  if (rest.kind === "unknown") return typeText(rest, names, indent);
  const isOptional = properties.some(({ isRequired }) => !isRequired);
  const shapes = [rest, ...properties.map(({ shape }) => shape)];
  if (shapes.some(({ kind }) => kind === "unknown")) return "unknown";
  const parts = new Set(shapes.map((shape) => grouped(shape, names, indent, "union")));
  return [...parts, ...(isOptional ? ["undefined"] : [])].join(" | ");
}

/** Writes lines as the comment above a declaration; nothing for no lines. */
function comment(lines: readonly string[], indent: string): string {
  const texts = lines.flatMap((line) => commentText(line).split("\n"));
  const [only] = texts;
  if (only === undefined) return "";
  if (texts.length === 1) return `${indent}/** ${only} */\n`;
  return [`${indent}/**`, ...texts.map((text) => `${indent} * ${text}`), `${indent} */`, ""].join(
    "\n",
  );
}

/** Makes a registry's text safe for a comment: it cannot end the comment, control a terminal or be invisible. */
function commentText(text: string): string {
  return text
    .replaceAll("*/", "*\\/")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, " ")
    .trim();
}
