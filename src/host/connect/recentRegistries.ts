import { isJsonObject } from "../../core/json/jsonValue";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { localDay } from "../../core/text/dates";
import { type Memory, StoredValue } from "../ui/stored";

/** The maximum number of registries. */
const maxRecent = 20;

interface Used {
  readonly address: string;
  /** The time of the last connection, in milliseconds since 1970. */
  readonly at: number;
}

/** Stores the registries that the user connected to, for all windows, the last one first. */
export class RecentRegistries {
  private readonly stored: StoredValue<readonly Used[]>;

  constructor(memory: Memory) {
    this.stored = new StoredValue(memory, "recentRegistries", readUsed);
  }

  /** Lists the addresses of the registries, with the day on which each was used last. */
  list(): readonly { readonly address: string; readonly used: string }[] {
    return this.stored.get().map(({ address, at }) => ({ address, used: localDay(at) }));
  }

  /** Records that a registry responded. */
  async note(address: string): Promise<void> {
    await this.stored.set(
      [{ address, at: Date.now() }, ...this.others(address)].slice(0, maxRecent),
    );
  }

  /** Forgets a registry. A key for it stays until it is removed. */
  async forget(address: string): Promise<void> {
    await this.stored.set(this.others(address));
  }

  private others(address: string): readonly Used[] {
    return this.stored.get().filter((used) => used.address !== address);
  }
}

function readUsed(data: unknown): readonly Used[] {
  if (!Array.isArray(data)) return [];
  return data.filter(isUsed).slice(0, maxRecent);
}

function isUsed(value: unknown): value is Used {
  if (!isJsonObject(value) || typeof value["address"] !== "string") return false;
  const { address, at } = value;
  const read = readRegistryOrigin(address);
  return read.ok && read.value.baseUrl === address && typeof at === "number" && at < 8.64e15;
}
