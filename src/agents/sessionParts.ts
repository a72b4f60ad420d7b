import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { MakeSample } from "../core/payload/payloadTemplates";
import type { Result } from "../core/registry/registryFailure";
import type { SkillDetail } from "../core/skill/skill";
import type { SkillListPage, SkillQuery } from "../core/skillList/skillQuery";
import type { InvokedRegistry } from "../engine/attempt";
import type { Engine } from "../engine/invoke";
import type { InvocationHistory } from "../engine/record/invocationHistory";
import type { Store } from "../engine/store/store";
import type { AgentRefusals } from "./agentRefusals";
import type { GateSources } from "./skillGate";

/** The parts of a session, in any program. */
export interface SessionParts<Registry extends InvokedRegistry> extends GateSources {
  readonly engine: Engine<Registry>;
  readonly history: InvocationHistory;
  readonly store: Store;
  readonly refusals: Pick<AgentRefusals, "note">;
  /** Returns the registry in use; undefined for none. */
  readonly connect: () => Promise<Registry | undefined>;
  /** Loads a page of the list. */
  readonly search: (
    registry: Registry,
    query: SkillQuery,
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<SkillListPage>>;
  /** Reads a version of a skill from the registry; the current one if `version` is empty. */
  readonly readSkill: (
    registry: Registry,
    slug: string,
    version: string,
  ) => Promise<Result<SkillDetail>>;
  /** Checks a text as the payload of a skill. */
  readonly check: (registry: Registry, skill: SkillDetail, text: string) => Promise<PayloadCheck>;
  readonly sample: MakeSample;
  /**
   * Called when an invocation was sent. Returns a function to call when it ended. `cancel` stops waiting for its
   * response.
   */
  readonly running: (record: InvocationRecord, cancel: AbortController) => () => void;
  /** Logs an internal error. The text must not contain data that an agent sent. */
  readonly log: (text: string) => void;
}
