import environmentsSchema from "../../../media/schemas/environments.schema.json";
import { pointerOf } from "../json/jsonPointer";
import type { JsonValue } from "../json/jsonValue";
import { jsonLine } from "../json/printJson";
import { RequestedRange, scanJson } from "../json/scanJson";
import { type PointedProblem, readTeamFile, type TeamFileReading } from "../payload/readTeamFile";
import { builtInRegistryName } from "../registry/registryName";
import { readRegistryOrigin } from "../registry/registryOrigin";
import { type Language, localize } from "../text/language";

/** A named environment: a registry, optionally a project, and values. A repository's file defines it. */
export interface Environment {
  readonly name: string;
  /** The registry's base URL in its normal form, or `built-in`. */
  readonly registry: string;
  readonly project?: string;
  /** The JSON text of each value by name, with the spelling of the file, on one line. */
  readonly values: ReadonlyMap<string, string>;
  /** The names of the secrets. The file never holds their values. */
  readonly secrets: ReadonlySet<string>;
}

/** The environments of one folder. */
export interface Environments {
  readonly byName: ReadonlyMap<string, Environment>;
  /**
   * The names that any environment declares, as a value or as a secret. `{{name}}` with any other name stays as it is.
   */
  readonly declared: ReadonlySet<string>;
}

/** An environment as it is written in the file. */
interface WrittenEnvironment {
  readonly registry: string;
  readonly project?: string;
  readonly values?: Readonly<Record<string, JsonValue>>;
  readonly secrets?: readonly string[];
}

interface WrittenFile {
  readonly environments: Readonly<Record<string, WrittenEnvironment>>;
}

/**
 * Parses `environments.json`, of at most 1,000,000 characters. Besides violations of the schema, reports unusable
 * addresses, names that are both a value and a secret, and secrets that share an environment variable.
 */
export function readEnvironments(text: string, language: Language): TeamFileReading<Environments> {
  const format = { schema: environmentsSchema as JsonValue, maxLength: 1_000_000 };
  const read = readTeamFile<WrittenFile>(text, format, language, ({ environments }) =>
    Object.entries(environments).flatMap(([name, environment]) => [
      ...addressProblems(name, environment, language),
      ...secretProblems(name, environment, language),
    ]),
  );
  if (!read.ok) return read;
  const written = Object.entries(read.value.environments);
  const spelled = spelledValues(text, written);
  const all = written.map(([name, { registry, project, secrets = [] }]): Environment => {
    return {
      name,
      registry: normalAddress(registry),
      ...(project !== undefined && { project }),
      values: spelled.get(name) ?? new Map(),
      secrets: new Set(secrets),
    };
  });
  const declared = new Set(all.flatMap(({ values, secrets }) => [...values.keys(), ...secrets]));
  return { ok: true, value: { byName: new Map(all.map((item) => [item.name, item])), declared } };
}

/** The prefix of environment variables with secrets. */
export const secretVariablePrefix = "SKILL_REGISTRY_SECRET_";

/** Returns the environment variable that holds a secret on the command line. Two secrets may have the same variable. */
export function secretVariable(name: string): string {
  return `${secretVariablePrefix}${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Returns the values with their spelling in the text. Parsing would change long numbers. */
function spelledValues(
  text: string,
  written: readonly (readonly [string, WrittenEnvironment])[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const root = new RequestedRange();
  const requested = written.map(([name, { values = {} }]) => {
    const all = root.below("environments").below(name).below("values");
    return [name, Object.keys(values).map((value) => [value, all.below(value)] as const)] as const;
  });
  scanJson(text, root, 0);
  const spelling = ({ value: range }: RequestedRange): string => {
    if (range === undefined) throw new Error("A value that was read has no range.");
    return jsonLine(text.slice(range.start, range.end));
  };
  return new Map(
    requested.map(([name, values]) => [
      name,
      new Map(values.map(([value, range]) => [value, spelling(range)])),
    ]),
  );
}

function normalAddress(registry: string): string {
  const read = readRegistryOrigin(registry);
  return read.ok ? read.value.baseUrl : builtInRegistryName;
}

function addressProblems(
  name: string,
  { registry }: WrittenEnvironment,
  language: Language,
): readonly PointedProblem[] {
  if (registry === builtInRegistryName) return [];
  const read = readRegistryOrigin(registry);
  if (read.ok) return [];
  const pointer = pointerOf(["environments", name, "registry"]);
  return [{ pointer, message: localize(read.problem, language) }];
}

function secretProblems(
  name: string,
  { values = {}, secrets = [] }: WrittenEnvironment,
  { t }: Language,
): readonly PointedProblem[] {
  const variables = secrets.map(secretVariable);
  return secrets.flatMap((secret, index) => {
    const pointer = pointerOf(["environments", name, "secrets", index]);
    if (Object.hasOwn(values, secret)) {
      return [{ pointer, message: t("This name has a value in the file already.") }];
    }
    const variable = variables[index] ?? "";
    if (variables.indexOf(variable) === index) return [];
    return [{ pointer, message: t("Another secret is read from {variable} too.", { variable }) }];
  });
}
