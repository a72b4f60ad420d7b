import { readUserToken } from "../../core/account/signIn";
import { secretVariablePrefix } from "../../core/environment/environmentsFile";
import { shortestSecret } from "../../core/environment/payloadEnvironment";
import { CommandError } from "../../core/findings/commandError";
import type { KeyReading } from "../../core/invocation/permission/canInvoke";
import {
  projectKeyVariable,
  readProjectKey,
  type UserToken,
  userTokenVariable,
  withoutBearer,
} from "../../core/registry/credential";
import { KeyRedactor } from "../../core/registry/redactSecrets";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { reviewedRegistry } from "../../core/review/files/reviewFiles";
import { english, localize } from "../../core/text/language";
import type { RegistryClient } from "../../registry/registryClient";
import type { OptionTable, OptionValues } from "../options";
import type { Terminal } from "../terminal";
import { type TerminalWindow, windowOf } from "../window/terminalWindow";
import { keyByCommand } from "./keyCommand";
import { unlistedNames } from "./longerNames";
import {
  type ProjectPin,
  type ProjectValues,
  projectOption,
  projectPins,
  type SignedIn,
} from "./project";

/** The environment variable that names the registry. */
export const urlVariable = "SKILL_REGISTRY_URL";
/** The name of the built-in registry. */
export const builtIn = "built-in";

/** The timeouts of a response and of an invocation, in seconds. */
interface Timeouts {
  readonly request: number;
  readonly invoke: number;
}

const usualTimeouts: Timeouts = { request: 30, invoke: 120 };
/** The maximum timeout in seconds, as in the editor. Nobody waits longer. */
const maxTimeout = 3600;
/** The maximum size of a response, the same as the editor's default. */
const maxResponseBytes = 10_000_000;

/** The options of every command that uses a registry. */
export const registryOptions = {
  registry: {
    value: "URL",
    text: `The registry's address, or "${builtIn}" for sample skills. Default: ${urlVariable}.`,
    group: "Registry",
  },
  timeout: {
    value: "SECONDS",
    text: `The timeout of each response; a command may wait for several. Default: ${usualTimeouts.request}, or ${usualTimeouts.invoke} for an invocation.`,
    count: { min: 1, max: maxTimeout },
    group: "Registry",
  },
  "no-window": {
    text: "Do not use the window that this terminal belongs to.",
    group: "Registry",
  },
} as const satisfies OptionTable;

/** The options of every command that reads a skill in the version of a project. */
export const skillOptions = { ...projectOption, ...registryOptions } as const;

/** The values of `registryOptions`, and of `projectOption` where a command has it. */
export type RegistryValues = OptionValues<typeof registryOptions> & Partial<ProjectValues>;

/** A registry that a command uses, until `close`. */
export interface OpenRegistry {
  readonly client: RegistryClient;
  /** The registry as records name it: its address, or `built-in`. */
  readonly name: string;
  /** The registry as reviews name it: scheme, host and port, or `built-in`. */
  readonly reviewName: string;
  readonly baseUrl: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly isBuiltIn: boolean;
  readonly timeouts: Timeouts;
  /** Returns the Project Key. Throws a `CommandError` without one. */
  readonly projectKey: () => string;
  /** Returns the Project Key; undefined without a usable one. */
  readonly findKey: () => string | undefined;
  /** Reads the registry's list of skills for the Project Key, once; undefined without a usable key. */
  readonly keyList: (signal: AbortSignal) => Promise<KeyReading | undefined>;
  /** Why the configured text is no Project Key; left out if none is set, or it is valid. */
  readonly keyProblem?: string;
  /** Whether a text is configured as the Project Key. */
  readonly hasKey: boolean;
  /** Returns the signed-in user; undefined without a user token. Throws a `CommandError` for an invalid token. */
  readonly signedIn: () => SignedIn | undefined;
  /**
   * Finds the version of a skill that the project runs, as the editor does; undefined if no project is known, or the
   * skill is not installed there.
   */
  readonly pinOf: (slug: string, signal: AbortSignal) => Promise<ProjectPin | undefined>;
  /**
   * Returns whether certainly no skill has a name, such as a slug with a label. May read the registry's list, but sends
   * no request for the name.
   */
  readonly isUnlisted: (name: string, signal: AbortSignal) => Promise<boolean>;
  /** The window of the terminal, which sends and has the key; undefined if the command works alone. */
  readonly window: TerminalWindow | undefined;
  /** Returns the Project Key for invocations; undefined if the window has it. Throws a `CommandError` without one. */
  readonly keyToSend: () => string | undefined;
  readonly close: () => void;
}

/**
 * Returns the name of the registry from `--registry` or the environment, else the built-in one. Mentions the built-in
 * one, since a misspelled variable would look like a working registry. Records use the same name. Throws a
 * `CommandError` for an unusable address, and on a CI machine without a named registry.
 */
export function nameRegistry(
  options: Pick<RegistryValues, "registry">,
  terminal: Terminal,
): string {
  const requested = options.registry ?? terminal.env[urlVariable] ?? "";
  if (requested === "") noteMissingRegistry(terminal);
  return requested === "" || requested === builtIn
    ? builtIn
    : addressIn(requested, sourceOf(options)).baseUrl;
}

/** Returns the name of the registry, and tells a person at a terminal the source of its address. */
function reportRegistry(options: Pick<RegistryValues, "registry">, terminal: Terminal): string {
  const name = nameRegistry(options, terminal);
  const { env, err, errColumns } = terminal;
  const isNamed = (options.registry ?? env[urlVariable] ?? "") !== "";
  if (isNamed && errColumns !== undefined) err(`Registry: ${name} (${sourceOf(options)}).\n`);
  return name;
}

function sourceOf({ registry }: Pick<RegistryValues, "registry">): string {
  return registry === undefined ? urlVariable : "--registry";
}

function addressIn(text: string, source: string) {
  const address = readRegistryOrigin(text);
  if (address.ok) return address.value;
  throw new CommandError(`${source}: ${localize(address.problem, english)}`);
}

/** How to open a registry. */
export interface OpeningOptions {
  /** The registry; by default the one that `nameRegistry` finds. */
  readonly name?: string;
  /**
   * Whether skills are read in the version that the Project Key invokes. Default: true unless `--project` names another
   * project.
   */
  readonly isByKey?: boolean;
  /** Whether a key is needed. If the environment has none, the `keyCommand` of the user's configuration is run. */
  readonly needsKey?: boolean;
  /** Whether neither key nor token may be sent to this registry. */
  readonly hasNoCredentials?: boolean;
  /**
   * `forKey` if the command needs a key, which the window has; `never` if it does not use the window of the terminal.
   * Default: the window is used if no registry is named.
   */
  readonly windowUse?: "forKey" | "never";
  /** The window of the terminal, if one was found. */
  readonly window?: TerminalWindow | undefined;
}

/**
 * Finds the window of the terminal for this command, as `windowOf` does; undefined if the command works alone. Throws a
 * `CommandError` for `--project`, since the window has its own project and gets no user token.
 */
export async function findWindow(
  options: RegistryValues,
  terminal: Terminal,
  { name, windowUse }: Pick<OpeningOptions, "name" | "windowUse">,
): Promise<TerminalWindow | undefined> {
  const isNamed = (options.registry ?? terminal.env[urlVariable] ?? "") !== "";
  const named = name ?? (isNamed ? nameRegistry(options, terminal) : undefined);
  const isIgnored = options["no-window"] || windowUse === "never";
  const window = await windowOf({ named, needsKey: windowUse === "forKey", isIgnored }, terminal);
  if (window === undefined || options.project === undefined) return window;
  window.close();
  throw new CommandError(
    "The window of this terminal chooses the project. Leave out --project, or add --no-window.",
  );
}

/** Opens a registry. Throws a `CommandError` as `nameRegistry` does. */
export async function openRegistry(
  options: RegistryValues,
  terminal: Terminal,
  opening: OpeningOptions = {},
): Promise<OpenRegistry> {
  const { env } = terminal;
  const timeouts = timeoutsBy(options);
  const window = opening.window ?? (await findWindow(options, terminal, opening));
  const name = window?.registry ?? opening.name ?? reportRegistry(options, terminal);
  const { isByKey = options.project === undefined } = opening;
  // The command did not name the window's registry, so no credential of the environment is sent there.
  const hasNoCredentials = window !== undefined || opening.hasNoCredentials === true;
  const isBuiltIn = name === builtIn;
  const isOwn = isBuiltIn && window === undefined;
  const starting = isOwn ? terminal.threads.registry() : undefined;
  // Loaded late, and while the built-in registry starts: undici takes longer to load than everything else.
  const { RegistryClient } = await import("../../registry/registryClient");
  const local = await starting;
  const { baseUrl, origin } = addressIn(window?.baseUrl ?? local?.baseUrl ?? name, "The registry");
  const ofUser = hasNoCredentials ? {} : env;
  const ownKey = local?.projectKey ?? (ofUser[projectKeyVariable] || undefined);
  const asksCommand = opening.needsKey === true && !hasNoCredentials;
  const key = ownKey ?? (asksCommand ? await keyByCommand(origin, terminal) : undefined);
  const token = local?.userTokens.owner ?? ofUser[userTokenVariable];
  const client = new RegistryClient({
    baseUrl,
    network: networkOf(env),
    requestTimeoutSeconds: timeouts.request,
    invokeTimeoutSeconds: timeouts.invoke,
    maxResponseBytes,
    redactor: terminal.redactor,
    isSample: isBuiltIn,
  });
  const keyReading = readKey(key, whereText({ name, isBuiltIn }));
  const signedIn = () => {
    if (!token) return undefined;
    const read = usableToken(token, origin);
    return { token: read, routes: client.workspace(read), where: whereText({ name, isBuiltIn }) };
  };
  let list: Promise<KeyReading> | undefined;
  const keyList = async (signal: AbortSignal) => {
    if (keyReading.ok) list ??= client.readKey(keyReading.key, signal);
    return list;
  };
  const projectKey = () => {
    if (keyReading.ok) return keyReading.key;
    throw new CommandError(keyReading.message);
  };
  return {
    client,
    baseUrl,
    name,
    reviewName: reviewedRegistry({ isBuiltIn, origin }),
    origin,
    isBuiltIn,
    timeouts,
    projectKey,
    keyToSend: () => (window === undefined ? projectKey() : undefined),
    window,
    findKey: () => (keyReading.ok ? keyReading.key : undefined),
    ...(key && !keyReading.ok && { keyProblem: keyReading.message }),
    hasKey: (key ?? "") !== "",
    signedIn,
    keyList,
    pinOf: projectPins(
      { client, key: isByKey ? key : undefined, keyList, signedIn },
      options,
      terminal.err,
    ),
    isUnlisted: unlistedNames(client),
    close: () => {
      client.close();
      void local?.close();
      window?.close();
    },
  };
}

function timeoutsBy({ timeout: seconds }: RegistryValues): Timeouts {
  return seconds === undefined ? usualTimeouts : { request: seconds, invoke: seconds };
}

function noteMissingRegistry({ env, err }: Terminal): void {
  const { CI: ci = "" } = env;
  if (!["", "0", "false"].includes(ci)) {
    throw new CommandError(
      `No registry is named. Set ${urlVariable}, or pass --registry ${builtIn} for the sample skills.`,
    );
  }
  err(`Using the built-in registry with sample skills. Set ${urlVariable} for another one.\n`);
}

/** Creates a redactor with the secrets of the environment, for all output. */
export function redactorOf(env: Terminal["env"]): KeyRedactor {
  const redactor = new KeyRedactor();
  for (const name of [projectKeyVariable, userTokenVariable]) {
    redactor.learn(withoutBearer(env[name] ?? ""));
  }
  for (const [name, value = ""] of Object.entries(env)) {
    // A secret shorter than `shortestSecret` is never sent, so it needs no redaction.
    const isSecret = name.startsWith(secretVariablePrefix) && value.length >= shortestSecret;
    if (isSecret) redactor.learnSecret(value);
  }
  return redactor;
}

function readKey(key: string | undefined, where: string) {
  const reading = readProjectKey(key ?? "");
  if (reading.ok) return reading;
  const why = key === undefined ? "" : ` ${localize(reading.problem, english)}`;
  const message = `Set ${projectKeyVariable} to the Project Key of ${where}, or have the keyCommand of your config.json print it.${why}`;
  return { ok: false as const, message };
}

function usableToken(token: string, origin: string): UserToken {
  const reading = readUserToken(token, origin);
  if (reading.ok) return reading.token;
  throw new CommandError(`${userTokenVariable}: ${localize(reading.problem, english)}`);
}

/** Returns the network settings of the command line, from the environment. */
export function networkOf(environment: Terminal["env"]) {
  return {
    proxy: "",
    noProxy: [],
    proxySupport: "on" as const,
    strictSSL: true,
    proxyAuthorization: "",
    systemCertificates: true,
    environment,
  };
}

/** Returns the name of a registry for messages. */
export function whereText({ name, isBuiltIn }: Pick<OpenRegistry, "name" | "isBuiltIn">): string {
  return isBuiltIn ? "the built-in registry" : name;
}
