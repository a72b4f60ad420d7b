import {
  type AgentAgreement,
  type AgentSettings,
  agreementAbout,
  withChanged,
} from "../core/agents/agentAgreements";
import {
  type AgentFacts,
  type AgentUse,
  type AgentVerdict,
  agentVerdict,
  earlierCall,
  readForAgents,
} from "../core/agents/agentGates";
import type { WorkspacePolicies } from "../core/agents/agentPolicy";
import { modelText } from "../core/agents/modelText";
import type { AgentCall } from "../core/invocation/record/invocationRecord";
import type { RegistryFailure } from "../core/registry/registryFailure";
import { declarationOf, readContract } from "../core/review/contract";
import { difference } from "../core/skill/difference";
import { changeLines, versionLines } from "../core/skill/differenceText";
import type { SkillDetail } from "../core/skill/skill";
import { utcDay } from "../core/text/dates";
import { english, type Language } from "../core/text/language";
import type { SpendingToday } from "../engine/gates/spendingLedger";
import type { AgentGate, AgentPoint } from "../engine/passage";
import type { InvocationHistory } from "../engine/record/invocationHistory";
import { sha256 } from "../engine/sha256";
import type { AgentSettingsFile } from "./agentSettingsFile";

/** What all invocations of a session are decided by. */
export interface GateSources {
  readonly settings: AgentSettingsFile;
  /** Whether the user's settings have agents on. */
  readonly isEnabled: () => boolean;
  /** Reads the policies of the workspace for agents. Never rejects. */
  readonly policies: () => Promise<WorkspacePolicies>;
  readonly history: Pick<InvocationHistory, "listNow">;
  /** An agreement no longer counts, since its contract changed. */
  readonly suspended: (agreement: AgentAgreement) => void;
}

/** How many times this session invoked. */
export interface SessionCalls {
  count: number;
}

/** One wish of an agent: a skill, with the contract that it has seen, and perhaps a payload. */
export interface AgentWish {
  readonly slug: string;
  readonly callerHash: string;
  /** As the record names the payload. */
  readonly payloadId: string;
}

/** Collects what the gates go by, and decides. */
export class SkillGate implements AgentGate {
  /** As of the last decision. */
  private settings: AgentSettings | undefined;
  private policies: WorkspacePolicies = "unreadable";
  private earlier: AgentUse["earlier"];
  private isCounted = false;

  constructor(
    private readonly sources: GateSources,
    private readonly calls: SessionCalls,
    private readonly wish: AgentWish,
    readonly call: AgentCall,
  ) {}

  /** Decides before the skill was read, or where it could not be. */
  async decideUnread(
    registry: string,
    failure: RegistryFailure | undefined,
  ): Promise<AgentVerdict | undefined> {
    await this.learn();
    return agentVerdict({ ...this.standing(registry), read: failure });
  }

  async decide(point: AgentPoint): Promise<AgentVerdict | undefined> {
    await this.learn();
    if (point.spending !== undefined) await this.learnEarlier(point);
    const verdict = agentVerdict(this.factsAt(point));
    if (verdict?.kind === "refused" && verdict.refusal.code === "contractChanged") {
      await this.suspend(point);
    }
    return verdict;
  }

  count(point: AgentPoint): ReturnType<AgentGate["count"]> {
    const verdict = agentVerdict(this.factsAt(point));
    if (verdict?.kind === "refused") return verdict.refusal;
    if (verdict !== undefined) return { code: "canceled", message: "Not sent." };
    this.isCounted = true;
    this.calls.count += 1;
    return undefined;
  }

  uncount(): void {
    if (this.isCounted) this.calls.count -= 1;
    this.isCounted = false;
  }

  /** The agreement about the skill, as of the last decision. */
  agreementAt(registry: string): AgentAgreement | undefined {
    return this.settings && agreementAbout(this.settings, registry, this.wish.slug);
  }

  private async learn(): Promise<void> {
    const [settings, policies] = await Promise.all([
      this.sources.settings.get(),
      this.sources.policies(),
    ]);
    this.settings = settings;
    this.policies = policies;
  }

  private async learnEarlier({ registry }: AgentPoint): Promise<void> {
    const { callerHash: contractHash, payloadId } = this.wish;
    const records = await this.sources.history.listNow();
    this.earlier = earlierCall(records, { registry, contractHash, payloadId }, Date.now());
  }

  private factsAt(point: AgentPoint): AgentFacts {
    const { registry, skill, isRead, warning, spending, answer } = point;
    const agreement = this.agreementAt(registry);
    return {
      ...this.standing(registry),
      warning,
      answer,
      ...(isRead && { read: readNow(skill, agreement) }),
      ...(spending !== undefined && { use: this.useAt(spending) }),
    };
  }

  private useAt({ byAgents: today }: SpendingToday): AgentUse {
    return { earlier: this.earlier, sessionCalls: this.calls.count, today };
  }

  private standing(registry: string): AgentFacts {
    const { settings } = this;
    if (settings === undefined) throw new Error("Nothing was read yet.");
    const { slug, callerHash } = this.wish;
    return {
      slug,
      callerHash,
      isOn: this.sources.isEnabled() && settings.stopped !== true,
      policies: this.policies,
      agreement: this.agreementAt(registry),
      today: utcDay(Date.now()),
      limits: settings.limits,
      read: undefined,
      warning: "",
    };
  }

  /** Not where the caller alone has seen another contract. */
  private async suspend({ registry, skill }: AgentPoint): Promise<void> {
    const agreement = this.agreementAt(registry);
    if (agreement === undefined) return;
    const contract = readContract(skill, sha256);
    const isSame =
      contract.ok &&
      contract.hash === agreement.contractHash &&
      changesSinceAllowed(skill, agreement, english).length === 0;
    if (isSame || agreement.suspended !== undefined) return;
    const day = utcDay(Date.now());
    await this.sources.settings.change((settings) =>
      withChanged(settings, agreement, { suspended: day }),
    );
    this.sources.suspended(agreement);
  }
}

/** Reads what the gates need of a skill, with its differences from what was agreed to. */
function readNow(skill: SkillDetail, agreement: AgentAgreement | undefined) {
  return readForAgents(
    skill,
    readContract(skill, sha256),
    changesSinceAllowed(skill, agreement, english),
  );
}

/** As many as a model can act on; the person sees all of them when allowing again. */
const maxChanges = 8;

/** Describes how a skill differs from what a person let agents invoke, one change a line. */
export function changesSinceAllowed(
  skill: SkillDetail,
  agreement: AgentAgreement | undefined,
  language: Language,
): readonly string[] {
  if (agreement === undefined) return [];
  const other = versionLines(agreement.version, skill.summary.version, language);
  const after = declarationOf(skill);
  const { contract, entry = after.entry } = agreement;
  const before = contract ?? { ...after, ...(entry !== undefined && { entry }) };
  // Of a contract that was not kept, the hash is compared with all but where it runs.
  const changes = difference(before, after, contract === undefined ? ["runtime"] : undefined);
  const lines = changeLines(changes, { before, after }, language);
  return [...other, ...lines].slice(0, maxChanges).map((line) => modelText(line, 200));
}
