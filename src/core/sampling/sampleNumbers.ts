import type { SchemaRules } from "../jsonSchema/reading/schemaRules";

/** Suggests numbers that may keep all parts, the plainest first. Whoever asks checks each. */
export function* sampleNumbers(parts: readonly SchemaRules[]): Generator<number> {
  for (const number of numbersNear(parts)) if (Number.isFinite(number)) yield number;
}

function* numbersNear(parts: readonly SchemaRules[]): Generator<number> {
  const given = (keyword: "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum") =>
    parts.flatMap((part) => part[keyword] ?? []);
  const low = Math.max(...given("minimum"), ...given("exclusiveMinimum"));
  const high = Math.min(...given("maximum"), ...given("exclusiveMaximum"));
  const step = parts.reduce((product, { multipleOf }) => leastCommon(product, multipleOf), 0);
  const around = Number.isFinite(low) ? low : Number.isFinite(high) ? high : 0;
  const sign = Number.isFinite(high) && !Number.isFinite(low) ? -1 : 1;
  yield 0;
  yield* [around, around + sign];
  if (step > 0) {
    const first = sign > 0 ? Math.ceil(around / step) : Math.floor(around / step);
    for (let count = 0; count < 50; count += 1) yield rounded((first + sign * count) * step);
  }
  for (let count = 2; count < 50; count += 1) yield around + sign * count;
  yield* [Math.ceil(low), Math.floor(high), (low + high) / 2, -1, -0.5];
  for (const part of [0.5, 0.25, 0.1, 0.01]) yield around + sign * part;
}

function leastCommon(product: number, divisor: number | undefined): number {
  if (divisor === undefined) return product;
  if (product === 0) return divisor;
  for (let count = 1; count <= 1000; count += 1) {
    if (Number.isInteger(rounded((product * count) / divisor))) return rounded(product * count);
  }
  return product * divisor;
}

/** Takes back what binary fractions add: 0.1 × 3 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
