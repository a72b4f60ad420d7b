import type { FixInput } from "../../../../../src/core/payload/fixes/payloadFix";
import type { JsonValue } from "../../../../../src/core/text/json";
import { english } from "../../../../../src/core/text/language";
import { checkPayload } from "../../../../../src/validation/checkPayload";
import { compileSchema } from "../../../../../src/validation/compileSchema";

/** Checks a text as the editor does and answers what fixes are worked out from. */
export function checkedText(text: string, schema: JsonValue): FixInput {
  const { problems } = checkPayload(
    text,
    compileSchema(schema, () => undefined),
    english,
  );
  return { text, schema, problems };
}
