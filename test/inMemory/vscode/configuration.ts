import type * as vscode from "vscode";
import { standIn } from "../screen/board";
import { EventEmitter } from "./values";

interface Setting {
  readonly default?: unknown;
  readonly scope?: string;
}

/** The editor's own settings that the extension reads, with their defaults. */
const ownSettings: Readonly<Record<string, Setting>> = {
  "http.proxy": { default: "", scope: "application" },
  "http.noProxy": { default: [], scope: "application" },
  "http.proxySupport": { default: "override", scope: "application" },
  "http.proxyStrictSSL": { default: true, scope: "application" },
  "http.proxyAuthorization": { default: null, scope: "application" },
  "http.systemCertificates": { default: true, scope: "application" },
  "workbench.editor.enablePreview": { default: true },
  "editor.tabSize": { default: 4 },
  "editor.insertSpaces": { default: true },
};

/** The settings: defaults of the manifest, the user's, and the workspace's. */
export class Settings {
  private readonly known: Readonly<Record<string, Setting>>;
  private readonly changed = new EventEmitter<vscode.ConfigurationChangeEvent>();
  readonly user = new Map<string, unknown>();
  readonly workspace = new Map<string, unknown>();

  readonly onDidChange = this.changed.event;

  constructor(contributed: Readonly<Record<string, Setting>>) {
    this.known = { ...ownSettings, ...contributed };
  }

  /** Writes a setting as in a settings file, without validation. Undefined removes it. */
  write(name: string, value: unknown, into: "user" | "workspace" = "user"): void {
    if (value === undefined) this[into].delete(name);
    else this[into].set(name, value);
    this.changed.fire({
      affectsConfiguration: (section) => name === section || name.startsWith(`${section}.`),
    });
  }

  get(section?: string): vscode.WorkspaceConfiguration {
    const full = (name: string) => (section === undefined ? name : `${section}.${name}`);
    // Values that were read before do not change.
    const [user, workspace] = [new Map(this.user), new Map(this.workspace)];
    const inspect = (name: string) => ({
      key: full(name),
      ...defined("defaultValue", this.known[full(name)]?.default),
      ...defined("globalValue", user.get(full(name))),
      ...defined("workspaceValue", workspace.get(full(name))),
    });
    const read = (name: string) => {
      const { defaultValue, globalValue, workspaceValue }: Record<string, unknown> = inspect(name);
      const isForAll = this.known[full(name)]?.scope === "application";
      return (isForAll ? undefined : workspaceValue) ?? globalValue ?? defaultValue;
    };
    return standIn<vscode.WorkspaceConfiguration>("WorkspaceConfiguration", {
      get: (name: string, otherwise?: unknown) => read(name) ?? otherwise,
      has: (name: string) => read(name) !== undefined,
      inspect: inspect as never,
      update: async (name: string, value: unknown, target?: unknown) => {
        const setting = this.known[full(name)];
        if (setting === undefined) {
          throw new Error(`Unable to write: ${full(name)} is not a registered configuration.`);
        }
        const isUsers = target === true || target === 1;
        if (!isUsers && setting.scope === "application") {
          throw new Error(`Unable to write ${full(name)} to Workspace Settings.`);
        }
        this.write(full(name), value, isUsers ? "user" : "workspace");
      },
    });
  }
}

function defined(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}
