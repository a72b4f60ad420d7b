import {
  type AgentAgreement,
  type AgentSettings,
  agreementAbout,
  withChanged,
} from "../core/agents/agentAgreements";
import { restrictedLimits, type WorkspacePolicies } from "../core/agents/agentPolicy";
import { refusalOf } from "../core/agents/agentResults";
import {
  type AgentStanding,
  type AgentUse,
  type AgentVerdict,
  agentVerdict,
  type CallFacts,
  closedBeforeReading,
  closedForSkill,
  readForAgents,
  type SkillFacts,
} from "../core/agents/gates/agentGates";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import { spendingLimitsOf } from "../core/agents/gates/spendingLimits";
import { modelText } from "../core/agents/modelText";
import type { AgentCall } from "../core/invocation/record/invocationRecord";
import type { RegistryFailure } from "../core/registry/registryFailure";
import {
  type Declaration,
  declarationOf,
  type KnownContract,
  readContractAs,
} from "../core/skill/compare/contract";
import { difference } from "../core/skill/difference";
import { changeLines, versionLines } from "../core/skill/differenceText";
import type { SkillDetail } from "../core/skill/skill";
import { utcDay } from "../core/text/dates";
import { english, type Language } from "../core/text/language";
import type { AgentCallFacts, AgentGate, AgentSkillFacts } from "../engine/attempt";
import { sha256 } from "../engine/sha256";
import type { AgentStartLimits, Store } from "../engine/store/store";
import type { KeptAgentSettings } from "./keptAgentSettings";

/** The sources of the gates, shared by all invocations of a session. */
export interface GateSources {
  readonly settings: KeptAgentSettings;
  /** Returns whether the user's settings allow agents at all. */
  readonly isEnabled: () => boolean;
  /** Reads the policies of the workspace for agents. Never rejects. */
  readonly policies: () => Promise<WorkspacePolicies>;
  readonly store: Pick<Store, "earlier">;
  /** Called when an agreement no longer counts because its contract changed. */
  readonly suspended: (agreement: AgentAgreement) => void;
}

/** Counts the invocations of this session. */
export interface SessionCalls {
  count: number;
}

/** A request of an agent: a skill, the contract that the agent read, and perhaps a payload. */
export interface AgentRequest {
  readonly slug: string;
  readonly callerHash: string;
  /** The payload's ID in the record. */
  readonly payloadId: string;
}

/** Collects the facts for the gates, and decides. */
export class SkillGate implements AgentGate {
  /** The settings at the last decision. */
  private settings: AgentSettings | undefined;
  private policies: WorkspacePolicies = "unreadable";
  private earlier: AgentUse["earlier"];
  private isCounted = false;

  constructor(
    private readonly sources: GateSources,
    private readonly calls: SessionCalls,
    private readonly request: AgentRequest,
    readonly call: AgentCall,
  ) {}

  /** Decides before the skill is read. Returns undefined if reading is allowed. */
  async mayRead(registry: string): Promise<AgentRefusal | undefined> {
    await this.readFacts();
    return closedBeforeReading(this.standing(registry));
  }

  /** Returns the refusal for a skill that could not be read. */
  async unread(registry: string, failure: RegistryFailure): Promise<AgentRefusal | undefined> {
    await this.readFacts();
    return closedForSkill({ ...this.standing(registry), read: failure, warning: undefined });
  }

  async mayUseSkill(point: AgentSkillFacts): Promise<AgentRefusal | undefined> {
    await this.readFacts();
    const refusal = closedForSkill(this.skillFacts(point));
    if (refusal?.code === "contractChanged") await this.suspend(point);
    return refusal;
  }

  async decide(point: AgentCallFacts): Promise<AgentVerdict | undefined> {
    await this.readFacts();
    if (!(await this.readEarlier(point))) return { kind: "refused", refusal: unreadableRecord };
    const verdict = agentVerdict(this.callFacts(point));
    if (verdict?.kind === "refused" && verdict.refusal.code === "contractChanged") {
      await this.suspend(point);
    }
    return verdict;
  }

  count(point: AgentCallFacts): AgentRefusal | undefined {
    const verdict = agentVerdict(this.callFacts(point));
    if (verdict?.kind === "refused") return verdict.refusal;
    if (verdict !== undefined) return refusalOf(this.request.slug, { kind: "canceled" });
    if (!this.isCounted) this.calls.count += 1;
    this.isCounted = true;
    return undefined;
  }

  startLimits(registry: string): AgentStartLimits | undefined {
    const { settings, policies } = this;
    const { callerHash: contractHash, payloadId } = this.request;
    const agreement = this.agreementAt(registry);
    if (settings === undefined || agreement === undefined) return undefined;
    const limits = spendingLimitsOf(agreement, restrictedLimits(settings.limits, policies));
    return { key: { registry, contractHash, payloadId }, limits };
  }

  uncount(): void {
    if (this.isCounted) this.calls.count -= 1;
    this.isCounted = false;
  }

  /** Returns the agreement about the skill at the last decision. */
  agreementAt(registry: string): AgentAgreement | undefined {
    return this.settings && agreementAbout(this.settings, registry, this.request.slug);
  }

  private async readFacts(): Promise<void> {
    const [settings, policies] = await Promise.all([
      this.sources.settings.get(),
      this.sources.policies(),
    ]);
    this.settings = settings;
    this.policies = policies;
  }

  /** Reads the earlier invocations. Resolves to false if they are unknown. */
  private async readEarlier({ registry }: AgentSkillFacts): Promise<boolean> {
    const { callerHash: contractHash, payloadId } = this.request;
    try {
      this.earlier = await this.sources.store.earlier({ registry, contractHash, payloadId });
      return true;
    } catch {
      return false;
    }
  }

  private skillFacts({ registry, skill, isRead, warning }: AgentSkillFacts): SkillFacts {
    const read = isRead ? readNow(skill, this.agreementAt(registry)) : "outdated";
    return { ...this.standing(registry), read, warning };
  }

  private callFacts(point: AgentCallFacts): CallFacts {
    const { spending, answer } = point;
    // An invocation that was already counted must not block itself.
    const sessionCalls = this.calls.count - (this.isCounted ? 1 : 0);
    const use = { earlier: this.earlier, sessionCalls, today: spending.byAgents };
    return { ...this.skillFacts(point), use, answer };
  }

  private standing(registry: string): AgentStanding {
    const { settings } = this;
    if (settings === undefined) throw new Error("Nothing was read yet.");
    const { slug, callerHash } = this.request;
    return {
      slug,
      callerHash,
      isOn: this.sources.isEnabled() && settings.stopped !== true,
      policies: this.policies,
      agreement: this.agreementAt(registry),
      today: utcDay(Date.now()),
      limits: settings.limits,
    };
  }

  private async suspend({ registry }: AgentSkillFacts): Promise<void> {
    const agreement = this.agreementAt(registry);
    if (agreement === undefined || agreement.suspended !== undefined) return;
    const day = utcDay(Date.now());
    await this.sources.settings.change((settings) =>
      withChanged(settings, agreement, { suspended: day }),
    );
    this.sources.suspended(agreement);
  }
}

const unreadableRecord: AgentRefusal = {
  code: "recordFailed",
  message: "The record of this machine cannot be read, so that nobody knows what was sent before.",
  next: "Tell the user.",
};

/** Extracts a skill's facts for the gates, and its differences from the agreement. */
function readNow(skill: SkillDetail, agreement: AgentAgreement | undefined) {
  return readForAgents(
    skill,
    readContractAs(skill, agreedContract(agreement), sha256),
    changesSinceAllowed(skill, agreement, english),
  );
}

/**
 * Returns what a skill declares. A Project Key alone does not show permissions and where a skill runs; these parts are
 * copied from the agreement, so that they are no difference.
 */
function comparableDeclaration(agreed: Declaration | undefined, skill: SkillDetail): Declaration {
  const declared = declarationOf(skill);
  if (!skill.isManifestUnknown || agreed === undefined) return declared;
  const { permissions, runtime, entry } = agreed;
  const { runtimeType = "" } = skill.summary;
  return {
    ...declared,
    permissions,
    runtime: runtime?.type === runtimeType ? runtime : { type: runtimeType, host: null },
    ...(entry !== undefined && { entry }),
  };
}

function agreedContract(agreement: AgentAgreement | undefined): KnownContract | undefined {
  const { contract, contractHash: hash = "" } = agreement ?? {};
  return contract && { contract, hash };
}

/** The maximum number of changes that a model sees. The person sees all of them before allowing the skill again. */
const maxChanges = 8;

/** Lists how a skill differs from the agreement, one line per change. */
export function changesSinceAllowed(
  skill: SkillDetail,
  agreement: AgentAgreement | undefined,
  language: Language,
): readonly string[] {
  if (agreement === undefined) return [];
  const other = versionLines(agreement.version, skill.summary.version, language);
  const { contract } = agreement;
  const after = comparableDeclaration(contract, skill);
  const { entry = after.entry } = agreement;
  const before = contract ?? { ...after, ...(entry !== undefined && { entry }) };
  // Without the agreed contract, its hash detects changes. The hash does not cover where the skill runs, so only that
  // is compared here.
  const changes = difference(before, after, contract === undefined ? ["runtime"] : undefined);
  const lines = changeLines(changes, { before, after }, language);
  return [...other, ...lines].slice(0, maxChanges).map((line) => modelText(line, 200));
}
