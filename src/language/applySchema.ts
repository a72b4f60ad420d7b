import { evaluateSchema, type SchemaVerdict } from "../core/schema/evaluate/evaluateSchema";
import { type Findings, newFindings } from "../core/schema/evaluate/evaluation";
import { keywordsWith } from "../core/schema/keywords";
import { type LocalizableText, l10nText } from "../core/text/language";
import type { CompiledSchema, ReadySchema } from "./compileSchema";

/** The verdict of a schema on a value, or the reason why there is none. */
type AppliedSchema =
  | { kind: "decided"; findings: Findings }
  | {
      kind: "undecided";
      findings: Findings;
      reason: LocalizableText;
      pointer?: string | undefined;
    };

/**
 * Applies a schema to a value and lists at most `limit` failures. Ajv gives the verdict if it can; our evaluation then
 * finds the failures. If the two disagree, the result is `undecided`. The failures of an undecided value are true, but
 * may be incomplete. `lossyValues` are numbers of the value and the schema that lost digits. If there are any, ajv is
 * not used, since it would compare the rounded numbers.
 */
export function applySchema(
  compiled: CompiledSchema,
  value: unknown,
  limit: number,
  lossyValues: ReadonlyMap<number, boolean> = new Map(),
): AppliedSchema {
  if (compiled.kind === "refused") return undecided(compiled.reason);
  const applied =
    lossyValues.size === 0
      ? applyWithAjv(compiled, value, limit)
      : appliedSchema(evaluateSchema(compiled.schema, value, { limit, lossyValues }));
  const { gap } = compiled;
  // The value may also violate the parts that are not applied. Its failures are true, but without failures it is not
  // proven valid.
  return gap === undefined || applied.kind === "undecided"
    ? applied
    : { kind: "undecided", findings: applied.findings, reason: gap.reason, pointer: gap.pointer };
}

const comparingKeywords = ["const", "enum", ...keywordsWith({ of: "number" })] as const;

/** Returns whether a schema has a keyword whose verdict may depend on the last digit of a number. */
export function comparesNumbers({ schema }: ReadySchema): boolean {
  return schema.all.some(
    (rules) =>
      rules.types?.includes("integer") ||
      rules.uniqueItems ||
      comparingKeywords.some((keyword) => rules[keyword] !== undefined),
  );
}

function applyWithAjv(
  { schema, ajvVerdict }: ReadySchema,
  value: unknown,
  limit: number,
): AppliedSchema {
  const ajvResult = ajvVerdict?.(schema.root, value);
  if (ajvResult === "clean") return { kind: "decided", findings: newFindings(limit) };
  if (ajvVerdict === undefined || ajvResult === undefined) {
    return appliedSchema(evaluateSchema(schema, value, { limit }));
  }
  const fits = ajvResult === "fits";
  const withAjv = evaluateSchema(schema, value, { limit, otherVerdict: ajvVerdict });
  if (withAjv.kind === "decided" && withAjv.fits === fits) return appliedSchema(withAjv);
  const withoutAjv = evaluateSchema(schema, value, { limit });
  if (withoutAjv.kind === "undecided" || withoutAjv.fits === fits) return appliedSchema(withoutAjv);
  return undecided(l10nText("Could not validate: the schema is ambiguous."));
}

function appliedSchema(verdict: SchemaVerdict): AppliedSchema {
  return verdict.kind === "decided"
    ? { kind: "decided", findings: verdict.findings }
    : undecided(whyUndecided[verdict.cause]);
}

function undecided(reason: LocalizableText): AppliedSchema {
  return { kind: "undecided", findings: newFindings(0), reason };
}

const whyUndecided = {
  endless: l10nText("Could not validate: the schema refers to itself endlessly."),
  steps: l10nText("Could not validate: the schema takes too long to apply."),
  lossy: l10nText(
    "Could not validate: a number has more digits than can be compared with the schema.",
  ),
  depth: l10nText("Could not validate: the payload is nested too deeply for the schema."),
} as const;
