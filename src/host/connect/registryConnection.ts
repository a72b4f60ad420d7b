import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { type LocalizableText, l10nText } from "../../core/text/language";
import type { RegistryClient } from "../../registry/registryClient";
import { shortPlace, type WindowPlace } from "../environments/windowPlace";
import { embeddedPorts } from "../ids";
import type { ProjectKeys } from "../keys/projectKeys";
import { type Settings, settingName } from "../settingRows";
import { readSettings } from "../settings";
import type { OutputChannels } from "../ui/outputChannels";
import { Owner } from "../ui/owner";
import { readNetworkSettings } from "./readNetworkSettings";

/** A registry, with the facts that the window knows without a connection. */
export interface KnownRegistry {
  readonly baseUrl: string;
  /** The scope of a Project Key: scheme, host and port. */
  readonly origin: string;
  /** The registry's display name. */
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** The built-in registry's own key. */
  readonly ownKey?: string;
  /** The built-in registry's own accounts. */
  readonly localAccounts?: LocalAccounts;
}

/** The registry the window is connected to. */
export interface ConnectedRegistry extends KnownRegistry {
  readonly client: RegistryClient;
}

/** The settings that a client depends on. */
const clientSettings: readonly (keyof Settings)[] = [
  "requestTimeoutSeconds",
  "invokeTimeoutSeconds",
  "maxResponseMegabytes",
];

/** The timeout of the request that tries a registry before the window switches to it, in seconds. */
const trySeconds = 8;

/** The registry, or why there is none. */
export type Connection<Registry = ConnectedRegistry> =
  | { readonly ok: true; readonly registry: Registry }
  | { readonly ok: false; readonly problem: LocalizableText };

/**
 * Holds the connection for the current settings. Creates it on first use, and again when the address, a limit or the
 * editor's network settings change.
 */
export class RegistryConnection extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly inUse = new Map<RegistryClient, number>();
  private readonly retired = new Set<RegistryClient>();
  private connecting: Promise<Connection> | undefined;

  /** Fires when the registry may have changed. Then `current` returns the new one. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly embedded: EmbeddedRegistry,
    private readonly place: Pick<WindowPlace, "address" | "onDidChange">,
    private readonly keys: Pick<ProjectKeys, "redactKey">,
    private readonly redactor: KeyRedactor,
    private readonly channels: Pick<OutputChannels, "noteRequest">,
  ) {
    super();
    const settings = vscode.workspace.onDidChangeConfiguration((event) => {
      const isOwnSetting = clientSettings.some((name) =>
        event.affectsConfiguration(settingName(name)),
      );
      if (isOwnSetting || event.affectsConfiguration("http")) this.reset();
    });
    this.own(
      settings,
      place.onDidChange(({ isOther }) => isOther && this.reset()),
      embedded.onDidEnd(() => this.reset()),
    );
  }

  /** Returns the registry in use, connecting to it if needed. Never rejects. */
  current(): Promise<Connection> {
    if (this.connecting !== undefined) return this.connecting;
    const connecting = this.connect().catch((error: unknown): Connection => {
      // The client's bundle may load the next time.
      if (this.connecting === connecting) this.connecting = undefined;
      const detail = error instanceof Error ? error.message : String(error);
      const problem = l10nText("The registry's client could not be loaded: {detail}", { detail });
      return { ok: false, problem };
    });
    this.connecting = connecting;
    return connecting;
  }

  /** Uses a registry during `work`: after a change of settings, its client closes only when the work is done. */
  async use<Value>({ client }: ConnectedRegistry, work: () => Promise<Value>): Promise<Value> {
    this.inUse.set(client, (this.inUse.get(client) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const users = (this.inUse.get(client) ?? 1) - 1;
      if (users > 0) this.inUse.set(client, users);
      else this.inUse.delete(client);
      if (users === 0 && this.retired.delete(client)) client.close();
    }
  }

  /** Whether the built-in registry is in use. */
  get isBuiltIn(): boolean {
    return this.place.address === "";
  }

  /** Requests a page of a registry's list without any credential. Resolves to `answered`, or to the failure. */
  async tryRegistry(address: string, signal: AbortSignal): Promise<"answered" | RegistryFailure> {
    const client = await this.clientFor({ baseUrl: address, isBuiltIn: false }, trySeconds);
    try {
      const page = await client.search({ text: "", filters: {} }, undefined, signal);
      return page.ok ? "answered" : page.failure;
    } finally {
      client.close();
    }
  }

  /** Drops the connection, so that the next use creates a new one. */
  reset(): void {
    this.close();
    this.changed.fire();
  }

  override dispose(): void {
    this.inUse.clear();
    for (const client of this.retired) client.close();
    this.close();
    super.dispose();
  }

  private close(): void {
    void this.connecting?.then((connection) => {
      if (connection.ok) this.retire(connection.registry.client);
    });
    this.connecting = undefined;
  }

  private retire(client: RegistryClient): void {
    if (this.inUse.has(client)) this.retired.add(client);
    else client.close();
  }

  private async connect(): Promise<Connection> {
    const { address } = this.place;
    const target = address === "" ? await this.builtIn() : remote(address);
    if (!target.ok) return target;
    // Content shown before a key was known may contain it, so everything is read again.
    const keysKnown = this.keys.redactKey(target.registry, () => this.reset());
    const client = await this.clientFor(target.registry, undefined, keysKnown);
    return { ok: true, registry: { ...target.registry, client } };
  }

  private async clientFor(
    { baseUrl, isBuiltIn }: Pick<KnownRegistry, "baseUrl" | "isBuiltIn">,
    atMost = Number.POSITIVE_INFINITY,
    keysKnown = Promise.resolve(),
  ): Promise<RegistryClient> {
    const settings = readSettings();
    const { RegistryClient } = await import("../../registry/registryClient");
    return new RegistryClient({
      baseUrl,
      network: readNetworkSettings(),
      requestTimeoutSeconds: Math.min(atMost, settings.requestTimeoutSeconds),
      invokeTimeoutSeconds: settings.invokeTimeoutSeconds,
      maxResponseBytes: settings.maxResponseMegabytes * 1_000_000,
      redactor: this.redactor,
      log: (line) => this.channels.noteRequest(line),
      isSample: isBuiltIn,
      keysKnown,
    });
  }

  private async builtIn(): Promise<Connection<KnownRegistry>> {
    try {
      const { baseUrl, projectKey, userTokens } = await this.embedded.address();
      return {
        ok: true,
        registry: {
          baseUrl,
          origin: baseUrl,
          name: builtInRegistryTitle(),
          isBuiltIn: true,
          ownKey: projectKey,
          localAccounts: userTokens,
        },
      };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const problem = l10nText(
        "The built-in registry could not be started ({detail}). Run “Skill Registry: Refresh” to try again.",
        { detail },
      );
      return { ok: false, problem };
    }
  }
}

function remote(baseUrl: string): Connection<KnownRegistry> {
  const read = readRegistryOrigin(baseUrl);
  if (!read.ok) return read;
  const { baseUrl: normalized, origin } = read.value;
  return {
    ok: true,
    registry: { baseUrl: normalized, origin, name: new URL(origin).host, isBuiltIn: false },
  };
}

/** The roles of the embedded registry's accounts, and the user token of each. */
export type LocalAccounts = Readonly<Record<"owner" | "developer" | "finance", string>>;

/** A running embedded registry: its address, and the Project Key and user tokens for this window. */
interface EmbeddedRegistryAddress {
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly userTokens: LocalAccounts;
}

/**
 * Runs the embedded registry in its own thread, so that its skills never block the editor. The thread starts with the
 * first request for its address and ends when this is disposed of.
 */
export class EmbeddedRegistry extends Owner {
  private starting: Promise<EmbeddedRegistryAddress> | undefined;
  private worker: Worker | undefined;
  private readonly ended = this.own(new vscode.EventEmitter<void>());

  /** Fires when a running registry ends by itself. The next use starts another. */
  readonly onDidEnd = this.ended.event;

  /** `workerPath` is the bundled thread. */
  constructor(private readonly workerPath: string) {
    super();
  }

  /** Starts the registry if it is not running. Resolves to its address. Rejects if the thread cannot listen. */
  address(): Promise<EmbeddedRegistryAddress> {
    this.starting ??= this.start();
    return this.starting;
  }

  /** Stops the registry; its invocations end with it. */
  override dispose(): void {
    const worker = this.worker;
    this.forget();
    void worker?.terminate();
    super.dispose();
  }

  private start(): Promise<EmbeddedRegistryAddress> {
    const worker = new Worker(this.workerPath, {
      env: {},
      name: "skill-registry",
      workerData: { portRange: embeddedPorts },
    });
    this.worker = worker;
    return new Promise((resolve, reject) => {
      let listening = false;
      const end = (detail: string) => {
        reject(new Error(detail));
        if (this.worker !== worker) return;
        this.forget();
        if (listening) this.ended.fire();
      };
      worker.once("message", (message: Partial<EmbeddedRegistryAddress & { error: string }>) => {
        const { baseUrl, projectKey, userTokens, error } = message;
        listening = baseUrl !== undefined && projectKey !== undefined && userTokens !== undefined;
        if (listening) resolve({ baseUrl, projectKey, userTokens } as EmbeddedRegistryAddress);
        else end(error ?? "It gave no address.");
      });
      worker.once("error", (error) => end(error.message));
      worker.once("exit", (code) => end(`It ended with code ${code}.`));
    });
  }

  private forget(): void {
    this.worker = undefined;
    this.starting = undefined;
  }
}

/** Names a registry as a destination, on screen and for others: by its origin, unless it is the built-in one. */
export function registryTitle({ isBuiltIn, name, origin }: ConnectedRegistry): string {
  return isBuiltIn ? name : origin;
}

/** Names the window's target on screen: by the environment, else the registry's host. */
export function placeTitle(place: Pick<WindowPlace, "address" | "environment">): string {
  return shortPlace(place) || builtInRegistryTitle();
}

/** Names the built-in registry on screen. */
export function builtInRegistryTitle(): string {
  return vscode.l10n.t("Built-in registry");
}
