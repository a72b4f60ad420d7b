import { chooseBranch } from "../explain/chooseBranch";
import type { SchemaRules } from "../schemaRules";
import { evaluateRules } from "./evaluateRules";
import {
  type Evaluated,
  type EvaluationContext,
  type Findings,
  fail,
  newFindings,
  quietContext,
} from "./evaluation";

/** Applies `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export function evaluateCombining(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const isSilent = context.findings === undefined;
  let accepts = true;
  for (const below of rules.allOf ?? []) {
    accepts = evaluateRules(below, value, context, evaluated) && accepts;
    if (!accepts && isSilent) return false;
  }
  if (rules.anyOf !== undefined) {
    accepts = keepsSome("anyOf", rules, rules.anyOf, value, context, evaluated) && accepts;
    if (!accepts && isSilent) return false;
  }
  if (rules.oneOf !== undefined) {
    accepts = keepsSome("oneOf", rules, rules.oneOf, value, context, evaluated) && accepts;
    if (!accepts && isSilent) return false;
  }
  if (rules.not !== undefined && evaluateRules(rules.not, value, quietContext(context))) {
    accepts = fail(context, () => ({
      keyword: "not",
      rules,
      path: context.path,
      value,
      at: "value",
    }));
    if (isSilent) return false;
  }
  if (rules.if === undefined) return accepts;
  const holds = evaluateRules(rules.if, value, quietContext(context), evaluated);
  const next = holds ? rules.then : rules.else;
  return (next === undefined || evaluateRules(next, value, context, evaluated)) && accepts;
}

function keepsSome(
  keyword: "anyOf" | "oneOf",
  rules: SchemaRules,
  branches: SchemaRules[],
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const fitting: number[] = [];
  for (const [index, branch] of branches.entries()) {
    if (!evaluateRules(branch, value, quietContext(context), evaluated)) continue;
    fitting.push(index);
    // One is enough for anyOf unless every fitting branch has something to add.
    if (keyword === "anyOf" && context.findings === undefined && evaluated === undefined)
      return true;
    if (keyword === "oneOf" && fitting.length > 1 && context.findings === undefined) return false;
  }
  const { findings } = context;
  if (fitting.length === 1 || (fitting.length > 1 && keyword === "anyOf")) {
    if (findings !== undefined) addFewestWarnings(fitting, branches, value, context, findings);
    return true;
  }
  if (findings === undefined) return false;
  if (fitting.length > 1) {
    const path = context.path;
    return fail(context, () => ({ keyword, rules, path, value, at: "value", indexes: fitting }));
  }
  const attempts = branches.map((branch) => {
    const attempt = newFindings(findings.limit);
    evaluateRules(branch, value, { ...context, findings: attempt });
    return attempt;
  });
  const { path } = context;
  const chosen = chooseBranch({ keyword, rules, branches, attempts, value, path });
  for (const failure of chosen.failures) fail(context, () => failure);
  if (chosen.failures.length === 0)
    fail(context, () => ({ keyword, rules, path, value, at: "value" }));
  findings.hidden += chosen.hidden;
  return false;
}

/** Of the branches that fit, the one whose formats hold best speaks for the value. */
function addFewestWarnings(
  fitting: number[],
  branches: SchemaRules[],
  value: unknown,
  context: EvaluationContext,
  findings: Findings,
): void {
  let fewest: Findings | undefined;
  for (const index of fitting) {
    const branch = branches[index];
    if (branch === undefined) continue;
    const attempt = newFindings(findings.limit);
    evaluateRules(branch, value, { ...context, findings: attempt });
    if (attempt.warnings.length === 0) return;
    if (fewest === undefined || attempt.warnings.length < fewest.warnings.length) fewest = attempt;
  }
  findings.warnings.push(...(fewest?.warnings ?? []));
}
