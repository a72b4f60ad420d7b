import type * as vscode from "vscode";
import type { InvocationHistory } from "../audit/invocationHistory";
import type { SpendingLedger } from "../audit/spendingLedger";
import { TextKeeping } from "../audit/textKeeping";
import type { SkillDetails } from "../inspect/skillDetails";
import type { OutputChannels } from "../words/outputChannels";
import { CallPath, type CallPathParts } from "./callPath";
import { Consents } from "./consents";
import { Invoker } from "./invoker";
import { RateClocks } from "./rateClocks";

/** What the path of a call is built from. */
export type InvokerSources = Pick<
  CallPathParts,
  "connection" | "keys" | "checks" | "openSkill" | "openRecord"
> & {
  readonly details: SkillDetails;
  readonly runFacts: CallPathParts["gates"]["runFacts"];
  readonly ledger: SpendingLedger;
  readonly history: InvocationHistory;
  readonly channels: OutputChannels;
  /** Keeps what the user agreed to. */
  readonly memory: vscode.Memento;
  /** Where a file or folder of this name is kept for all windows. */
  readonly storage: (name: string) => string;
};

/** Builds what calls skills. Nothing of it needs to be disposed of. */
export function startInvoker(sources: InvokerSources): Invoker {
  const { details, runFacts, ledger, history, channels, memory, storage, ...parts } = sources;
  const clocks = new RateClocks(storage("rateClock.json"));
  const path = {
    ...parts,
    details,
    clocks,
    lockFolder: storage("invocations"),
    gates: {
      consents: new Consents(memory),
      ledger,
      history,
      runFacts,
      details,
      checks: sources.checks,
    },
    traces: { history, channels, keeping: new TextKeeping(memory), clocks, ledger },
  };
  return new Invoker((again) => new CallPath(path, again));
}
