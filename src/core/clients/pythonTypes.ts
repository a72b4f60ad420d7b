import { pythonKeywords } from "./pythonNames";
import { mergeObjects, type ObjectShape, type Shape, type Shapes } from "./shape";
import { definitionNames, typeName, uniqueName } from "./typescriptTypes";

/**
 * Writes a schema's shape as Python types for 3.11 and newer: objects as `TypedDict`, everything else as aliases. A
 * type that Python cannot express is `object`. A `TypedDict` allows no other keys, even if the schema does.
 */
export function pythonTypes(name: string, shapes: Shapes): string {
  return new PythonTypes(name, shapes).write();
}

class PythonTypes {
  readonly #name: string;
  readonly #shapes: Shapes;
  readonly #names: ReadonlyMap<number, string>;
  readonly #taken: Set<string>;
  readonly #written: string[] = [];

  constructor(name: string, shapes: Shapes) {
    this.#name = name;
    this.#shapes = shapes;
    this.#names = definitionNames(name, shapes);
    this.#taken = new Set([name, ...this.#names.values()]);
  }

  write(): string {
    const { root, about, definitions } = this.#shapes;
    if (root.kind !== "named") this.#declare(this.#name, root, about);
    for (const [id, { shape, about: own }] of definitions) {
      this.#declare(this.#names.get(id) ?? this.#name, shape, own);
    }
    return this.#written.join("\n\n\n");
  }

  #declare(name: string, shape: Shape, about: readonly string[]): void {
    const [object, ...others] = this.#objectsOf(shape);
    if (object !== undefined && others.length === 0 && object.properties.length > 0) {
      this.#declareDict(name, object, about);
      return;
    }
    // In quotes, since it may name a type further below.
    const lines = about.flatMap(commentLines).map((line) => `# ${line}\n`);
    const type = this.#typeText(shape, name);
    this.#written.push(`${lines.join("")}${name}: TypeAlias = ${JSON.stringify(type)}`);
  }

  /** Returns the objects of a shape that is one object; empty for another shape. */
  #objectsOf(shape: Shape): readonly ObjectShape[] {
    if (shape.kind === "object") return [shape];
    if (shape.kind !== "intersection") return [];
    const objects = shape.of.map((part) => this.#resolved(part));
    const [first, ...others] = objects.filter((part) => part.kind === "object");
    if (first === undefined || others.length + 1 < objects.length) return [];
    return [others.reduce(mergeObjects, first)];
  }

  #resolved(shape: Shape): Shape {
    const seen = new Set<number>();
    let at = shape;
    while (at.kind === "named" && !seen.has(at.id)) {
      seen.add(at.id);
      at = this.#shapes.definitions.get(at.id)?.shape ?? { kind: "unknown" };
    }
    return at;
  }

  #declareDict(name: string, { properties }: ObjectShape, about: readonly string[]): void {
    const entries = properties.map(({ name: key, isRequired, shape, about: own }) => {
      const type = this.#typeText(shape, `${name}${typeName(key) || "Part"}`.slice(0, 120));
      return { key, type: isRequired ? type : `NotRequired[${type}]`, about: own };
    });
    if (entries.every(({ key }) => isPlainName(key))) {
      const lines = entries.flatMap((entry) => [
        ...entry.about.flatMap(commentLines).map((line) => `    # ${line}`),
        `    ${entry.key}: ${JSON.stringify(entry.type)}`,
      ]);
      const doc = about.flatMap(commentLines).map((line) => `    # ${line}`);
      this.#written.push([`class ${name}(TypedDict):`, ...doc, ...lines].join("\n"));
      return;
    }
    const lines = entries.map(
      ({ key, type }) => `        ${pythonText(key)}: ${JSON.stringify(type)},`,
    );
    this.#written.push(
      [`${name} = TypedDict(`, `    "${name}",`, "    {", ...lines, "    },", ")"].join("\n"),
    );
  }

  /** Writes a type for its use in another. A type that needs its own declaration gets one under `name`. */
  #typeText(shape: Shape, name: string): string {
    switch (shape.kind) {
      case "unknown":
        return "object";
      case "never":
        return "Never";
      case "primitive":
        return primitives[shape.type];
      case "literal":
        return literalText(shape.value);
      case "array":
        return `Sequence[${this.#typeText(shape.items, name)}]`;
      case "tuple": {
        const items = [...shape.items, ...(shape.rest ? [shape.rest] : [])];
        return `Sequence[${this.#unionText(items, name)}]`;
      }
      case "union":
        return this.#unionText(shape.of, name);
      case "named":
        return this.#names.get(shape.id) ?? "object";
      case "object":
        return this.#dictText(shape, name);
      case "intersection": {
        const [object] = this.#objectsOf(shape);
        if (object !== undefined) return this.#dictText(object, name);
        // A value matches every part, so any part is correct. Use the first that restricts most.
        const part = ["literal", "named", "object", "primitive"]
          .map((kind) => shape.of.find((item) => item.kind === kind))
          .find((item) => item !== undefined);
        return this.#typeText(part ?? shape.of[0] ?? { kind: "unknown" }, name);
      }
    }
  }

  #dictText(shape: ObjectShape, name: string): string {
    if (shape.properties.length === 0) {
      return `Mapping[str, ${shape.rest === undefined ? "Never" : this.#typeText(shape.rest, name)}]`;
    }
    const unique = uniqueName(name, this.#taken);
    this.#declareDict(unique, shape, []);
    return unique;
  }

  #unionText(shapes: readonly Shape[], name: string): string {
    const texts = [...new Set(shapes.map((shape) => this.#typeText(shape, name)))];
    if (texts.length === 0) return "Never";
    return texts.includes("object") ? "object" : texts.join(" | ");
  }
}

const primitives = {
  null: "None",
  boolean: "bool",
  integer: "int",
  number: "float",
  string: "str",
} as const;

function literalText(value: string | number | boolean): string {
  if (typeof value === "string") return `Literal[${pythonText(value)}]`;
  if (typeof value === "boolean") return `Literal[${value ? "True" : "False"}]`;
  return Number.isSafeInteger(value) ? `Literal[${value}]` : "float";
}

/**
 * Writes a text in ASCII as JSON does, but a character beyond U+FFFF as one escape, since Python would read its
 * surrogates as two characters.
 */
export function pythonText(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** Returns whether a key can be an attribute. Python renames names with two leading underscores. */
function isPlainName(key: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(key) && !pythonKeywords.has(key);
}

function commentLines(line: string): readonly string[] {
  return line
    .split(/[\r\n\u2028\u2029\u0085\v\f]+/)
    .map((text) => text.replace(/[\p{Cc}\p{Cf}]/gu, " ").trim())
    .filter((text) => text !== "");
}
