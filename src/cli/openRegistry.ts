import { createHash } from "node:crypto";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { readUserToken } from "../core/account/signIn";
import { exitCodes } from "../core/findings/report";
import {
  projectKeyVariable,
  readProjectKey,
  type UserToken,
  userTokenVariable,
  withoutBearer,
} from "../core/registry/credential";
import { KeyRedactor } from "../core/registry/redactSecrets";
import { type Result, registryFailureText } from "../core/registry/registryFailure";
import { readRegistryOrigin } from "../core/registry/registryOrigin";
import { readVersion } from "../core/review/checkTeam";
import type { SkillDetail } from "../core/skill/skill";
import { readSkillAddress, type SkillAddress } from "../core/skill/skillAddress";
import { english, localize } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import type { RegistryClient } from "../registry/registryClient";
import type { WorkspaceRoutes } from "../registry/workspace/workspaceRoutes";
import {
  CliError,
  type CommandOption,
  type ParsedArguments,
  type Terminal,
  usageError,
} from "./command";

/** The environment variables that the command line reads beside the Project Key. */
const urlVariable = "SKILL_REGISTRY_URL";
const builtIn = "built-in";

/** How long one answer may take. */
const requestTimeoutSeconds = 30;
const invokeTimeoutSeconds = 120;
const maxResponseBytes = 10_000_000;

/** The option that names a registry. */
export const registryOption: Readonly<Record<string, CommandOption>> = {
  registry: {
    value: "URL",
    text: `The registry's address, or "${builtIn}". Default: ${urlVariable}, else ${builtIn}.`,
  },
};

/** Somebody signed in, and what they may ask. */
interface SignedIn {
  readonly token: UserToken;
  readonly routes: WorkspaceRoutes;
}

/** A registry that a command uses, until `close`. */
export interface OpenRegistry {
  readonly client: RegistryClient;
  /** How records name it: its address, or `built-in`. */
  readonly name: string;
  /** How reviews name it: scheme, host and port, or `built-in`. */
  readonly reviewName: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly isBuiltIn: boolean;
  /** The Project Key for it. Throws a `CliError` where there is none. */
  readonly projectKey: () => string;
  /** Whether there is something to take for a Project Key. */
  readonly hasKey: boolean;
  /** Who is signed in; undefined without a user token. Throws a `CliError` for one that is none. */
  readonly signedIn: () => SignedIn | undefined;
  readonly close: () => void;
}

/**
 * Opens the registry that `--registry` or the environment names, else the built-in one. Throws a
 * `CliError` for an address that cannot be used.
 */
export async function openRegistry(
  given: ParsedArguments,
  terminal: Terminal,
): Promise<OpenRegistry> {
  const { env } = terminal;
  const wanted = given.text("registry") ?? env[urlVariable] ?? "";
  const isBuiltIn = wanted === "" || wanted === builtIn;
  // Undici takes longer to load than all the rest: only what talks to a registry waits for it.
  const { RegistryClient } = await import("../registry/registryClient");
  const local = isBuiltIn ? await startBuiltIn(terminal.partsFolder) : undefined;
  const address = readRegistryOrigin(local?.baseUrl ?? wanted);
  if (!address.ok) throw new CliError(localize(address.problem, english));
  const { baseUrl, origin } = address.value;
  const key = local?.projectKey ?? env[projectKeyVariable];
  const token = local?.userTokens.owner ?? env[userTokenVariable];
  const client = new RegistryClient({
    baseUrl,
    network: networkOf(env),
    requestTimeoutSeconds,
    invokeTimeoutSeconds,
    maxResponseBytes,
    redactor: redactorOf(env),
  });
  return {
    client,
    name: isBuiltIn ? builtIn : baseUrl,
    reviewName: isBuiltIn ? builtIn : origin,
    origin,
    isBuiltIn,
    projectKey: () => usableKey(key),
    hasKey: (key ?? "") !== "",
    signedIn: () => {
      if (!token) return undefined;
      const read = usableToken(token, origin);
      return { token: read, routes: client.workspace(read) };
    },
    close: () => {
      client.close();
      void local?.stop();
    },
  };
}

/** Creates a redactor with the secrets of the environment, for everything that is written. */
export function redactorOf(env: Terminal["env"]): KeyRedactor {
  const redactor = new KeyRedactor();
  for (const name of [projectKeyVariable, userTokenVariable]) {
    redactor.learn(withoutBearer(env[name] ?? ""));
  }
  return redactor;
}

function usableKey(key: string | undefined): string {
  const reading = readProjectKey(key ?? "");
  if (reading.ok) return reading.key;
  const why = key === undefined ? "" : ` ${localize(reading.problem, english)}`;
  throw new CliError(`Set ${projectKeyVariable} to the Project Key of this registry.${why}`);
}

function usableToken(token: string, origin: string): UserToken {
  const reading = readUserToken(token, origin);
  if (reading.ok) return reading.token;
  throw new CliError(`${userTokenVariable}: ${localize(reading.problem, english)}`);
}

function networkOf(environment: Terminal["env"]) {
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

interface BuiltInRegistry {
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly userTokens: { readonly owner: string };
  readonly stop: () => Promise<unknown>;
}

function startBuiltIn(partsFolder: string): Promise<BuiltInRegistry> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(join(partsFolder, "localRegistryWorker.js"), { env: {} });
    const fail = (detail: string) =>
      reject(new CliError(`The built-in registry could not start: ${detail}`, exitCodes.unknown));
    worker.once("message", (report: Partial<BuiltInRegistry & { error: string }>) => {
      const { baseUrl, projectKey, userTokens, error } = report;
      if (baseUrl === undefined || projectKey === undefined || userTokens === undefined) {
        fail(error ?? "it reported no address.");
      } else resolve({ baseUrl, projectKey, userTokens, stop: () => worker.terminate() });
      worker.unref();
    });
    worker.once("error", (error) => fail(error.message));
  });
}

/** The option that names a project. */
export const projectOption: Readonly<Record<string, CommandOption>> = {
  project: { value: "SLUG", text: "The project. Default: the only one you have." },
};

/** A project that somebody signed in works with, or why there is none, with the exit code for that. */
type ChosenProject =
  | { readonly isChosen: true; readonly slug: string; readonly who: SignedIn }
  | { readonly isChosen: false; readonly why: string; readonly exitCode: number };

/** A registry lists at most this many; others may exist. */
const maxListed = 100;

/** Finds the project that `--project` names, else the only one. */
export async function chosenProject(
  registry: OpenRegistry,
  given: ParsedArguments,
  signal: AbortSignal,
): Promise<ChosenProject> {
  const none = (why: string, exitCode: number = exitCodes.broken) =>
    ({ isChosen: false, why, exitCode }) as const;
  const who = registry.signedIn();
  if (who === undefined) return none(`Not signed in. Set ${userTokenVariable}.`);
  const projects = await who.routes.projects(signal);
  if (!projects.ok) {
    signal.throwIfAborted();
    const reason = oneLine(registryFailureText(projects.failure, english), 500);
    return none(`The projects could not be read. ${reason}`, exitCodes.unknown);
  }
  const named = given.text("project");
  if (named !== undefined) {
    const isThere = projects.value.some(({ slug }) => slug === named);
    if (isThere || projects.value.length >= maxListed) return { isChosen: true, slug: named, who };
    return none(`There is no project "${oneLine(named, 60)}".`, exitCodes.nothing);
  }
  const [only, ...others] = projects.value;
  if (only === undefined) return none("You have no project yet.", exitCodes.nothing);
  if (others.length > 0) return none("You have several projects. Choose one with --project.");
  return { isChosen: true, slug: only.slug, who };
}

/** Digests a text's UTF-8 bytes: SHA-256 in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Reads `slug` or `slug@version`. Throws a `CliError` for anything else. */
export function addressOf(text: string | undefined, command: string): SkillAddress {
  const address = readSkillAddress(text);
  if (address !== undefined) return address;
  throw usageError(command, "Specify a skill: SLUG or SLUG@VERSION.");
}

/** Reads a skill from the registry. The version is the one that was asked for, or the result a failure. */
export function readSkill(
  { client }: OpenRegistry,
  address: SkillAddress,
  signal: AbortSignal,
): Promise<Result<SkillDetail>> {
  return readVersion(client, address, requestTimeoutSeconds, signal, english);
}

/** Reads a skill, or ends the command: with 4 where there is no such skill, else with 3. */
export async function requireSkill(
  registry: OpenRegistry,
  address: SkillAddress,
  signal: AbortSignal,
): Promise<SkillDetail> {
  const read = await readSkill(registry, address, signal);
  if (read.ok) return read.value;
  signal.throwIfAborted();
  const { failure } = read;
  const code = failure.kind === "notFound" ? exitCodes.nothing : exitCodes.unknown;
  throw new CliError(oneLine(registryFailureText(failure, english), 500), code);
}
