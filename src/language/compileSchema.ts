import applicator2019 from "ajv/dist/refs/json-schema-2019-09/meta/applicator.json";
import content2019 from "ajv/dist/refs/json-schema-2019-09/meta/content.json";
import core2019 from "ajv/dist/refs/json-schema-2019-09/meta/core.json";
import format2019 from "ajv/dist/refs/json-schema-2019-09/meta/format.json";
import metaData2019 from "ajv/dist/refs/json-schema-2019-09/meta/meta-data.json";
import validation2019 from "ajv/dist/refs/json-schema-2019-09/meta/validation.json";
import schema2019 from "ajv/dist/refs/json-schema-2019-09/schema.json";
import applicator2020 from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json";
import content2020 from "ajv/dist/refs/json-schema-2020-12/meta/content.json";
import core2020 from "ajv/dist/refs/json-schema-2020-12/meta/core.json";
import format2020 from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json";
import metaData2020 from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json";
import unevaluated2020 from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json";
import validation2020 from "ajv/dist/refs/json-schema-2020-12/meta/validation.json";
import schema2020 from "ajv/dist/refs/json-schema-2020-12/schema.json";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json";
import draft07 from "ajv/dist/refs/json-schema-draft-07.json";
import draft04 from "ajv-draft-04/dist/refs/json-schema-draft-04.json";
import { linearRegExp } from "../core/linearRegExp/linearRegExp";
import type { EvaluableSchema } from "../core/schema/evaluate/evaluateSchema";
import type { OtherVerdict, PatternTest } from "../core/schema/evaluate/evaluation";
import { readSchema } from "../core/schema/read/readSchema";
import {
  type RefusalCause,
  removePatterns,
  type SchemaDefect,
  type SchemaDefects,
} from "../core/schema/read/schemaDefects";
import type { SchemaRules } from "../core/schema/schemaRules";
import { type LocalizableText, l10nText } from "../core/text/language";
import { compileWithAjv } from "./compileWithAjv";

/**
 * Returns a published meta-schema by its URI, so that a schema may refer to one without anything being
 * fetched; undefined for any other URI.
 */
function knownDocument(uri: string): unknown {
  return documents.find((document) => identifierOf(document).replace(/#$/, "") === uri);
}

const documents: readonly object[] = [
  draft04,
  draft06,
  draft07,
  schema2019,
  core2019,
  applicator2019,
  validation2019,
  metaData2019,
  format2019,
  content2019,
  schema2020,
  core2020,
  applicator2020,
  unevaluated2020,
  validation2020,
  metaData2020,
  format2020,
  content2020,
];

function identifierOf(document: object): string {
  if ("$id" in document) return String(document.$id);
  return "id" in document ? String(document.id) : "";
}

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
 * Compiles a schema. A part that cannot be applied is left out and reported; a schema that says nothing
 * certain without it is refused with a reason.
 *
 * Ajv decides, our own evaluation explains what ajv rejects, decides where ajv has a blind spot and
 * notices when the two disagree: see docs/decisions/two-engines.md.
 */
export function compileSchema(
  schema: unknown,
  watchNativePattern: (native: number) => void = () => undefined,
): CompiledSchema {
  if (isAsync(schema)) {
    const reason = l10nText(
      "The skill's schema requires asynchronous validation ({keyword}), which is not supported.",
      { keyword: '"$async"' },
    );
    return { kind: "refused", why: "asynchronous", reason };
  }
  const read = readSchema(schema, knownDocument);
  if (read.kind === "refused") return read;
  const { root, all, defects } = read;
  const { testOf, native: nativePatterns, malformed } = patternTests(all, watchNativePattern);
  if (malformed.size > 0) removePatterns(all, malformed, defects);
  const gap = gapOf(defects);
  const ready = {
    kind: "ready" as const,
    schema: { root, all, testOf },
    nativePatterns,
    ...(gap && { gap }),
  };
  const ajvVerdict = compileWithAjv(root, all, testOf);
  return ajvVerdict === undefined ? ready : { ...ready, ajvVerdict };
}

/** The first part that is left out, with a reason that speaks of all of them. */
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

/** The tests of a schema's patterns. */
interface PatternTests {
  testOf(pattern: string): PatternTest;
  /** Patterns that only the native engine can search, and that may so take for ever. */
  native: string[];
  /** Patterns that are no regular expressions; they are found in no text. */
  malformed: Set<string>;
}

/**
 * Prepares the test of every pattern of a schema. `watch` is called with the number of a native pattern
 * right before it is tried, and -1 after, so that somebody outside can name the one that got stuck.
 */
function patternTests(all: readonly SchemaRules[], watch: (native: number) => void): PatternTests {
  const tests = new Map<string, PatternTest>();
  const native: string[] = [];
  const malformed = new Set<string>();
  const patterns = all.flatMap(({ pattern, patternProperties = new Map() }) => [
    ...(pattern === undefined ? [] : [pattern]),
    ...patternProperties.keys(),
  ]);
  for (const pattern of new Set(patterns)) {
    const read = linearRegExp(pattern);
    if (read.kind === "malformed") malformed.add(pattern);
    else if (read.kind === "linear") tests.set(pattern, read.test);
    else {
      const number = native.push(pattern) - 1;
      tests.set(pattern, (text) => {
        watch(number);
        const isFound = read.native.test(text);
        watch(-1);
        return isFound;
      });
    }
  }
  return { native, malformed, testOf: (pattern) => tests.get(pattern) ?? (() => false) };
}
