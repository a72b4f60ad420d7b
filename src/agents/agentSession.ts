import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { agreementAbout, isInForce } from "../core/agents/agentAgreements";
import { type AgentArguments, readAgentArguments } from "../core/agents/agentArguments";
import type { AgentRefusal, AgentVerdict } from "../core/agents/agentGates";
import { letsInvoke, narrowed } from "../core/agents/agentPolicy";
import {
  type AgentResult,
  problemsOf,
  recordResult,
  refusalOf,
  refusalResult,
  resultOf,
  wholeStart,
  withOutput,
} from "../core/agents/agentResults";
import { type AgentToolName, agentToolNames } from "../core/agents/agentTools";
import { modelText } from "../core/agents/modelText";
import {
  type InvocationRecord,
  isAgent,
  registryName,
} from "../core/invocation/record/invocationRecord";
import { valueAt } from "../core/json/jsonPointer";
import type { JsonObject, JsonValue } from "../core/json/jsonValue";
import { findSecrets } from "../core/payload/findSecrets";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import { type Result, registryFailureText } from "../core/registry/registryFailure";
import { permissionSentences } from "../core/skill/permissions";
import { invocationPrice, pricesOf, pricesText } from "../core/skill/price";
import type { SkillDetail, SkillSummary } from "../core/skill/skill";
import type { SkillAddress } from "../core/skill/skillAddress";
import type { SkillListPage, SkillQuery } from "../core/skillList/skillQuery";
import { utcDay } from "../core/text/dates";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import type { InvocationHistory } from "../engine/invocationHistory";
import type { Engine } from "../engine/invoke";
import type { Ending, InvokedRegistry, SentPayload } from "../engine/passage";
import { outputOf } from "../engine/sendInvocation";
import { settled } from "../engine/settled";
import { sha256 } from "../engine/sha256";
import type { SpendingLedger } from "../engine/spendingLedger";
import { type AgentClient, agentAsker } from "./agentAsker";
import type { AgentRefusals } from "./agentRefusals";
import { type GateSources, SkillGate } from "./skillGate";

/** What a model is told of skills that agents may not invoke: their facts, nothing, or also their texts. */
export type AgentDiscovery = "facts" | "allowed" | "text";

/** What a session is made with, in whatever program it runs. */
export interface SessionParts<Registry extends InvokedRegistry> extends GateSources {
  readonly engine: Engine<Registry>;
  readonly history: InvocationHistory;
  readonly ledger: SpendingLedger;
  readonly refusals: AgentRefusals;
  readonly discovery: () => AgentDiscovery;
  /** Returns the registry in use; undefined where there is none. */
  readonly connect: () => Promise<Registry | undefined>;
  /** Loads a page of the list. */
  readonly search: (
    registry: Registry,
    query: SkillQuery,
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<SkillListPage>>;
  /** Reads a version of a skill now; the current one where `version` is empty. */
  readonly readSkill: (
    registry: Registry,
    slug: string,
    version: string,
  ) => Promise<Result<SkillDetail>>;
  /** Checks a text as the input of a skill. */
  readonly check: (registry: Registry, skill: SkillDetail, text: string) => Promise<PayloadCheck>;
  /** Makes an example payload; undefined where there is none. */
  readonly sample: (skill: SkillDetail) => Promise<JsonValue | undefined>;
  /** An invocation was sent; returns what is called once it ended. `cancel` stops waiting for its answer. */
  readonly running: (record: InvocationRecord, cancel: AbortController) => () => void;
  /** Writes a line about an error of ours. Never gets what an agent sent. */
  readonly log: (text: string) => void;
}

/** Clients give up after a minute: whatever takes longer is answered before, and goes on. */
const answerMs = 45_000;
/** Pages of the list that one search reads at most. */
const maxPages = 5;

/** The five tools for the agents of one window or process. */
export class AgentSession<Registry extends InvokedRegistry> {
  /** Names the session in records, in 8 hex digits. */
  readonly id = randomBytes(4).toString("hex");
  private readonly calls = { count: 0 };
  private readonly ending = new Set<Promise<unknown>>();
  private stop = new AbortController();

  constructor(
    private readonly parts: SessionParts<Registry>,
    private readonly answerWithinMs = answerMs,
  ) {}

  /** Runs a tool. Never rejects: an error that carried what was given would be written to a log. */
  async call(
    tool: string,
    given: unknown,
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    try {
      const name = agentToolNames.find((one) => one === tool);
      if (name === undefined) return refusalResult(badTool);
      const off = await this.turnedOff();
      if (off !== undefined) return refusalResult(off);
      return await this.run(name, given, client, signal);
    } catch (error) {
      const kind = error instanceof Error ? error.name : typeof error;
      this.parts.log(`An unexpected error occurred in ${tool.slice(0, 40)}: ${kind}`);
      return resultOf({ status: "notSent", message: "An unexpected error occurred." }, true);
    }
  }

  /** Invokes a skill with the contract that was agreed to, for a tool of its own. */
  async invokeAllowed(
    slug: string,
    input: unknown,
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const registry = await this.parts.connect();
    const settings = await this.parts.settings.get();
    const agreement = registry && agreementAbout(settings, registryName(registry), slug);
    const contractHash = agreement?.contractHash ?? "none";
    return this.call("invoke_skill", { skill: slug, contractHash, input }, client, signal);
  }

  /** Cancels what waits; what was sent goes on. */
  cancelWaiting(): void {
    this.stop.abort();
    this.stop = new AbortController();
  }

  /** Waits until all that was sent has ended and is on record. */
  async finish(): Promise<void> {
    await Promise.allSettled([...this.ending]);
  }

  private async turnedOff(): Promise<AgentRefusal | undefined> {
    const gate = this.gateFor("", "", "", "find_skill", "");
    const verdict = await gate.decideUnread("", undefined);
    const refusal = verdict?.kind === "refused" ? verdict.refusal : undefined;
    return refusal?.code === "agentsOff" ? refusal : undefined;
  }

  private run(
    tool: AgentToolName,
    given: unknown,
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    switch (tool) {
      case "find_skill":
        return this.with(tool, given, (args) => this.find(args, signal));
      case "inspect_skill":
        return this.with(tool, given, (args) => this.inspect(args));
      case "check_payload":
        return this.with(tool, given, (args) => this.check(args));
      case "invoke_skill":
        return this.with(tool, given, (args) => this.invoke(args, client, signal));
      case "read_output":
        return this.with(tool, given, (args) => this.readOutput(args, client, signal));
    }
  }

  private async with<Tool extends AgentToolName>(
    tool: Tool,
    given: unknown,
    work: (args: AgentArguments[Tool]) => Promise<AgentResult>,
  ): Promise<AgentResult> {
    const read = readAgentArguments(tool, given);
    return read.ok ? work(read.value) : refusalResult(read.refusal);
  }

  private async find(
    { query, task, allowedOnly, limit }: AgentArguments["find_skill"],
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const registry = await this.parts.connect();
    if (registry === undefined) return refusalResult(notConnected);
    const discovery = this.parts.discovery();
    const rowOf = await this.rowMaker(registry, discovery);
    const asked: SkillQuery = { text: query, filters: task === "" ? {} : { task: [task] } };
    const rows: JsonObject[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages && rows.length < limit; page += 1) {
      const read = await this.parts.search(registry, asked, cursor, signal);
      if (!read.ok) {
        if (page === 0) return refusalResult(unreachable(read.failure));
        break;
      }
      const found = read.value.skills.map(rowOf);
      const isListed = ({ allowed }: JsonObject) =>
        allowed === true || (!allowedOnly && discovery !== "allowed");
      rows.push(...found.filter(isListed));
      cursor = read.value.nextCursor;
      if (cursor === undefined) break;
    }
    const hasMore = cursor !== undefined || rows.length > limit;
    return resultOf({ skills: rows.slice(0, limit), ...(hasMore && { more: true }) });
  }

  private async rowMaker(
    registry: Registry,
    discovery: AgentDiscovery,
  ): Promise<(summary: SkillSummary) => JsonObject> {
    const [settings, policies] = await Promise.all([
      this.parts.settings.get(),
      this.parts.policies(),
    ]);
    const name = registryName(registry);
    const today = utcDay(Date.now());
    return (summary) => {
      const agreement = agreementAbout(settings, name, summary.slug);
      const isAllowed =
        agreement !== undefined &&
        isInForce(agreement, today) &&
        policies !== "unreadable" &&
        letsInvoke(policies, summary.slug);
      const { displayName: title, description } = summary;
      const text = isAllowed
        ? agreement.text
        : discovery === "text"
          ? { title: modelText(title, 200), description: modelText(description, 300) }
          : {};
      return { ...factsOf(summary), allowed: isAllowed, ...text };
    };
  }

  private async inspect({
    skill: address,
    withOutput: isWithOutput,
  }: AgentArguments["inspect_skill"]): Promise<AgentResult> {
    const found = await this.allowedSkill(address);
    if (found.kind === "refused") return this.inspected(found);
    const { skill, hash, registry, gate } = found;
    const { inputSchema, outputSchema, permissions, summary } = skill;
    const agreement = gate.agreementAt(registryName(registry));
    const example = await this.parts.sample(skill);
    return resultOf({
      skill: summary.slug,
      version: summary.version,
      allowed: true,
      ...agreement?.text,
      mode: agreement?.mode ?? "ask",
      contractHash: hash,
      permissions: (permissions === undefined ? [] : permissionSentences(permissions, english))
        .filter(({ granted }) => granted)
        .map(({ sentence }) => modelText(sentence, 200)),
      price: modelText(pricesText({ prices: pricesOf(skill) }, english, summary.isSample), 200),
      left: await this.leftOf(registry, skill),
      inputSchema: inputSchema ?? true,
      ...(isWithOutput && { outputSchema: outputSchema ?? true }),
      ...(example !== undefined && { example }),
    });
  }

  /** Of a skill that agents may not invoke, its facts alone. */
  private inspected({ refusal, summary }: Refused): AgentResult {
    const isHidden = refusal.code !== "notAllowed" && refusal.code !== "agreementExpired";
    if (summary === undefined || isHidden) return refusalResult(refusal);
    const { code, message, next = "" } = refusal;
    return resultOf({ ...factsOf(summary), allowed: false, code, message, next });
  }

  private async check({
    skill: address,
    payload,
  }: AgentArguments["check_payload"]): Promise<AgentResult> {
    const found = await this.allowedSkill(address);
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

  private async invoke(
    args: AgentArguments["invoke_skill"],
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const { skill: address, payload, contractHash, reason } = args;
    const { slug } = address;
    const registry = await this.parts.connect();
    if (registry === undefined) return refusalResult(notConnected);
    const refuse = (refusal: AgentRefusal & { problems?: JsonValue }) =>
      this.refuse(registry, slug, refusal, client);
    const payloadSource = `agent ${sha256(payload.sameness)}`;
    const payloadId = sha256(payloadSource).slice(0, 16);
    const gate = this.gateFor(slug, contractHash, payloadId, "invoke_skill", reason);
    const name = registryName(registry);
    const unread = refusalIn(await gate.decideUnread(name, undefined));
    if (unread !== undefined) return refuse(unread);
    const version = gate.agreementAt(name)?.version ?? "";
    const other = otherVersion(address, version);
    if (other !== undefined) return refuse(other);
    const readAt = performance.now();
    const read = await this.parts.readSkill(registry, slug, version);
    if (!read.ok) {
      const missing = refusalIn(await gate.decideUnread(name, read.failure));
      return refuse(missing ?? unreachable(read.failure));
    }
    const text: SentPayload = {
      text: payload.text,
      source: payloadSource,
      sameness: payload.sameness,
      check: (skill) => this.parts.check(registry, skill, payload.text),
    };
    let started: InvocationRecord | undefined;
    let end = (): void => undefined;
    const cancel = new AbortController();
    const asker = agentAsker(client, (record) => {
      started = record;
      end = this.parts.running(record, cancel);
    });
    // Once it was sent, only the user cancels it: a client that went away still has to find its end on record.
    const stop = AbortSignal.any([signal, this.stop.signal]);
    const stopWaiting = () => started === undefined && cancel.abort();
    stop.addEventListener("abort", stopWaiting);
    if (stop.aborted) stopWaiting();
    const wanted = {
      registry,
      skill: read.value,
      readAt,
      isTestRun: false,
      caller: { ...client.caller, session: this.id },
      agent: gate,
    };
    const work = this.parts.engine.invoke(wanted, text, asker, cancel.signal).finally(() => {
      stop.removeEventListener("abort", stopWaiting);
      end();
    });
    this.follow(work);
    const late = await Promise.race([work, pause(this.answerWithinMs, undefined, { ref: false })]);
    if (late === undefined) {
      return started === undefined
        ? refuse({ code: "canceled", message: "It is still waiting. Call again in a while." })
        : recordResult({ ...started, status: "running" }, {});
    }
    return this.ended(late, { registry, slug, client, refuse });
  }

  private async ended(
    ending: Ending,
    { registry, client, slug, refuse }: EndedIn<Registry>,
  ): Promise<AgentResult> {
    const shown = { maxLength: client.maxOutput };
    if (ending.kind === "sent") {
      const left = await this.leftOf(registry, ending.skill);
      const outputText = outputOf(ending.outcome);
      return recordResult(ending.record, { ...shown, outputText, left });
    }
    const { stop } = ending;
    const isAskedLater = stop.kind === "declined" && stop.question.kind === "agentCall";
    if (isAskedLater) return refusalResult(refusalOf(slug, stop));
    if (stop.kind !== "earlier") return refuse(refusalOf(slug, stop));
    const { record } = stop.earlier;
    if (stop.earlier.kind === "running") return recordResult(record, {});
    await this.note(registry, slug, "replayed", client);
    const texts = await this.parts.history.texts(record.id);
    return recordResult(record, { ...shown, outputText: texts?.outputText, isReplayed: true });
  }

  private async readOutput(
    { recordId, pointer, offset }: AgentArguments["read_output"],
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const record = await this.recordOnceEnded(recordId, signal);
    if (record === undefined || !isAgent(record.caller?.kind)) {
      const message = "There is no invocation of an agent with this recordId.";
      return refusalResult({ code: "badArguments", message });
    }
    const texts = await this.parts.history.texts(record.id);
    const outputText = texts?.outputText;
    const maxLength = client.maxOutput;
    if (outputText === undefined || (pointer === "" && offset === 0)) {
      return recordResult(record, { outputText, maxLength });
    }
    const part = partOf(outputText, pointer);
    if (part === undefined) {
      const message = "The output has nothing at this pointer.";
      return refusalResult({ code: "badArguments", message });
    }
    const facts = { status: record.status, recordId: record.id, pointer, offset };
    if (offset === 0) return { text: withOutput(facts, part, maxLength), isError: false };
    const text = wholeStart(part.slice(offset), maxLength);
    const cut = { shown: offset + text.length, total: part.length };
    return resultOf({ ...facts, outputText: text, cut });
  }

  /** Finds a record, and waits for its end as long as a client does. */
  private async recordOnceEnded(
    id: string,
    signal: AbortSignal,
  ): Promise<InvocationRecord | undefined> {
    const { history } = this.parts;
    const until = performance.now() + this.answerWithinMs;
    for (;;) {
      const record = await history.find(id);
      const left = until - performance.now();
      if (record?.status !== "running" || left <= 0 || signal.aborted) return record;
      let heard = { dispose: (): void => undefined };
      const changed = new Promise<void>((resolve) => {
        heard = history.onDidChange(() => resolve());
      });
      await settled(Promise.race([changed, pause(left, undefined, { ref: false })]), signal);
      heard.dispose();
    }
  }

  /** Reads a skill that agents may invoke, or says why they may not. */
  private async allowedSkill(address: SkillAddress): Promise<AllowedSkill<Registry> | Refused> {
    const registry = await this.parts.connect();
    if (registry === undefined) return { kind: "refused", refusal: notConnected };
    const name = registryName(registry);
    const settings = await this.parts.settings.get();
    const agreement = agreementAbout(settings, name, address.slug);
    const hash = agreement?.contractHash ?? "";
    const gate = this.gateFor(address.slug, hash, "", "inspect_skill", "");
    const unread = refusalIn(await gate.decideUnread(name, undefined));
    const other = unread ?? otherVersion(address, agreement?.version ?? "");
    const read = await this.parts.readSkill(registry, address.slug, agreement?.version ?? "");
    if (other !== undefined) {
      return { kind: "refused", refusal: other, ...(read.ok && { summary: read.value.summary }) };
    }
    if (!read.ok) {
      const missing = refusalIn(await gate.decideUnread(name, read.failure));
      return { kind: "refused", refusal: missing ?? unreachable(read.failure) };
    }
    const skill = read.value;
    const point = { registry: name, skill, isRead: true, warning: "", answer: undefined };
    const refusal = refusalIn(await gate.decide(point));
    return refusal === undefined
      ? { kind: "allowed", registry, skill, hash, gate }
      : { kind: "refused", refusal };
  }

  private gateFor(
    slug: string,
    callerHash: string,
    payloadId: string,
    tool: AgentToolName,
    given: string,
  ): SkillGate {
    const reason = findSecrets(given).length > 0 ? "" : oneLine(given, 200);
    const call = { tool, agreement: callerHash, ...(reason !== "" && { reason }) };
    return new SkillGate(this.parts, this.calls, { slug, callerHash, payloadId }, call);
  }

  private async leftOf(registry: Registry, skill: SkillDetail): Promise<JsonObject> {
    const [settings, policies] = await Promise.all([
      this.parts.settings.get(),
      this.parts.policies(),
    ]);
    const limits = narrowed(settings.limits, policies);
    const name = registryName(registry);
    const { slug } = skill.summary;
    const { byAgents } = await this.parts.ledger.before({
      registry: name,
      skillSlug: slug,
      price: invocationPrice(skill),
    });
    const agreement = agreementAbout(settings, name, slug);
    const { centsPerDay = 0, callsPerDay = 0 } = agreement ?? {};
    const inSession = limits.callsPerSession - this.calls.count;
    return {
      calls: Math.max(0, Math.min(inSession, callsPerDay - byAgents.skillCalls)),
      centsToday: Math.max(
        0,
        Math.min(limits.centsPerDay - byAgents.cents, centsPerDay - byAgents.skillCents),
      ),
    };
  }

  private async refuse(
    registry: Registry,
    slug: string,
    refusal: AgentRefusal,
    client: AgentClient,
  ): Promise<AgentResult> {
    await this.note(registry, slug, refusal.code, client);
    return refusalResult(refusal);
  }

  private note(
    registry: Registry,
    skill: string,
    code: AgentRefusal["code"] | "replayed",
    { caller }: AgentClient,
  ): Promise<void> {
    const session = { ...caller, session: this.id };
    const refused = { at: Date.now(), registry: registryName(registry), skill, code };
    return this.parts.refusals.note({ ...refused, caller: session });
  }

  private follow(work: Promise<unknown>): void {
    const ended = work.catch(() => undefined).finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}

interface EndedIn<Registry> {
  readonly registry: Registry;
  readonly slug: string;
  readonly client: AgentClient;
  readonly refuse: (refusal: AgentRefusal & { problems?: JsonValue }) => Promise<AgentResult>;
}

interface AllowedSkill<Registry> {
  readonly kind: "allowed";
  readonly registry: Registry;
  readonly skill: SkillDetail;
  /** Of the contract, which the agreement has too. */
  readonly hash: string;
  readonly gate: SkillGate;
}

interface Refused {
  readonly kind: "refused";
  readonly refusal: AgentRefusal;
  readonly summary?: SkillSummary;
}

/** What a model is told of any skill: its facts, and none of its texts. */
function factsOf(summary: SkillSummary): JsonObject {
  const { slug, task = "", permissionLevel, billingModel, verificationStatus } = summary;
  return {
    skill: modelText(slug, 130),
    task: task === "" ? "" : wordOf(task),
    permissionLevel: wordOf(permissionLevel),
    price: wordOf(billingModel),
    verification: wordOf(verificationStatus),
  };
}

/** A registry's own word for a fact: sentences there would be read by a model that nobody let read them. */
function wordOf(fact: string | undefined): string {
  return fact !== undefined && /^[\p{L}\p{N}_.-]{1,40}$/u.test(fact) ? fact : "unknown";
}

const badTool: AgentRefusal = { code: "badArguments", message: "There is no such tool." };
const notConnected: AgentRefusal = {
  code: "registryUnreachable",
  message: "There is no connection to a registry.",
};

function unreachable(failure: Parameters<typeof registryFailureText>[0]): AgentRefusal {
  return { code: "registryUnreachable", message: registryFailureText(failure, english) };
}

function refusalIn(verdict: AgentVerdict | undefined): AgentRefusal | undefined {
  return verdict?.kind === "refused" ? verdict.refusal : undefined;
}

function otherVersion({ slug, version }: SkillAddress, agreed: string): AgentRefusal | undefined {
  if (version === "" || version === agreed) return undefined;
  return {
    code: "notAllowed",
    message: `The user allowed agents to invoke ${slug}@${agreed}, and no other version.`,
  };
}

/** The JSON text of a part of an output; the output's own spelling for the whole. */
function partOf(outputText: string, pointer: string): string | undefined {
  if (pointer === "") return outputText;
  const value = valueAt(JSON.parse(outputText) as JsonValue, pointer);
  return value === undefined ? undefined : JSON.stringify(value);
}
