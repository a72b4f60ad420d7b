import * as vscode from "vscode";
import { readRegistryOrigin } from "../../core/registryOrigin";
import type { RegistryClient } from "../../registry/registryClient";
import { settingSection } from "../ids";
import { readNetworkSettings } from "../networkSettings";
import { readSettings } from "../settings";
import type { EmbeddedRegistry } from "./embeddedRegistry";

/** The registry the window works with. */
export interface ConnectedRegistry {
  readonly baseUrl: string;
  /** What a Project Key belongs to: scheme, host and port. */
  readonly origin: string;
  /** How the registry is named on screen. */
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** The built-in registry's own key. */
  readonly ownKey?: string;
  readonly client: RegistryClient;
}

/** The registry, or why there is none in words for the user. */
export type Connection =
  | { readonly ok: true; readonly registry: ConnectedRegistry }
  | { readonly ok: false; readonly problem: string };

/**
 * Holds the connection that the settings ask for. It is made on first use, and made anew when the
 * address, a limit or the editor's network settings change.
 */
export class RegistryConnection {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  private connecting: Promise<Connection> | undefined;

  /** Fires when the registry may be another one; `current` then answers anew. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly embedded: EmbeddedRegistry) {
    const settings = vscode.workspace.onDidChangeConfiguration((event) => {
      const ours = event.affectsConfiguration(settingSection);
      if (ours || event.affectsConfiguration("http")) this.reset();
    });
    this.subscription = vscode.Disposable.from(
      settings,
      embedded.onDidEnd(() => this.reset()),
    );
  }

  /** Answers the registry in use, connecting to it where needed. Never rejects. */
  current(): Promise<Connection> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  /** Drops the connection, so that the next use starts fresh. */
  reset(): void {
    this.close();
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.close();
    this.changed.dispose();
  }

  private close(): void {
    void this.connecting?.then((connection) => connection.ok && connection.registry.client.close());
    this.connecting = undefined;
  }

  private async connect(): Promise<Connection> {
    const settings = readSettings();
    const place = settings.baseUrl === "" ? await this.builtIn() : remote(settings.baseUrl);
    if (!place.ok) return place;
    const { RegistryClient } = await import("../../registry/registryClient");
    const client = new RegistryClient({
      baseUrl: place.registry.baseUrl,
      network: readNetworkSettings(),
      requestTimeoutSeconds: settings.requestTimeoutSeconds,
      invokeTimeoutSeconds: settings.invokeTimeoutSeconds,
      maxResponseBytes: settings.maxResponseMegabytes * 1_000_000,
    });
    return { ok: true, registry: { ...place.registry, client } };
  }

  private async builtIn(): Promise<Place> {
    try {
      const { baseUrl, projectKey } = await this.embedded.address();
      return {
        ok: true,
        registry: {
          baseUrl,
          origin: baseUrl,
          name: "Built-in registry",
          isBuiltIn: true,
          ownKey: projectKey,
        },
      };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { ok: false, problem: `The built-in registry could not be started. ${detail}` };
    }
  }
}

type Place =
  | { readonly ok: true; readonly registry: Omit<ConnectedRegistry, "client"> }
  | { readonly ok: false; readonly problem: string };

function remote(baseUrl: string): Place {
  const read = readRegistryOrigin(baseUrl);
  if (!read.ok) return read;
  const { baseUrl: normalised, origin } = read.value;
  return {
    ok: true,
    registry: { baseUrl: normalised, origin, name: new URL(origin).host, isBuiltIn: false },
  };
}
