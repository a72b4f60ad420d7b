import * as vscode from "vscode";
import { registryChangedNotice } from "../../core/invocation/permission/gateNotices";
import { askForProjectKey } from "../connect/askForProjectKey";
import type { ProjectKeys } from "../connect/projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { hostLanguage } from "../words/hostLanguage";
import { present, presentNoConnection } from "../words/present";
import { withWaiting } from "./callProgress";

/** Where calls find their registry and its key. */
export interface CallTargetParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
}

/** Finds the registry that a call goes to, and the key for it. Whatever takes a while can be cancelled. */
export class CallTarget {
  constructor(private readonly parts: CallTargetParts) {}

  /** Answers the registry in use; undefined, and told, where there is none or the user cancelled. */
  async connect(): Promise<ConnectedRegistry | undefined> {
    const connection = await withWaiting(
      vscode.l10n.t("Connecting"),
      this.parts.connection.current(),
    );
    if (connection?.ok === false) void presentNoConnection(connection.problem);
    return connection?.ok ? connection.registry : undefined;
  }

  /** Answers the registry `skill` was checked for; undefined, and told, where it is not in use now. */
  async connectTo(baseUrl: string, skill: string): Promise<ConnectedRegistry | undefined> {
    const registry = await this.connect();
    if (registry === undefined || registry.baseUrl === baseUrl) return registry;
    void present(registryChangedNotice(skill, hostLanguage()));
    return undefined;
  }

  /** Answers the key of a registry, asking for it where there is none; undefined where the user gave up. */
  async findKey(registry: ConnectedRegistry): Promise<string | undefined> {
    const found = await this.lookForKey(registry);
    if (found === undefined) return undefined;
    return found.key ?? askForProjectKey(this.parts.keys, registry);
  }

  /** Looks for the key of a registry; undefined where the user does not wait for the secret storage. */
  lookForKey(
    registry: ConnectedRegistry,
  ): Promise<{ readonly key: string | undefined } | undefined> {
    const looking = this.parts.keys.find(registry).then((key) => ({ key }));
    return withWaiting(vscode.l10n.t("Reading the Project Key"), looking);
  }
}
