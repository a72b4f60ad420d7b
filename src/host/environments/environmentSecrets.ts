import * as vscode from "vscode";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { sha256 } from "../../engine/sha256";
import { Owner } from "../ui/owner";
import type { ListedEnvironment } from "./workspaceEnvironments";

/** The prefix of secrets' names in the editor's storage. */
const prefix = "environmentSecret:";

/**
 * Stores the values of secrets in the editor's secret storage, each for one folder, environment and registry. Another
 * repository, or a file that names another registry, has no access to them.
 */
export class EnvironmentSecrets extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());

  /** Fires when a secret was set or removed, in this or another window. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly redactor: KeyRedactor,
  ) {
    super();
    this.own(storage.onDidChange(({ key }) => key.startsWith(prefix) && this.changed.fire()));
  }

  /** Reads the values of an environment's secrets, and redacts them from then on. Never rejects. */
  async valuesOf(environment: ListedEnvironment): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const name of environment.secrets) {
      const value = await this.read(keyOf(environment, name));
      if (value === undefined || value === "") continue;
      this.redactor.learnSecret(value);
      values.set(name, value);
    }
    return values;
  }

  /** Stores the value of a secret. Rejects if the editor cannot. */
  async set(environment: ListedEnvironment, name: string, value: string): Promise<void> {
    this.redactor.learnSecret(value);
    await this.storage.store(keyOf(environment, name), value);
  }

  /** Removes the value of a secret. Rejects if the editor cannot. */
  async remove(environment: ListedEnvironment, name: string): Promise<void> {
    await this.storage.delete(keyOf(environment, name));
  }

  /** Moves the value of a secret to another name. Rejects if the editor cannot; the value is not lost then. */
  async rename(environment: ListedEnvironment, from: string, to: string): Promise<void> {
    const value = await this.storage.get(keyOf(environment, from));
    if (value === undefined || value === "") return;
    await this.set(environment, to, value);
    await this.remove(environment, from);
  }

  private async read(key: string): Promise<string | undefined> {
    try {
      return await this.storage.get(key);
    } catch {
      return undefined;
    }
  }
}

function keyOf({ folder, name: environment, registry }: ListedEnvironment, name: string): string {
  return prefix + sha256(JSON.stringify([folder.uri.toString(), environment, registry, name]));
}
