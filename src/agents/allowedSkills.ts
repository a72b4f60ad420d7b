import { agreementAbout } from "../core/agents/agentAgreements";
import { restrictedLimits } from "../core/agents/agentPolicy";
import type { AgentToolName } from "../core/agents/agentTools";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import type { JsonObject } from "../core/json/jsonValue";
import { findSecrets } from "../core/payload/findSecrets";
import { registryFailureText } from "../core/registry/registryFailure";
import { registryName } from "../core/registry/registryName";
import { isSameVersion } from "../core/skill/isNewerVersion";
import type { SkillDetail } from "../core/skill/skill";
import type { SkillAddress } from "../core/skill/skillAddress";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import type { InvokedRegistry } from "../engine/attempt";
import { spentByAgents } from "../engine/store/spentToday";
import type { SessionParts } from "./sessionParts";
import { SkillGate } from "./skillGate";

/** A skill that agents may invoke, with its details as just read. */
export interface AllowedSkill<Registry> {
  readonly kind: "allowed";
  readonly registry: Registry;
  readonly skill: SkillDetail;
  /** The hash of its contract, as in the agreement. */
  readonly hash: string;
  readonly gate: SkillGate;
}

/** A skill that agents may not invoke, or that could not be read. */
export interface RefusedSkill {
  readonly kind: "refused";
  readonly refusal: AgentRefusal;
}

/** The skills that agents may invoke in a session: their gates and remaining limits. */
export class AllowedSkills<Registry extends InvokedRegistry> {
  private readonly calls = { count: 0 };

  constructor(private readonly parts: SessionParts<Registry>) {}

  /** Reads a skill that agents may invoke, or returns why they may not. */
  async read(address: SkillAddress): Promise<AllowedSkill<Registry> | RefusedSkill> {
    const registry = await this.parts.connect();
    if (registry === undefined) return { kind: "refused", refusal: notConnected };
    const name = registryName(registry);
    const agreement = agreementAbout(await this.parts.settings.get(), name, address.slug);
    const hash = agreement?.contractHash ?? "";
    const gate = this.gateFor(address.slug, hash, "", "inspect_skill", "");
    const read = await this.readAgreed(registry, address, gate);
    if (read.kind === "refused") return read;
    const { skill } = read;
    const point = { registry: name, skill, isRead: true, warning: undefined };
    const refusal = await gate.mayUseSkill(point);
    return refusal === undefined
      ? { kind: "allowed", registry, skill, hash, gate }
      : { kind: "refused", refusal };
  }

  /** Reads the agreed version of a skill, if the gates allow it. */
  async readAgreed(
    registry: Registry,
    address: SkillAddress,
    gate: SkillGate,
  ): Promise<{ readonly kind: "read"; readonly skill: SkillDetail } | RefusedSkill> {
    const name = registryName(registry);
    const unreadable = await gate.mayRead(name);
    const version = gate.agreementAt(name)?.version ?? "";
    const closed = unreadable ?? otherVersion(address, version);
    if (closed !== undefined) return { kind: "refused", refusal: closed };
    const read = await this.parts.readSkill(registry, address.slug, version);
    if (read.ok) return { kind: "read", skill: read.value };
    const missing = await gate.unread(name, read.failure);
    return { kind: "refused", refusal: missing ?? unreachable(read.failure) };
  }

  /** Creates the gate for one request; `statedReason` is the agent's own. */
  gateFor(
    slug: string,
    callerHash: string,
    payloadId: string,
    tool: AgentToolName,
    statedReason: string,
  ): SkillGate {
    const reason = findSecrets(statedReason).length > 0 ? "" : oneLine(statedReason, 200);
    const call = { tool, agreement: callerHash, ...(reason !== "" && { agentReason: reason }) };
    return new SkillGate(this.parts, this.calls, { slug, callerHash, payloadId }, call);
  }

  /** Returns the remaining limits for a skill; undefined if unknown. */
  async remainingLimits(
    registry: Registry,
    { summary: { slug } }: SkillDetail,
  ): Promise<JsonObject | undefined> {
    const [settings, policies, spentOn] = await Promise.all([
      this.parts.settings.get(),
      this.parts.policies(),
      spentByAgents(this.parts.store).catch(() => undefined),
    ]);
    if (spentOn === undefined) return undefined;
    const limits = restrictedLimits(settings.limits, policies);
    const name = registryName(registry);
    const today = spentOn(name, slug);
    const agreement = agreementAbout(settings, name, slug);
    const { centsPerDay = 0, callsPerDay = 0 } = agreement ?? {};
    const inSession = limits.callsPerSession - this.calls.count;
    return {
      calls: Math.max(0, Math.min(inSession, callsPerDay - today.skillCalls)),
      centsToday: Math.max(
        0,
        Math.min(limits.centsPerDay - today.cents, centsPerDay - today.skillCents),
      ),
    };
  }
}

/** The refusal if no registry is connected. */
export const notConnected: AgentRefusal = {
  code: "registryUnreachable",
  message: "There is no connection to a registry.",
};

/** Returns the refusal for a registry that could not be reached, or whose response was unusable. */
export function unreachable(failure: Parameters<typeof registryFailureText>[0]): AgentRefusal {
  return { code: "registryUnreachable", message: registryFailureText(failure, english) };
}

/** Returns the refusal of a version without an agreement. Undefined if the request names the agreed version or none. */
function otherVersion({ slug, version }: SkillAddress, agreed: string): AgentRefusal | undefined {
  if (version === "" || isSameVersion(version, agreed)) return undefined;
  return {
    code: "notAllowed",
    message: `The user allowed agents to invoke ${slug}@${agreed}, and no other version.`,
  };
}
