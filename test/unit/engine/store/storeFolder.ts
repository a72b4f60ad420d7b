import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { runningFacts } from "../../../../src/core/invocation/outcome";
import {
  type InvocationRecord,
  recordFormat,
} from "../../../../src/core/invocation/record/invocationRecord";
import { openStore, type StoreSurroundings } from "../../../../src/engine/store/openStore";
import type { OpenedStore } from "../../../../src/engine/store/operations";
import type { InvocationEnd, StartRequest, Store } from "../../../../src/engine/store/store";

/** A folder of a machine for tests, with what its stores reported. */
export class StoreFolder {
  readonly setAside: string[] = [];
  replaced = 0;
  private readonly opened: OpenedStore[] = [];

  constructor(readonly path = mkdtempSync(join(tmpdir(), "store-"))) {}

  /** Opens the store as one more program would, with a clock of its own. */
  open(surroundings?: StoreSurroundings): Store {
    const opened = openStore(
      this.path,
      ({ kind, text }) => {
        if (kind === "setAside") this.setAside.push(String(text.values?.["name"]));
        if (kind === "replaced") this.replaced += 1;
      },
      surroundings,
    );
    this.opened.push(opened);
    return opened.store;
  }

  /** Ends the programs that opened the store. */
  async close(): Promise<void> {
    await Promise.all(this.opened.map(({ close }) => close()));
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const scope = {
  registry: "https://registry.example",
  project: "p",
  skillSlug: "csv-profile",
};

/** An invocation of a person for one cent, which nothing holds back. */
export function wantedStart(parts: Partial<StartRequest> = {}): StartRequest {
  return {
    facts: {
      format: recordFormat,
      registry: scope.registry,
      skillSlug: scope.skillSlug,
      version: "1.0.0",
      ...runningFacts,
      durationMs: 0,
      caller: { kind: "person" },
      profile: "test",
    },
    maxDurationMs: 60_000,
    isKept: true,
    texts: {},
    claim: { key: String(Math.random()), isDuplicateAllowed: false },
    scope,
    perMinute: undefined,
    price: { ...scope, price: { kind: "amount", cents: 1, currency: "USD" } },
    concurrency: undefined,
    dailyLimitCents: 0,
    isUncountedAllowed: false,
    agent: undefined,
    ...parts,
  };
}

/** Starts an invocation that nothing holds back. */
export async function startedIn(
  store: Store,
  parts?: Partial<StartRequest>,
): Promise<InvocationRecord> {
  const answer = await store.start(wantedStart(parts));
  if (answer.kind !== "started") throw new Error(`It was not started: ${answer.kind}`);
  return answer.record;
}

/** The texts of an invocation, of which each part is its own. */
export function textsOf(id: string) {
  return { inputText: "{}", outputText: JSON.stringify(id.repeat(1_000)) };
}

const ran: InvocationOutcome = {
  kind: "success",
  acceptedNotRun: false,
  outputText: "",
  durationMs: 1,
};

/** How an invocation ended that ran and was billed at a cent. */
export function endOf(
  record: InvocationRecord,
  facts: Partial<InvocationRecord> = {
    status: "success",
    ran: "yes",
    amountCents: 1,
    currency: "USD",
  },
  parts: Partial<InvocationEnd> = {},
): InvocationEnd {
  return {
    record: { ...record, ...facts },
    isKept: true,
    texts: {},
    scope,
    outcome: ran,
    awaitsSecondClick: false,
    ...parts,
  };
}
