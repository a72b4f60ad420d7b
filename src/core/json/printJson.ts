import type { LongText } from "../skill/description/skillDescription";
import { isJsonObject, type JsonValue, type ListKeys } from "./jsonValue";

/** Prints a JSON value indented for reading, cut after `maxLength` characters. */
export function longText(
  value: JsonValue,
  maxLength = 100_000,
  listKeys: ListKeys = Object.keys,
): LongText {
  return printJson(value, { maxLength, indent: 2, listKeys });
}

const maxDepth = 1000;

interface PrintOptions {
  readonly maxLength: number;
  readonly indent: number;
  readonly listKeys?: ListKeys;
}

/**
 * Prints a JSON value as `JSON.stringify` does, with `indent` spaces a level (0: on one line). Stops
 * after `maxLength` characters without looking at the rest; what is nested deeper than 1,000 levels is
 * shown as `…`.
 */
export function printJson(
  value: JsonValue,
  { maxLength, indent, listKeys = Object.keys }: PrintOptions,
): LongText {
  const parts: string[] = [];
  let left = maxLength;
  let whole = true;
  print(value, 0);
  const text = parts.join("");
  return { text: text.slice(0, maxLength), whole: whole && text.length <= maxLength };

  function print(part: JsonValue, depth: number): void {
    if (depth > maxDepth) {
      put("…");
      whole = false;
    } else if (Array.isArray(part)) {
      printAll("[", part, (item) => print(item, depth + 1), "]", depth);
    } else if (isJsonObject(part)) {
      const printMember = (name: string) => {
        putText(name);
        put(indent === 0 ? ":" : ": ");
        print(part[name] ?? null, depth + 1);
      };
      printAll("{", listKeys(part), printMember, "}", depth);
    } else if (typeof part === "string") {
      putText(part);
    } else {
      put(JSON.stringify(part));
    }
  }

  function printAll<Item>(
    open: string,
    items: readonly Item[],
    printItem: (item: Item) => void,
    close: string,
    depth: number,
  ): void {
    put(open);
    for (const [index, item] of items.entries()) {
      if (left < 0) return;
      if (index > 0) put(",");
      breakLine(depth + 1);
      printItem(item);
    }
    if (items.length > 0) breakLine(depth);
    put(close);
  }

  function breakLine(depth: number): void {
    if (indent > 0) put(`\n${" ".repeat(indent * depth)}`);
  }

  function putText(text: string): void {
    put(JSON.stringify(text.length > left ? text.slice(0, Math.max(0, left + 1)) : text));
  }

  function put(text: string): void {
    left -= text.length;
    parts.push(text);
  }
}
