import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parsedJson,
} from "../core/json/jsonValue";
import { fillersIn } from "../core/manifest/fillers";
import { hiddenTextProblems } from "../core/manifest/hiddenTexts";
import { maxManifestLength } from "../core/manifest/manifestFile";
import { problemsOfFindings, withRules } from "../core/manifest/manifestProblems";
import {
  type ManifestFinding,
  manifestFindings,
  schemaMembers,
} from "../core/manifest/manifestRules";
import { otherKindText } from "../core/manifest/otherKinds";
import { type PayloadCheck, type PayloadProblem, valueRanges } from "../core/payload/payloadCheck";
import { credentialsInShared } from "../core/payload/sharedText";
import { withMistakesBehind } from "../core/schema/explain/mistakesBehind";
import { schemaMistakes } from "../core/schema/explain/schemaMistakes";
import { type TestableSchema, testableSchema } from "../core/schema/read/testableSchema";
import { whySchemaIsTooLarge } from "../core/schema/schemaSize";
import { movedProblem } from "../core/suite/suiteText";
import { type Language, l10nText, localize } from "../core/text/language";
import { checkPayload } from "./checkPayload";
import { type CompiledSchema, compileSchema } from "./compileSchema";

/** The maximum number of checked examples per list. */
const maxExamples = 50;

/**
 * Checks the text of a manifest by the schema for manifests and by the rules of registries. Also checks the schemas and
 * examples in the manifest. A text that is larger than registries accept and a document of another kind are one problem.
 */
export function checkManifest(
  text: string,
  compiled: CompiledSchema,
  language: Language,
): PayloadCheck {
  if (text.length > maxManifestLength) {
    const message = language.t("Registries accept manifests of at most 1 MiB. Shorten this one.");
    const problem = { code: "size", severity: "error", start: 0, end: 1, pointer: "" } as const;
    return { state: "invalid", problems: [{ ...problem, message }], hiddenProblems: 0 };
  }
  const check = checkPayload(text, compiled, language);
  const manifest = parsedJson(text);
  if (!isJsonObject(manifest)) return check;
  const message = otherKindText(manifest);
  if (message !== undefined) {
    const finding = { code: "kind", severity: "error", pointer: "", message } as const;
    const problems = [...problemsOfFindings(text, manifest, [finding], language)];
    return { state: "invalid", problems, hiddenProblems: 0 };
  }
  const schemas = ownSchemas(manifest);
  const bySchemas = schemaFindings(schemas, check.problems);
  // A schema with a misspelled `properties` does list properties, so only the misspelling is reported.
  const misspelled = bySchemas.filter(({ betterName }) => betterName === "properties");
  const isMisspelled = (schema: string) =>
    misspelled.some((one) => isAtOrBelow(one.pointer, schema));
  const findings = [
    ...manifestFindings(manifest).filter(
      ({ code, pointer }) => code !== "review-properties" || !isMisspelled(pointer),
    ),
    ...bySchemas,
  ];
  const problems = withRules(check.problems, [
    ...credentialProblems(text, language),
    ...hiddenTextProblems(text, sampleParts, language),
    ...problemsOfFindings(text, manifest, findings, language),
    ...schemas.flatMap((own) => exampleProblems(text, manifest, own, language)),
  ]);
  const isBroken = problems.some(({ severity }) => severity === "error");
  return { ...check, state: isBroken ? "invalid" : check.state, problems: [...problems] };
}

/** The parts of a manifest that may contain made-up credentials, for example those of a skill that redacts them. */
const sampleParts = ["/examples", "/inputSchema/examples", "/outputSchema/examples"];

/** Reports credentials, which everyone could read once the manifest is published. */
function credentialProblems(text: string, language: Language): readonly PayloadProblem[] {
  const found = credentialsInShared(text);
  if (found.length === 0) return [];
  const samples = [...valueRanges(text, sampleParts).values()];
  return found.map(({ start, end, kind }) => ({
    code: "secret",
    severity: samples.some((range) => range.start <= start && end <= range.end)
      ? "warning"
      : "error",
    message: language.t("This looks like {kind}. Remove it, because a manifest is public.", {
      kind: localize(kind, language),
    }),
    start,
    end,
    pointer: "",
  }));
}

/** A schema in a manifest, read once for all findings. */
interface OwnSchema {
  readonly name: (typeof schemaMembers)[number];
  readonly schema: JsonObject;
  readonly compiled: CompiledSchema;
  /** Undefined if it is too large. */
  readonly read?: TestableSchema;
}

function ownSchemas(manifest: JsonObject): readonly OwnSchema[] {
  return schemaMembers.flatMap((name): OwnSchema[] => {
    const schema = ownValue(manifest, name);
    if (!isJsonObject(schema)) return [];
    const reason = whySchemaIsTooLarge(schema);
    const refused = reason && ({ kind: "refused", why: "malformed", reason } as const);
    if (refused !== undefined) return [{ name, schema, compiled: refused }];
    const read = testableSchema(schema);
    return [{ name, schema, compiled: compileSchema(read), read }];
  });
}

/** Reports likely mistakes, and keywords that cannot be applied in a schema in which no other check found an error. */
function schemaFindings(
  schemas: readonly OwnSchema[],
  problems: readonly PayloadProblem[],
): readonly ManifestFinding[] {
  return schemas.flatMap(({ name, schema, compiled, read }): ManifestFinding[] => {
    const pointer = `/${name}`;
    const isInvalid = problems.some(
      (problem) => problem.severity === "error" && isAtOrBelow(problem.pointer, pointer),
    );
    const mistakes = read === undefined ? [] : mistakeFindings(schema, read, pointer);
    const defect = compiled.kind === "refused" ? compiled : compiled.gap;
    if (defect === undefined || isInvalid) return [...mistakes];
    const below = "pointer" in defect ? (defect.pointer ?? "") : "";
    const message = l10nText("Some parts of this schema cannot check payloads. {reason}", {
      reason: defect.reason,
    });
    const isMarked = problems.some((problem) => problem.pointer === pointer + below);
    if (isMarked) return [...mistakes];
    return [
      { code: "schema", severity: "warning", pointer: pointer + below, message },
      ...mistakes,
    ];
  });
}

function isAtOrBelow(pointer: string, other: string): boolean {
  return `${pointer}/`.startsWith(`${other}/`);
}

function mistakeFindings(
  schema: JsonObject,
  read: TestableSchema,
  pointer: string,
): readonly ManifestFinding[] {
  const mistakes = withMistakesBehind(schema, schemaMistakes(read)).map(
    ({ fix, ...mistake }): ManifestFinding => ({
      code: "schema",
      severity: "warning",
      ...mistake,
      pointer: pointer + mistake.pointer,
      ...(fix && { fix: { ...fix, pointer: pointer + fix.pointer } }),
    }),
  );
  return [...mistakes, ...fillersIn(read.all, pointer)];
}

/**
 * Checks examples against a schema of a manifest: those inside the schema, and the inputs or outputs among the
 * manifest's own examples.
 */
function exampleProblems(
  text: string,
  manifest: JsonObject,
  { name, schema, compiled }: OwnSchema,
  language: Language,
): readonly PayloadProblem[] {
  const side = name === "inputSchema" ? "input" : "output";
  const pointers = [
    ...items(ownValue(schema, "examples")).map((_, at) => `/${name}/examples/${at}`),
    ...items(ownValue(manifest, "examples")).map((_, at) => `/examples/${at}/${side}`),
  ];
  if (pointers.length === 0) return [];
  return [...valueRanges(text, pointers)].flatMap(([pointer, { start, end }]) =>
    checkPayload(text.slice(start, end), compiled, language)
      .problems.filter(({ code }) => code !== "unchecked" && code !== "json")
      .map(({ data: _, schemaPointer: __, rule: ___, ...problem }) => ({
        ...movedProblem(problem, start),
        pointer: pointer + problem.pointer,
        severity: "warning" as const,
        code: "example",
      })),
  );
}

function items(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.slice(0, maxExamples) : [];
}
