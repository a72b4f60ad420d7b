import type * as vscode from "vscode";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { PolicyCache } from "../connect/policyCache";
import { EmbeddedRegistry, RegistryConnection } from "../connect/registryConnection";
import type { WindowPlace } from "../environments/windowPlace";
import type { OutputChannels } from "../ui/outputChannels";
import type { Register } from "../ui/owner";
import type { UserSessions } from "../workspace/account/userSessions";
import { KeyVersions } from "./keyVersions";
import { ProjectKeys } from "./projectKeys";

/** The dependencies of the connection. */
interface ConnectSources {
  readonly context: Pick<vscode.ExtensionContext, "secrets" | "globalState">;
  /** The path of the built-in registry's bundle. */
  readonly workerPath: string;
  readonly sessions: UserSessions;
  readonly place: WindowPlace;
  readonly redactor: KeyRedactor;
  readonly channels: OutputChannels;
  readonly register: Register;
}

/** Builds the connection to the registry in use, and the storage of its Project Key. */
export function startConnect(sources: ConnectSources) {
  const { context, sessions, place, redactor, register } = sources;
  const { secrets, globalState } = context;
  const embedded = register(new EmbeddedRegistry(sources.workerPath));
  const keys = register(new ProjectKeys({ secrets, origins: globalState, redactor }));
  const redactKey: typeof keys.redactKey = async (registry, learnedLate) => {
    await Promise.all([
      keys.redactKey(registry, learnedLate),
      sessions.redactTokens(redactor, learnedLate),
    ]);
  };
  const connection = register(
    new RegistryConnection(embedded, place, { redactKey }, redactor, sources.channels),
  );
  const policies = register(new PolicyCache(globalState));
  const keyVersions = register(new KeyVersions({ connection, keys, policies }));
  return { connection, keys, policies, keyVersions };
}
