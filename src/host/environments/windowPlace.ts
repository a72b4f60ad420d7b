import * as vscode from "vscode";
import type { WindowTarget } from "../../core/invocation/record/invocationLabels";
import { isJsonObject } from "../../core/json/jsonValue";
import { builtInRegistryName } from "../../core/registry/registryName";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { settingName } from "../settingRows";
import { readSettings } from "../settings";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";
import { LatestRequest } from "../ui/wait";

/** The registry and environment of a window. */
export interface Place {
  /** The registry's address; empty for the built-in one. */
  readonly address: string;
  /** The name of the environment in use. */
  readonly environment?: string;
  /** The slug of the environment's project. */
  readonly project?: string;
}

/**
 * Stores the registry and environment of this window: a person's choice, else the registry of the user's settings. The
 * choice is in the editor's memory of the workspace, not in a file, so that no repository can change it.
 */
export class WindowPlace extends Owner {
  private readonly stored: StoredValue<Place | undefined>;
  private readonly changed = this.own(new vscode.EventEmitter<{ readonly isOther: boolean }>());
  /** Choices that wait for their registry to respond. A newer choice replaces them. */
  readonly choices = this.own(new LatestRequest());

  /** Fires when the registry or environment changed. `isOther` is true if the registry changed. */
  readonly onDidChange = this.changed.event;

  constructor(memory: Memory) {
    super();
    this.stored = storedPlace(memory);
    this.own(
      vscode.workspace.onDidChangeConfiguration((change) => {
        const isOther = this.stored.get() === undefined;
        if (change.affectsConfiguration(settingName("baseUrl"))) this.changed.fire({ isOther });
      }),
    );
  }

  /** The registry's address; empty for the built-in one. */
  get address(): string {
    return this.stored.get()?.address ?? readSettings().baseUrl;
  }

  /** The name of the environment in use; undefined for none. */
  get environment(): string | undefined {
    return this.stored.get()?.environment;
  }

  /** The slug of the environment's project; undefined for none. */
  get project(): string | undefined {
    return this.stored.get()?.project;
  }

  /** Whether the user chose the registry for this window. */
  get isChosen(): boolean {
    return this.stored.get() !== undefined;
  }

  /** Chooses the registry and environment of this window. Undefined returns to the user's settings. */
  async choose(place: Place | undefined): Promise<void> {
    this.choices.dispose();
    const before = this.address;
    await this.stored.set(place);
    this.changed.fire({ isOther: this.address !== before });
  }
}

/** Names the registry of a window as environments do: its base URL, or `built-in`. Empty for an unusable address. */
export function environmentRegistry({ address }: Pick<WindowPlace, "address">): string {
  if (address === "") return builtInRegistryName;
  const read = readRegistryOrigin(address);
  return read.ok ? read.value.baseUrl : "";
}

/** Returns the registry and environment of a window, as records name them. */
export function windowTarget(place: Pick<WindowPlace, "address" | "environment">): WindowTarget {
  return { registry: environmentRegistry(place), environment: place.environment };
}

/** Names the window's target in one word: by the environment, else the registry's host. Empty for the built-in one. */
export function shortPlace({
  address,
  environment,
}: Pick<WindowPlace, "address" | "environment">): string {
  if (environment !== undefined) return environment;
  const read = readRegistryOrigin(address);
  return read.ok ? new URL(read.value.origin).host : "";
}

/** Names the registry of a window as reviews do, without connecting to it. Empty for an address that cannot be used. */
export function reviewedRegistryAt(address: string): string {
  if (address === "") return builtInRegistryName;
  const read = readRegistryOrigin(address);
  return read.ok ? read.value.origin : "";
}

/** Returns the registry address of the window with this memory. Works before the extension has loaded. */
export function addressIn(memory: Memory): string {
  return storedPlace(memory).get()?.address ?? readSettings().baseUrl;
}

/** Returns the name of the environment in use in the window with this memory; undefined for none. */
export function environmentIn(memory: Memory): string | undefined {
  return storedPlace(memory).get()?.environment;
}

function storedPlace(memory: Memory): StoredValue<Place | undefined> {
  return new StoredValue(memory, "place", readPlace);
}

function readPlace(data: unknown): Place | undefined {
  if (!isJsonObject(data) || typeof data["address"] !== "string") return undefined;
  const { address, environment, project } = data;
  return {
    address,
    ...(typeof environment === "string" && { environment }),
    ...(typeof project === "string" && { project }),
  };
}
