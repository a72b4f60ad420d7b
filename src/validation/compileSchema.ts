import type { EvaluableSchema } from "../core/jsonSchema/evaluation/evaluateSchema";
import type { OtherVerdict } from "../core/jsonSchema/evaluation/evaluation";
import { leaveOutPatterns } from "../core/jsonSchema/reading/leaveOutPatterns";
import { readSchema } from "../core/jsonSchema/reading/readSchema";
import type { SchemaDefect, SchemaDefects } from "../core/jsonSchema/reading/schemaDefects";
import type { RefusalCause } from "../core/jsonSchema/reading/schemaRefusal";
import { type LocalizableText, l10nText } from "../core/text/localizableText";
import { compileWithAjv } from "./compileWithAjv";
import { hasAjvBlindSpot } from "./hasAjvBlindSpot";
import { knownDocument } from "./knownDocument";
import { patternTests } from "./patternTests";

/** A schema that is ready to be applied, or the reason why it cannot be. */
export type CompiledSchema =
  | ReadySchema
  | { kind: "refused"; why: RefusalCause; reason: LocalizableText };

/** A schema that is ready to be applied. */
export interface ReadySchema {
  kind: "ready";
  /** Our own reading of the schema: explains every failure, decides where ajv cannot. */
  schema: EvaluableSchema;
  /** Ajv's reading, which decides; absent where it is known to be wrong. */
  ajvVerdict?: OtherVerdict;
  nativePatterns: string[];
  /** Why not all of the schema is applied, so that a value may be found to fail it, never to fit. */
  gap?: SchemaDefect;
}

/**
 * Compiles a schema. A part that cannot be applied is left out and told; a schema that says nothing
 * certain without it is refused with a reason.
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
    const reason = l10nText(
      "The skill's schema asks for an asynchronous check ({keyword}), which cannot be done here.",
      { keyword: '"$async"' },
    );
    return { kind: "refused", why: "asynchronous", reason };
  }
  const read = readSchema(schema, knownDocument);
  if (read.kind === "refused") return read;
  const { root, all, defects } = read;
  const { testOf, native: nativePatterns, malformed } = patternTests(all, watchNativePattern);
  if (malformed.size > 0) leaveOutPatterns(all, malformed, defects);
  const gap = gapOf(defects);
  const ready = {
    kind: "ready" as const,
    schema: { root, all, testOf },
    nativePatterns,
    ...(gap && { gap }),
  };
  if (hasAjvBlindSpot(all)) return ready;
  const ajvVerdict = ajvOrNothing(() => compileWithAjv(root, all, testOf));
  return ajvVerdict === undefined ? ready : { ...ready, ajvVerdict };
}

/** The first part that is left out, with a reason that speaks of all of them. */
function gapOf({ first, count }: SchemaDefects): SchemaDefect | undefined {
  if (first === undefined) return undefined;
  const reason =
    count === 1
      ? l10nText("Not all of this could be checked. {reason}", { reason: first.reason })
      : l10nText(
          "Not all of this could be checked. {reason} There is more like it: {count} in all.",
          {
            reason: first.reason,
            count,
          },
        );
  return { ...first, reason };
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
