import { textsForPattern } from "../../linearRegExp/textsForPattern";
import type { SchemaRules } from "../schemaRules";

/** Suggests texts that may keep all parts, the plainest first. Whoever asks checks each. */
export function* sampleTexts(parts: readonly SchemaRules[]): Generator<string> {
  const shortest = Math.max(0, ...parts.flatMap(({ minLength }) => minLength ?? []));
  const longest = Math.min(...parts.flatMap(({ maxLength }) => maxLength ?? []));
  const formats = parts.flatMap(({ format }) => format ?? []);
  const patterns = parts.flatMap(({ pattern }) => pattern ?? []);
  for (const format of formats) yield* examples.get(format) ?? [];
  for (const pattern of patterns) yield* textsForPattern(pattern, shortest, longest);
  if (shortest > maxLength) return;
  if (patterns.length > 0) {
    for (const length of [shortest, 8, 12, 16, 32])
      yield mixed.repeat(Math.max(shortest, length)).slice(0, Math.max(shortest, length));
  }
  yield fill.repeat(shortest);
  for (const word of ["example", "a", "1", "A", "0"]) yield word.padEnd(shortest, fill);
  for (let count = 1; count < 60; count += 1)
    yield `${fill.repeat(shortest)}${count}`.slice(-Math.max(shortest, 2));
}

const fill = "x";
/** Some of everything, for patterns that ask for it with lookaheads, as those for passwords do. */
const mixed = "Aa1!";
const maxLength = 100_000;

const examples: ReadonlyMap<string, readonly string[]> = new Map([
  ["date", ["2026-01-01", "2026-01-02"]],
  ["time", ["09:00:00Z"]],
  ["date-time", ["2026-01-01T09:00:00Z", "2026-01-02T09:00:00Z"]],
  ["duration", ["P1D"]],
  ["email", ["name@example.com", "other@example.com"]],
  ["idn-email", ["name@example.com"]],
  ["hostname", ["example.com"]],
  ["idn-hostname", ["example.com"]],
  ["ipv4", ["192.0.2.1", "192.0.2.2"]],
  ["ipv6", ["2001:db8::1"]],
  ["uri", ["https://example.com/", "https://example.org/"]],
  ["uri-reference", ["https://example.com/"]],
  ["iri", ["https://example.com/"]],
  ["iri-reference", ["https://example.com/"]],
  ["uri-template", ["https://example.com/{id}"]],
  ["uuid", ["00000000-0000-4000-8000-000000000000"]],
  ["json-pointer", ["/a"]],
  ["relative-json-pointer", ["0"]],
  ["regex", [".*"]],
]);

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
