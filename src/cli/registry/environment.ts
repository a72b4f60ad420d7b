import { join } from "node:path";
import {
  type Environments,
  readEnvironments,
  secretVariable,
} from "../../core/environment/environmentsFile";
import { environmentsPath } from "../../core/environment/environmentsPath";
import {
  brokenEnvironment,
  brokenLine,
  environmentOf,
  noEnvironment,
  type PayloadEnvironment,
} from "../../core/environment/payloadEnvironment";
import { CommandError } from "../../core/findings/commandError";
import { findingsOf } from "../../core/findings/report";
import { similarName } from "../../core/schema/explain/similarName";
import { english } from "../../core/text/language";
import { findRootOf, readTeamText } from "../files/teamFolder";
import type { OptionTable } from "../options";
import { findingText } from "../output/writeReport";
import type { Terminal } from "../terminal";
import type { TerminalWindow } from "../window/terminalWindow";
import {
  builtIn,
  findWindow,
  nameRegistry,
  type OpeningOptions,
  type OpenRegistry,
  openRegistry,
  type RegistryValues,
  urlVariable,
} from "./openRegistry";

/** The option of every command that may use an environment. */
export const environmentOption = optionFor("values");

/** The option of commands that read a registry without sending payloads. They need no key. */
export const registryEnvironmentOption = optionFor("registry");

function optionFor(used: "values" | "registry") {
  return {
    environment: {
      value: "NAME",
      text: `Use the ${used} of this environment of ${environmentsPath}.`,
      group: "Registry",
    },
  } as const satisfies OptionTable;
}

/** A registry for a command, and the values of placeholders in payloads. */
interface OpenedEnvironment {
  readonly registry: OpenRegistry;
  readonly environment: PayloadEnvironment;
}

/** How to open an environment. */
interface EnvironmentOpening extends OpeningOptions {
  /**
   * Whether the command works without a key. Then the repository's file of environments may choose the registry, which
   * gets no credential. Otherwise, a person or the settings of CI must name the same registry.
   */
  readonly isKeyless?: boolean;
}

/** The values of `environmentOption` and of the options of a registry. */
type EnvironmentValues = RegistryValues & { readonly environment?: string | undefined };

/**
 * Opens a registry as `openRegistry` does, with the environment of `--environment`. A pull request may change the file
 * of environments, so an address in it gets no credential. Throws a `CommandError` for an unusable environment.
 */
export async function openEnvironment(
  given: EnvironmentValues,
  terminal: Terminal,
  { isKeyless = false, ...opening }: EnvironmentOpening = {},
): Promise<OpenedEnvironment> {
  const { env, err } = terminal;
  const { environment: name } = given;
  const windowUse = opening.windowUse ?? (isKeyless ? undefined : "forKey");
  // A command without a key uses the registry of the requested environment, not the window's.
  const isElsewhere = isKeyless && name !== undefined;
  const window = isElsewhere
    ? undefined
    : await findWindow(given, terminal, { ...opening, ...(windowUse && { windowUse }) });
  if (window !== undefined) return windowEnvironment(window, given, terminal, opening);
  const file = await readEnvironmentsFile(name, terminal);
  const found = name === undefined ? undefined : file.environments?.byName.get(name);
  if (found === undefined) {
    const registry = await openRegistry(given, terminal, {
      ...{ ...opening, windowUse: "never", needsKey: !isKeyless },
    });
    return { registry, environment: environmentIn(file, name, registry.name, env) };
  }
  const named = namedRegistry(given, terminal, found.registry);
  const needsCredential = !isKeyless || given.project !== undefined;
  if (named !== found.registry && (needsCredential || given.registry !== undefined)) {
    throw otherRegistry(found.name, found.registry, named);
  }
  const isOfFile = named !== found.registry;
  const keys = isOfFile ? ", without any key" : "";
  err(`Environment ${found.name}: ${found.registry}${keys} (${environmentsPath}).\n`);
  const registry = await openRegistry(given, terminal, {
    ...opening,
    windowUse: "never",
    needsKey: !isKeyless,
    name: found.registry,
    hasNoCredentials: isOfFile,
  });
  return { registry, environment: environmentIn(file, found.name, registry.name, env) };
}

/**
 * Returns the window's environment, which replaces placeholders. Throws a `CommandError` if another one was requested.
 */
async function windowEnvironment(
  window: TerminalWindow,
  given: EnvironmentValues,
  terminal: Terminal,
  opening: OpeningOptions,
): Promise<OpenedEnvironment> {
  const { environment } = window;
  const { environment: name } = given;
  if (name !== undefined && name !== environment) {
    window.close();
    const used = environment === undefined ? "no environment" : `environment ${environment}`;
    throw new CommandError(
      `The window of this terminal uses ${used}. Choose ${name} there, or add --no-window.`,
    );
  }
  const file = await readEnvironmentsFile(undefined, terminal);
  const registry = await openRegistry(given, terminal, { ...opening, window });
  return { registry, environment: environmentIn(file, environment, registry.name, terminal.env) };
}

/** Reads the environment for payloads that are checked without a registry. */
export async function offlineEnvironment(
  { environment: name }: Pick<EnvironmentValues, "environment">,
  terminal: Terminal,
): Promise<PayloadEnvironment> {
  const file = await readEnvironmentsFile(name, terminal);
  const found = name === undefined ? undefined : file.environments?.byName.get(name);
  return environmentIn(file, name, found?.registry ?? "", terminal.env);
}

/** Returns the registry that a person or CI names. The built-in one needs no name, since it has a key of its own. */
function namedRegistry(
  given: RegistryValues,
  terminal: Terminal,
  wanted: string,
): string | undefined {
  const isNamed = (given.registry ?? terminal.env[urlVariable] ?? "") !== "";
  if (isNamed) return nameRegistry(given, terminal);
  return wanted === builtIn ? builtIn : undefined;
}

function otherRegistry(name: string, ofFile: string, named: string | undefined): CommandError {
  const instead = named === undefined ? "no registry is set" : `${named} is set`;
  return new CommandError(
    `Environment ${name} is for ${ofFile}, and ${instead}. A file of the repository does not decide where a key or token goes: set ${urlVariable} or --registry to ${ofFile}.`,
  );
}

interface EnvironmentsReading {
  /** Set if the file is broken: payloads with placeholders cannot be checked. */
  readonly broken?: PayloadEnvironment;
  readonly environments: Environments | undefined;
}

/**
 * Reads the file of environments. If an environment is `requested`, throws a `CommandError` for a missing or broken
 * file, and for one without that environment.
 */
async function readEnvironmentsFile(
  requested: string | undefined,
  { cwd }: Terminal,
): Promise<EnvironmentsReading> {
  const root = await findRootOf(cwd, environmentsPath);
  const text = await readTeamText(root, environmentsFileName, maxBytes);
  if (text.kind === "none") {
    if (requested !== undefined)
      throw new CommandError(`There is no ${environmentsPath} here or above.`);
    return { environments: undefined };
  }
  if (text.kind !== "text") {
    if (requested !== undefined) throw new CommandError(`${environmentsPath} could not be read.`);
    return { broken: brokenEnvironment(), environments: undefined };
  }
  const read = readEnvironments(text.text, english);
  if (!read.ok) {
    if (requested === undefined) {
      const broken = brokenEnvironment(brokenLine(text.text, read.problems));
      return { broken, environments: undefined };
    }
    const findings = findingsOf(read.problems, text.text, join(root, environmentsPath));
    throw new CommandError(findings.map((finding) => findingText(finding).trimEnd()).join("\n"));
  }
  if (requested !== undefined && !read.value.byName.has(requested)) {
    const names = [...read.value.byName.keys()];
    const near = similarName(requested, names);
    const hint = near === undefined ? `It has ${names.join(", ")}.` : `Did you mean ${near}?`;
    throw new CommandError(
      `${environmentsPath} has no environment ${requested.slice(0, 60)}. ${hint}`,
    );
  }
  return { environments: read.value };
}

const environmentsFileName = "environments.json";
/** The maximum size of the file in bytes. A valid file is smaller, since its number of characters is limited too. */
const maxBytes = 4_000_000;

function environmentIn(
  { broken, environments }: EnvironmentsReading,
  name: string | undefined,
  registry: string,
  env: Terminal["env"],
): PayloadEnvironment {
  if (broken !== undefined) return broken;
  if (environments === undefined) return noEnvironment;
  // A file of secrets usually ends with a line break.
  const secretOf = (secret: string) => env[secretVariable(secret)]?.replace(/\r?\n$/, "");
  return environmentOf(environments, { name, registry }, secretOf, true);
}
