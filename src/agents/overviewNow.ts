import type { AgentOverview } from "../core/agents/agentOverview";
import type { MistakesReader } from "../core/findings/skillMistakes";
import { callerKinds, isAgent } from "../core/invocation/record/invocationRecord";
import { utcDay } from "../core/text/dates";
import type { InvocationHistory } from "../engine/record/invocationHistory";
import { spentByAgents } from "../engine/store/spentToday";
import type { Store } from "../engine/store/store";
import type { AgentRefusals } from "./agentRefusals";
import type { KeptAgentSettings } from "./keptAgentSettings";

/** The sources of the overview. */
export interface AgentFiles {
  readonly settings: KeptAgentSettings;
  readonly history: Pick<InvocationHistory, "list">;
  readonly store: Store;
  readonly refusals: AgentRefusals;
  /** Finds mistakes in the input schemas of allowed skills. */
  readonly mistakesIn: MistakesReader;
}

/** The maximum number of listed agent invocations, the newest first. */
const maxShown = 1_000;

/** Reads the facts of the overview. `registry` is the registry in use, named as agreements name it. */
export async function overviewNow(
  { settings, history, store, refusals, mistakesIn }: AgentFiles,
  registry: string,
): Promise<AgentOverview> {
  const [all, records, spentOn, refused] = await Promise.all([
    settings.get(),
    history.list({ callers: callerKinds.filter(isAgent), limit: maxShown }),
    spentByAgents(store),
    refusals.list(),
  ]);
  const mistakes = await Promise.all(
    all.skills.map(
      async (skill) => [skill, await mistakesIn(skill.contract?.inputSchema)] as const,
    ),
  );
  return {
    settings: all,
    registry,
    today: utcDay(Date.now()),
    spentOn,
    records,
    refused: [...refused].reverse(),
    mistakes: new Map(mistakes),
  };
}
