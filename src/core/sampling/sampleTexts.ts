import type { SchemaRules } from "../jsonSchema/reading/schemaRules";
import { textsForPattern } from "../linearRegExp/textsForPattern";

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
