import type { EvaluableSchema } from "../core/jsonSchema/evaluateSchema";
import type { OtherVerdict } from "../core/jsonSchema/evaluation";
import { readSchema } from "../core/jsonSchema/readSchema";
import { type RefusalCause, SchemaRefusal } from "../core/jsonSchema/schemaRefusal";
import { type Wording, wording } from "../core/text/wording";
import { compileWithAjv } from "./compileWithAjv";
import { hasAjvBlindSpot } from "./hasAjvBlindSpot";
import { knownDocument } from "./knownDocument";
import { patternTests } from "./patternTests";

/** A schema that is ready to be applied, or the reason why it cannot be. */
export type CompiledSchema =
  | {
      kind: "ready";
      /** Our own reading of the schema: explains every failure, decides where ajv cannot. */
      schema: EvaluableSchema;
      /** Ajv's reading, which decides; absent where it is known to be wrong. */
      ajvVerdict?: OtherVerdict;
      nativePatterns: string[];
    }
  | { kind: "refused"; why: RefusalCause; reason: Wording };

/**
 * Compiles a schema. What cannot be compiled is refused with a reason.
 *
 * Two engines, because neither will do alone. Ajv decides: it is many times faster on large texts.
 * But it is wrong in corners of the standard, its errors name no branch that was meant, and what it
 * makes of identifiers depends on what it saw before. So our own reader resolves every reference and
 * hands ajv a plain schema, and our own evaluation explains what ajv rejects (passing over every part
 * that ajv finds clean), decides alone where ajv has a blind spot, and notices when the two disagree.
 */
export function compileSchema(
  schema: unknown,
  watchNativePattern: (native: number) => void = () => undefined,
): CompiledSchema {
  if (isAsync(schema)) {
    const reason = wording(
      "The skill's schema asks for an asynchronous check ({keyword}), which cannot be done here.",
      { keyword: '"$async"' },
    );
    return { kind: "refused", why: "asynchronous", reason };
  }
  const read = readSchema(schema, knownDocument);
  if (read.kind === "refused") return read;
  const { root, all } = read;
  try {
    const { testOf, native: nativePatterns } = patternTests(all, watchNativePattern);
    const ready = { kind: "ready" as const, schema: { root, all, testOf }, nativePatterns };
    if (hasAjvBlindSpot(all)) return ready;
    const ajvVerdict = ajvOrNothing(() => compileWithAjv(root, all, testOf));
    return ajvVerdict === undefined ? ready : { ...ready, ajvVerdict };
  } catch (error) {
    if (error instanceof SchemaRefusal)
      return { kind: "refused", why: error.why, reason: error.reason };
    throw error;
  }
}

function isAsync(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Object.hasOwn(schema, "$async");
}

/** A schema that ajv cannot compile (too deep, too large) is left to our own evaluation. */
function ajvOrNothing(compile: () => OtherVerdict): OtherVerdict | undefined {
  try {
    return compile();
  } catch {
    return undefined;
  }
}
