import type { AgentOverview } from "../core/agents/agentOverview";
import { isAgent } from "../core/invocation/record/invocationRecord";
import { utcDay } from "../core/text/dates";
import type { SpendingLedger } from "../engine/gates/spendingLedger";
import type { InvocationHistory } from "../engine/record/invocationHistory";
import type { AgentRefusals } from "./agentRefusals";
import type { AgentSettingsFile } from "./agentSettingsFile";

/** Where it stands what agents may do, did, spent and were refused. */
export interface AgentFiles {
  readonly settings: AgentSettingsFile;
  readonly history: Pick<InvocationHistory, "list">;
  readonly ledger: Pick<SpendingLedger, "byAgents">;
  readonly refusals: AgentRefusals;
}

/** Reads all that a person wants to know of agents. `registry` is the one in use, as agreements name it. */
export async function overviewNow(
  { settings, history, ledger, refusals }: AgentFiles,
  registry: string,
): Promise<AgentOverview> {
  const [all, records, spentOn, refused] = await Promise.all([
    settings.get(),
    history.list(),
    ledger.byAgents(),
    refusals.list(),
  ]);
  return {
    settings: all,
    registry,
    today: utcDay(Date.now()),
    spentOn,
    records: records.filter(({ caller }) => isAgent(caller.kind)),
    refused: [...refused].reverse(),
  };
}
