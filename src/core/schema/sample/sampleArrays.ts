import { jsonEqual } from "../../json/canonicalJson";
import type { SchemaRules } from "../schemaRules";
import { bestSample, type SampleTask, sampleValues, taskWithin } from "./sampleValues";

const maxSampledItems = 100;

/** Suggests arrays that may keep all parts: as few items as allowed, in full mode one at least. */
export function* sampleArrays(
  task: SampleTask,
  parts: readonly SchemaRules[],
): Generator<unknown[]> {
  const limits = (keyword: "minItems" | "maxItems") => parts.flatMap((part) => part[keyword] ?? []);
  const contains = parts.flatMap((part) => containedRules(part));
  const fewest = Math.max(0, contains.length, ...limits("minItems"));
  const most = Math.min(...limits("maxItems"));
  const wanted = Math.max(fewest, Math.min(most, fullLength(task, parts)));
  for (const length of new Set([wanted, fewest, fewest + 1])) {
    if (length > maxSampledItems) continue;
    const items: unknown[] = [];
    for (let index = 0; index < length; index += 1) {
      const inner = contains[index];
      items.push(sampleItem(task, parts, inner === undefined ? [] : [inner], index, items));
    }
    yield items;
  }
}

/** The `contains` rules, each as often as it must be kept. */
function containedRules({ contains, minContains = 1 }: SchemaRules): SchemaRules[] {
  if (contains === undefined) return [];
  return Array.from({ length: Math.min(minContains, maxSampledItems) }, () => contains);
}

/** In full mode every named item, or one of those that repeat, unless that leads into a circle. */
function fullLength(task: SampleTask, parts: readonly SchemaRules[]): number {
  if (task.mode === "minimal") return 0;
  const around = new Set([...task.around, ...task.list, ...parts]);
  const named = Math.max(0, ...parts.map(({ prefixItems = [] }) => prefixItems.length));
  const repeated = parts.flatMap(({ items }) => items ?? []);
  const repeats =
    repeated.length > 0 && !repeated.some((rules) => rules.never || leadsBack(rules, around));
  return Math.max(named, repeats ? 1 : 0);
}

/** Tells whether sampling the rules would sample something again that is being sampled. */
export function leadsBack(rules: SchemaRules, around: ReadonlySet<SchemaRules>): boolean {
  return around.has(rules) || (rules.reference !== undefined && around.has(rules.reference.target));
}

function sampleItem(
  task: SampleTask,
  parts: readonly SchemaRules[],
  more: readonly SchemaRules[],
  index: number,
  before: readonly unknown[],
): unknown {
  const own = parts.flatMap(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
  const inner = taskWithin(task, parts, { list: [...own, ...more], hints: [] });
  if (!parts.some(({ uniqueItems }) => uniqueItems)) return bestSample(inner);
  let tried = 0;
  for (const value of sampleValues(inner)) {
    if (!before.some((other) => jsonEqual(other, value))) return value;
    tried += 1;
    if (tried > 2 * maxSampledItems) break;
  }
  return bestSample(inner);
}
