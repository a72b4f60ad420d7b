import { findingsOf } from "../findings/report";
import type { PayloadProblem } from "../payload/payloadCheck";
import { type LocalizableText, l10nText } from "../text/language";
import type { Environments } from "./environmentsFile";
import { environmentsPath } from "./environmentsPath";
import type { PlaceholderValues } from "./placeholders";

/** How placeholders in one folder's payloads are replaced. */
export type PayloadEnvironment =
  /** The folder declares no names, so `{{name}}` stays as it is. */
  | { readonly kind: "none" }
  /** No placeholder is replaced, and no payload with a placeholder may be sent. */
  | {
      readonly kind: "unusable";
      /** The declared names; undefined if the file cannot be read, so that any name may be declared. */
      readonly declared: ReadonlySet<string> | undefined;
      readonly problem: LocalizableText;
    }
  | ChosenEnvironment;

/** The environment in use in a folder. */
export interface ChosenEnvironment extends PlaceholderValues {
  readonly kind: "chosen";
  /** Empty if only the cases of a suite provide values. */
  readonly name: string;
  /** The only registry to which its values may be sent: its base URL, or `built-in`. */
  readonly registry: string;
  readonly declared: ReadonlySet<string>;
  /** The names of its secrets, including those without a value. */
  readonly secretNames: ReadonlySet<string>;
  /** Whether secrets come from environment variables, as on the command line. */
  readonly usesVariables: boolean;
}

/** The environment of agents, of payloads without a folder, and of Restricted Mode. It replaces nothing. */
export const noEnvironment: PayloadEnvironment = { kind: "none" };

/** Returns the name of the environment in use; undefined for none. */
export function environmentName(environment: PayloadEnvironment): string | undefined {
  return environment.kind === "chosen" ? environment.name : undefined;
}

/** The minimum length of a secret. Redacting a shorter one would also redact ordinary words. */
export const shortestSecret = 8;

/** The environment that a person chose, and the registry in use. */
interface EnvironmentChoice {
  readonly name: string | undefined;
  /** The registry in use: its base URL, or `built-in`. */
  readonly registry: string;
}

/** The first line with a problem, counted from 1, and the problem. */
interface BrokenLine {
  readonly line: number;
  readonly message: string;
}

/** Returns the environment of a folder whose file cannot be read. `broken` is missing if the file is not text. */
export function brokenEnvironment(broken?: BrokenLine): PayloadEnvironment {
  const file = environmentsPath;
  const problem =
    broken === undefined
      ? l10nText(
          "{file} cannot be read, so it is not known whether this placeholder has a value.",
          { file },
        )
      : l10nText("{file}, line {line}: {message}", { file, ...broken });
  return { kind: "unusable", declared: undefined, problem };
}

/** Finds the first line with a problem. */
export function brokenLine(
  text: string,
  problems: readonly PayloadProblem[],
): BrokenLine | undefined {
  const [first] = findingsOf(problems, text, environmentsPath);
  return first && { line: (first.start?.line ?? 0) + 1, message: first.message };
}

/**
 * Returns the chosen environment of a folder. Its values count only while its registry is in use. So neither a changed
 * file nor another folder with the same name can send them elsewhere.
 */
export function environmentOf(
  { byName, declared }: Environments,
  wanted: EnvironmentChoice,
  secretOf: (name: string) => string | undefined,
  usesVariables: boolean,
): PayloadEnvironment {
  const unusable = (problem: LocalizableText) => ({ kind: "unusable", declared, problem }) as const;
  const { name, registry } = wanted;
  if (name === undefined) {
    return unusable(
      l10nText("Choose an environment, such as {name}: this placeholder has a value there.", {
        name: [...byName.keys()][0] ?? "",
      }),
    );
  }
  const found = byName.get(name);
  if (found === undefined) {
    return unusable(l10nText("This folder has no environment {name}.", { name }));
  }
  if (found.registry !== registry) {
    const values = { name, registry: found.registry };
    return unusable(
      l10nText("The environment {name} is for {registry}, which is not in use.", values),
    );
  }
  const secrets = new Map<string, string>();
  for (const secret of found.secrets) {
    const value = secretOf(secret);
    if (value !== undefined && value.length >= shortestSecret) secrets.set(secret, value);
  }
  return {
    kind: "chosen",
    name,
    registry,
    declared,
    values: found.values,
    secrets,
    secretNames: found.secrets,
    usesVariables,
  };
}
