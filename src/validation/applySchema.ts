import { evaluateSchema, type SchemaVerdict } from "../core/jsonSchema/evaluateSchema";
import { type Findings, type Guide, newFindings } from "../core/jsonSchema/evaluation";
import { pointerSteps } from "../core/jsonSchema/jsonPointer";
import type { CompiledSchema } from "./compileSchema";
import type { FastVerdict } from "./compileWithAjv";

/** What a schema says of a value, or why that is not known. */
export type AppliedSchema =
  | { kind: "decided"; findings: Findings }
  | { kind: "undecided"; findings: Findings; reason: string };

/**
 * Applies a schema to a value and lists at most `limit` failures. Ajv decides where it can; what it
 * found is looked at again, there alone, to say what is wrong. Where the two readings of the schema
 * do not agree, nothing is decided.
 */
export function applySchema(
  compiled: CompiledSchema,
  value: unknown,
  limit: number,
): AppliedSchema {
  if (compiled.kind === "refused") return undecided(compiled.reason);
  const { schema, validate } = compiled;
  const fast = validate === undefined ? undefined : withinStack(() => validate(value));
  if (fast === undefined) return explained(evaluateSchema(schema, value, { limit }));
  if (fast.fits && fast.suspects.length === 0) {
    return { kind: "decided", findings: newFindings(limit) };
  }
  const guided = evaluateSchema(schema, value, { limit, guide: guideTo(fast.suspects) });
  if (agrees(guided, fast)) return explained(guided);
  const full = evaluateSchema(schema, value, { limit });
  if (full.kind === "undecided" || agrees(full, fast)) return explained(full);
  return undecided("This JSON could not be checked: the skill's schema can be read in two ways.");
}

function agrees(verdict: SchemaVerdict, fast: FastVerdict): boolean {
  return verdict.kind === "decided" && verdict.fits === fast.fits;
}

function explained(verdict: SchemaVerdict): AppliedSchema {
  return verdict.kind === "decided"
    ? { kind: "decided", findings: verdict.findings }
    : undecided(whyUndecided[verdict.cause]);
}

function undecided(reason: string): AppliedSchema {
  return { kind: "undecided", findings: newFindings(0), reason };
}

const whyUndecided = {
  endless: "This JSON could not be checked: the skill's schema refers to itself without end.",
  steps: "This JSON could not be checked: the skill's schema takes too long to apply.",
  depth: "This JSON could not be checked: it is nested too deeply for the skill's schema.",
} as const;

/** Runs ajv's recursive code; nothing when the stack does not suffice. */
function withinStack(run: () => FastVerdict): FastVerdict | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function guideTo(pointers: readonly string[]): Guide {
  const guide: Guide = new Map();
  for (const pointer of new Set(pointers)) {
    let at = guide;
    for (const step of pointerSteps(pointer)) {
      let below = at.get(step);
      if (below === undefined) {
        below = new Map();
        at.set(step, below);
      }
      at = below;
    }
  }
  return guide;
}
