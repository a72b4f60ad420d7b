import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { runningFacts } from "../../../../src/core/invocation/outcome";
import {
  type InvocationRecord,
  recordFormat,
} from "../../../../src/core/invocation/record/invocationRecord";
import { english, localize } from "../../../../src/core/text/language";
import { openStore, type StoreSurroundings } from "../../../../src/engine/store/openStore";
import type { OpenedStore } from "../../../../src/engine/store/operations";
import type { InvocationEnd, StartRequest, Store } from "../../../../src/engine/store/store";

/** A machine's folder for tests, with the reports of its stores. */
export class StoreFolder {
  readonly setAside: string[] = [];
  /** All notices, in English. */
  readonly notices: string[] = [];
  replaced = 0;
  private readonly opened: OpenedStore[] = [];

  constructor(readonly path = mkdtempSync(join(tmpdir(), "store-"))) {}

  /** Opens the store like another program, with its own clock. */
  open(surroundings?: StoreSurroundings): Store {
    const opened = openStore(
      this.path,
      ({ kind, text }) => {
        this.notices.push(localize(text, english));
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

/** Returns the start of a person's invocation for one cent, which no gate stops. */
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

/** Starts an invocation that no gate stops. */
export async function startedIn(
  store: Store,
  parts?: Partial<StartRequest>,
): Promise<InvocationRecord> {
  const answer = await store.start(wantedStart(parts));
  if (answer.kind !== "started") throw new Error(`It was not started: ${answer.kind}`);
  return answer.record;
}

/** Returns the texts of an invocation, each different from all others. */
export function textsOf(id: string) {
  return { inputText: "{}", outputText: JSON.stringify(id.repeat(1_000)) };
}

const ran: InvocationOutcome = {
  kind: "success",
  acceptedNotRun: false,
  outputText: "",
  durationMs: 1,
};

/** Returns the end of an invocation that ran and was billed one cent. */
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
