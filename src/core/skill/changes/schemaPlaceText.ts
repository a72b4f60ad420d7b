import type { SchemaStep } from "./schemaChange";

/**
 * Writes where a value stands, such as `columns[].name`; empty for the whole. A name that could be taken
 * for something else stands in quotes. Each step is cut at 80 characters.
 */
export function schemaPlaceText(path: readonly SchemaStep[]): string {
  return path.map((step, index) => stepText(step, index === 0)).join("");
}

function stepText(step: SchemaStep, isFirst: boolean): string {
  switch (step.to) {
    case "property":
      return `${isFirst ? "" : "."}${nameText(short(step.name))}`;
    case "otherProperties":
      return `${isFirst ? "" : "."}${step.pattern === "" ? "*" : `/${short(step.pattern)}/`}`;
    case "item":
      return `[${step.index}]`;
    case "items":
      return "[]";
    case "option":
      return `(${short(step.name)})`;
  }
}

function nameText(name: string): string {
  return /^[^\s.()[\]"]+$/.test(name) ? name : JSON.stringify(name);
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
