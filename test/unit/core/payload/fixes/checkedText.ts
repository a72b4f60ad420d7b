import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { type FixInput, fixInput } from "../../../../../src/core/payload/fixes/payloadFix";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";
import { checkPayload } from "../../../../../src/language/checkPayload";
import { compileSchema } from "../../../../../src/language/compileSchema";

/** Checks a text like the editor. Returns what fixes are computed from. */
export function checkedText(text: string, schema: JsonValue, indent = "  "): FixInput {
  return textChecker(schema)(text, indent);
}

/** Compiles a schema once for the check of many texts. */
export function textChecker(schema: JsonValue): (text: string, indent?: string) => FixInput {
  const read = testableSchema(schema);
  const compiled = compileSchema(read);
  return (text, indent = "  ") => {
    const { problems } = checkPayload(text, compiled, english);
    return fixInput({ text, problems, indent }, read);
  };
}
