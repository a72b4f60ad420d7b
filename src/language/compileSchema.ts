import type { EvaluableSchema } from "../core/schema/evaluate/evaluateSchema";
import type { OtherVerdict } from "../core/schema/evaluate/evaluation";
import type { RefusalCause, SchemaDefect, SchemaDefects } from "../core/schema/read/schemaDefects";
import type { TestableSchema } from "../core/schema/read/testableSchema";
import { type LocalizableText, l10nText } from "../core/text/language";
import { compileWithAjv } from "./compileWithAjv";

/** A schema that is ready to be applied, or the reason why it cannot be. */
export type CompiledSchema =
  | ReadySchema
  | { kind: "refused"; why: RefusalCause; reason: LocalizableText };

/** A schema that is ready to be applied. */
export interface ReadySchema {
  kind: "ready";
  /** Our own model of the schema. It explains every failure, and gives the verdict if ajv cannot. */
  schema: EvaluableSchema;
  /** Ajv's verdict; absent if ajv gets this schema wrong. */
  ajvVerdict?: OtherVerdict;
  /** Why a part of the schema is not applied. A value can then fail the schema but never pass it. */
  gap?: SchemaDefect;
}

/**
 * Compiles a schema. A part that cannot be applied is omitted and reported as `gap`. A schema that is ambiguous as a
 * whole is refused. Ajv gives the verdict. Our evaluation explains what ajv rejects, decides where ajv is known to be
 * wrong, and detects when the two disagree: see docs/decisions/two-engines.md.
 */
export function compileSchema(schema: TestableSchema): CompiledSchema {
  if (isAsync(schema.schema)) {
    const reason = l10nText(
      "The skill's schema requires asynchronous validation ({keyword}), which is not supported.",
      { keyword: '"$async"' },
    );
    return { kind: "refused", why: "asynchronous", reason };
  }
  const { root, all, defects, refusal, patterns, traits } = schema;
  if (refusal !== undefined) return { kind: "refused", ...refusal };
  const testOf = (pattern: string) => patterns.testOf(pattern);
  const gap = gapOf(defects);
  const ready = {
    kind: "ready" as const,
    schema: { root, all, testOf, traits },
    ...(gap && { gap }),
  };
  const ajvVerdict = compileWithAjv(root, all, testOf);
  return ajvVerdict === undefined ? ready : { ...ready, ajvVerdict };
}

/** Returns the first omitted part, with a reason that covers all of them. */
function gapOf({ first, count }: SchemaDefects): SchemaDefect | undefined {
  if (first === undefined) return undefined;
  const reason =
    count === 1
      ? l10nText("Not all of this could be checked. {reason}", { reason: first.reason })
      : l10nText(
          "Not all of this could be checked. {reason} There are {count} such reasons in all.",
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
