import assert from "node:assert/strict";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { payloadFixes } from "../../../../../src/core/payload/fixes/payloadFixes";
import { applyEdits } from "../../../../../src/core/payload/fixes/textEdit";
import { english, localize } from "../../../../../src/core/text/language";
import { checkedText } from "./checkedText";

/** Returns every fix of the first problem, as `title → text after it`; `*` marks the preferred one. */
export function fixesOf(text: string, schema: JsonValue): Record<string, string> {
  const input = checkedText(text, schema);
  const first = input.problems.find(({ code }) => code !== "required") ?? input.problems[0];
  assert.ok(first);
  return Object.fromEntries(
    payloadFixes(input, first).map(({ title, edits, isPreferred }) => [
      `${isPreferred ? "* " : ""}${localize(title, english)}`,
      applyEdits(text, edits),
    ]),
  );
}
