import { type AgentAgreement, agreedLevel, hasWords } from "../core/agents/agentAgreements";
import type { AgentArguments } from "../core/agents/agentArguments";
import { allowedAt } from "../core/agents/agentPolicy";
import { type AgentResult, problemsOf, refusalResult, resultOf } from "../core/agents/agentResults";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import { listedFacts, modelText, readFacts } from "../core/agents/modelText";
import type { JsonObject, JsonValue } from "../core/json/jsonValue";
import type { RegistryFailure } from "../core/registry/registryFailure";
import { registryName } from "../core/registry/registryName";
import { permissionSentences } from "../core/skill/permissions";
import type { SkillSummary } from "../core/skill/skill";
import type { SkillAddress } from "../core/skill/skillAddress";
import type { SkillQuery } from "../core/skillList/skillQuery";
import { utcDay } from "../core/text/dates";
import { english } from "../core/text/language";
import type { InvokedRegistry } from "../engine/attempt";
import { type AllowedSkills, notConnected, unreachable } from "./allowedSkills";
import type { SessionParts } from "./sessionParts";

/** The maximum number of list pages that one search reads. */
const maxPages = 5;
/** The number of skills that are read by name at the same time. */
const readAtOnce = 5;

/** The tools that only read: they send nothing to a skill and cost nothing. */
export class ReadTools<Registry extends InvokedRegistry> {
  constructor(
    private readonly parts: SessionParts<Registry>,
    private readonly skills: AllowedSkills<Registry>,
  ) {}

  /** Lists skills, and whether agents may invoke each. */
  async find(args: AgentArguments["find_skill"], signal: AbortSignal): Promise<AgentResult> {
    const registry = await this.parts.connect();
    if (registry === undefined) return refusalResult(notConnected);
    const [settings, policies] = await Promise.all([
      this.parts.settings.get(),
      this.parts.policies(),
    ]);
    const allowed = allowedAt(settings, policies, registryName(registry), utcDay(Date.now()));
    return args.allowedOnly
      ? this.findAllowed(registry, args, allowed, signal)
      : this.findListed(registry, args, rowsWith(allowed), signal);
  }

  private async findListed(
    registry: Registry,
    { query, task, limit }: AgentArguments["find_skill"],
    rowOf: (summary: SkillSummary) => JsonObject,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const skillQuery: SkillQuery = { text: query, filters: task === "" ? {} : { task: [task] } };
    const rows: JsonObject[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages && rows.length < limit; page += 1) {
      const read = await this.parts.search(registry, skillQuery, cursor, signal);
      if (!read.ok) {
        if (page === 0) return refusalResult(unreachable(read.failure));
        break;
      }
      rows.push(...read.value.skills.map((summary) => rowOf(summary)));
      cursor = read.value.nextCursor;
      if (cursor === undefined) break;
    }
    return foundRows(rows, limit, cursor !== undefined);
  }

  /** Reads the allowed skills by name. They are few, and could be on any of many list pages. */
  private async findAllowed(
    registry: Registry,
    { query, task, limit }: AgentArguments["find_skill"],
    allowed: readonly AgentAgreement[],
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const matching = allowed.filter((agreement) => hasWords(agreement, query));
    const rowOf = rowsWith(matching);
    const rows: JsonObject[] = [];
    let failure: RegistryFailure | undefined;
    for (let at = 0; at < matching.length && rows.length <= limit; at += readAtOnce) {
      if (signal.aborted) break;
      const some = matching.slice(at, at + readAtOnce);
      const all = await Promise.all(
        some.map(({ skill, version }) => this.parts.readSkill(registry, skill, version)),
      );
      for (const read of all) {
        if (!read.ok) failure ??= read.failure;
        else if (task === "" || read.value.summary.task === task)
          rows.push(rowOf(read.value.summary, readFacts(read.value)));
      }
    }
    if (rows.length === 0 && failure !== undefined) return refusalResult(unreachable(failure));
    return foundRows(rows, limit, false);
  }

  /** Describes a skill that agents may invoke. */
  async inspect({
    skill: address,
    withOutput: isWithOutput,
  }: AgentArguments["inspect_skill"]): Promise<AgentResult> {
    const found = await this.skills.read(address);
    if (found.kind === "refused") return this.inspectRefused(address, found.refusal);
    const { skill, hash, registry, gate } = found;
    const { inputSchema, outputSchema, permissions } = skill;
    const agreement = gate.agreementAt(registryName(registry));
    const remaining = await this.skills.remainingLimits(registry, skill);
    const { value: example, notes } = await this.parts.sample(skill, { mode: "minimal" });
    return resultOf({
      ...readFacts(skill),
      version: skill.summary.version,
      allowed: true,
      ...agreement?.text,
      mode: agreement?.mode ?? "ask",
      contractHash: hash,
      permissions: (permissions === undefined ? [] : permissionSentences(permissions, english))
        .filter(({ granted }) => granted)
        .map(({ sentence }) => modelText(sentence, 200)),
      ...(remaining !== undefined && { left: remaining }),
      inputSchema: inputSchema ?? true,
      ...(isWithOutput && { outputSchema: outputSchema ?? true }),
      // A sample with notes may not match the schema.
      ...(notes.length === 0 && { example: example as JsonValue }),
    });
  }

  /** Returns only the facts of a skill that agents may not invoke. */
  private async inspectRefused(
    { slug }: SkillAddress,
    refusal: AgentRefusal,
  ): Promise<AgentResult> {
    const isDescribed = refusal.code === "notAllowed" || refusal.code === "agreementExpired";
    const registry = await this.parts.connect();
    if (!isDescribed || registry === undefined) return refusalResult(refusal);
    const read = await this.parts.readSkill(registry, slug, "");
    if (!read.ok) return refusalResult(refusal);
    const { code, message, next = "" } = refusal;
    return resultOf({ ...readFacts(read.value), allowed: false, code, message, next });
  }

  /** Checks a payload for a skill that agents may invoke, without sending it. */
  async check({ skill: address, payload }: AgentArguments["check_payload"]): Promise<AgentResult> {
    const found = await this.skills.read(address);
    if (found.kind === "refused") return refusalResult(found.refusal);
    const check = await this.parts.check(found.registry, found.skill, payload.text);
    const problems = problemsOf(check) as JsonValue[];
    const state = check.state === "valid" && problems.length > 0 ? "invalid" : check.state;
    return resultOf({
      skill: found.skill.summary.slug,
      version: found.skill.summary.version,
      contractHash: found.hash,
      valid: state === "valid",
      ...(state === "unchecked" && { unchecked: modelText(check.reason ?? "", 400) }),
      problems,
    });
  }
}

function foundRows(rows: readonly JsonObject[], limit: number, hasMore: boolean): AgentResult {
  const isMore = hasMore || rows.length > limit;
  return resultOf({ skills: rows.slice(0, limit), ...(isMore && { more: true }) });
}

function rowsWith(
  allowed: readonly AgentAgreement[],
): (summary: SkillSummary, facts?: JsonObject) => JsonObject {
  return (summary, read) => {
    const agreement = allowed.find(({ skill }) => skill === summary.slug);
    const facts = read ?? listedFacts(summary, agreement && agreedLevel(agreement));
    return { ...facts, allowed: agreement !== undefined, ...agreement?.text };
  };
}
