import { type AgentArguments, type AgentPayload, payloadOf } from "../core/agents/agentArguments";
import {
  type AgentResult,
  partResult,
  recordResult,
  refusalOf,
  refusalResult,
} from "../core/agents/agentResults";
import type { AgentRefusal } from "../core/agents/gates/agentRefusal";
import { runningFacts } from "../core/invocation/outcome";
import { rateLimitSeconds } from "../core/invocation/outcomeNotice";
import { type InvocationRecord, isAgent } from "../core/invocation/record/invocationRecord";
import { valueAt } from "../core/json/jsonPointer";
import type { JsonValue } from "../core/json/jsonValue";
import { valueRange } from "../core/payload/payloadCheck";
import { registryName } from "../core/registry/registryName";
import type { Answers, Asker } from "../engine/asker";
import type { Ending, InvokedRegistry, SentPayload } from "../engine/attempt";
import { outputOf, payloadIdOf } from "../engine/sendInvocation";
import { sha256 } from "../engine/sha256";
import { orAbort, within } from "../registry/wait";
import { type AgentClient, agentAsker } from "./agentAsker";
import { type AllowedSkills, notConnected, type RefusedSkill } from "./allowedSkills";
import type { SessionParts } from "./sessionParts";
import { unexpected } from "./unexpected";

/**
 * The time for one answer to a client, in milliseconds. Clients time out after a minute, so slower work answers early
 * and continues.
 */
export const answerMs = 45_000;

/** The tools that invoke a skill and read its results. */
export class InvokeTools<Registry extends InvokedRegistry> {
  private readonly ending = new Set<Promise<unknown>>();
  private stop = new AbortController();

  /** `sessionId` names the session in records. */
  constructor(
    private readonly parts: SessionParts<Registry>,
    private readonly skills: AllowedSkills<Registry>,
    private readonly sessionId: string,
  ) {}

  /** Cancels invocations that wait to be sent. Sent ones continue. */
  cancelWaiting(): void {
    this.stop.abort();
    this.stop = new AbortController();
  }

  /** Waits until every sent invocation has ended and is on record. */
  async finish(): Promise<void> {
    await Promise.allSettled([...this.ending]);
  }

  /** Invokes a skill once, or returns why it was not invoked. Rejects only if nothing was sent. */
  async invoke(
    args: AgentArguments["invoke_skill"],
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const { slug } = args.skill;
    const registry = await this.parts.connect();
    if (registry === undefined) return refusalResult(notConnected);
    const refuse = (refusal: AgentRefusal & { problems?: JsonValue }) =>
      this.refuse(registry, slug, refusal, client);
    let started: InvocationRecord | undefined;
    let end = (): void => undefined;
    const cancel = new AbortController();
    let changed: string | undefined;
    const ask: Answers["agentCall"] = async (question) => {
      if (question.payload === changed) return "yes";
      const answer = await client.askPerson(question);
      if (typeof answer === "string") return answer;
      changed = answer.payload;
      return "later";
    };
    const asker = agentAsker(ask, (record) => {
      end = this.parts.running(record, cancel);
      started = record;
    });
    // After sending, only the user can cancel. A client that disconnected must find the result on record.
    const stop = AbortSignal.any([signal, this.stop.signal]);
    const stopWaiting = () => started === undefined && cancel.abort();
    stop.addEventListener("abort", stopWaiting);
    if (stop.aborted) stopWaiting();
    const attempt = (payload: AgentPayload) =>
      this.attempt({ ...args, payload }, { registry, client, asker, signal: cancel.signal });
    const work = attempt(args.payload)
      // A payload that a person changed must pass every gate again.
      .then((ending) => (changed === undefined ? ending : attempt(payloadOf(changed))))
      .finally(() => {
        stop.removeEventListener("abort", stopWaiting);
        end();
      });
    this.follow(work);
    let ending: Ending | RefusedSkill | undefined;
    try {
      ending = await within(work, answerMs);
      if (ending?.kind === "refused") return await refuse(ending.refusal);
      if (ending !== undefined) {
        const isChanged = changed !== undefined;
        return await this.endingResult(ending, { registry, slug, client, refuse, isChanged });
      }
      return started === undefined
        ? await refuse({ code: "canceled", message: "It is still waiting. Call again in a while." })
        : recordResult({ ...started, ...runningFacts }, {});
    } catch (error) {
      const isSent = started !== undefined && (ending === undefined || ending.kind === "sent");
      if (!isSent) throw error;
      return unexpected("invoke_skill", error, "sent", this.parts.log);
    }
  }

  /** Invokes with one payload, if the gates still allow the skill in its newly read state. */
  private async attempt(
    { skill: address, payload, contractHash, reason }: AgentArguments["invoke_skill"],
    { registry, client, asker, signal }: Attempt<Registry>,
  ): Promise<Ending | RefusedSkill> {
    const source = `agent ${sha256(payload.dedupeKey)}`;
    const payloadId = payloadIdOf(source);
    const { slug } = address;
    const gate = this.skills.gateFor(slug, contractHash, payloadId, "invoke_skill", reason);
    const readAt = performance.now();
    const read = await this.skills.readAgreed(registry, address, gate);
    if (read.kind === "refused") return read;
    const text: SentPayload = {
      text: payload.text,
      source,
      dedupeKey: payload.dedupeKey,
      check: (skill) => this.parts.check(registry, skill, payload.text),
    };
    const caller = { ...client.caller, session: this.sessionId };
    const request = { registry, skill: read.skill, readAt, isTestRun: false, caller, agent: gate };
    return this.parts.engine.invoke(request, text, asker, signal);
  }

  private async endingResult(
    ending: Ending,
    { registry, client, slug, refuse, isChanged }: EndingContext<Registry>,
  ): Promise<AgentResult> {
    const shown = { maxLength: client.maxOutput, isChanged };
    if (ending.kind === "sent") {
      const remaining = await this.skills.remainingLimits(registry, ending.skill);
      const outputText = outputOf(ending.outcome);
      const retryAfterSeconds = rateLimitSeconds(ending);
      return recordResult(ending.record, {
        ...shown,
        outputText,
        remaining,
        retryAfterSeconds,
      });
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

  /** Waits for an invocation of an agent, or reads more of its output. */
  async readOutput(
    { recordId, pointer, offset }: AgentArguments["read_output"],
    client: AgentClient,
    signal: AbortSignal,
  ): Promise<AgentResult> {
    const record = await this.recordOnceEnded(recordId, signal);
    if (record === undefined || !isAgent(record.caller.kind)) {
      const message = "There is no invocation of an agent with this recordId.";
      return refusalResult({ code: "badArguments", message });
    }
    const texts = await this.parts.history.texts(record.id);
    const outputText = texts?.outputText;
    const maxLength = client.maxOutput;
    if (outputText === undefined || (pointer === "" && offset === 0)) {
      return recordResult(record, { outputText, maxLength });
    }
    const text = partOf(outputText, pointer);
    if (text === undefined) {
      const message = "The output has nothing at this pointer.";
      return refusalResult({ code: "badArguments", message });
    }
    return partResult(record, { pointer, offset, text, maxLength });
  }

  /** Finds a record and waits for its end. Waits no longer than a client would. */
  private async recordOnceEnded(
    id: string,
    signal: AbortSignal,
  ): Promise<InvocationRecord | undefined> {
    const { history } = this.parts;
    const until = performance.now() + answerMs;
    for (;;) {
      const record = await history.find(id);
      const remainingMs = until - performance.now();
      if (record?.status !== "running" || remainingMs <= 0 || signal.aborted) return record;
      let subscription = { dispose: (): void => undefined };
      const changed = new Promise<void>((resolve) => {
        subscription = history.onDidChange(() => resolve());
      });
      await orAbort(within(changed, remainingMs), signal);
      subscription.dispose();
    }
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
    const session = { ...caller, session: this.sessionId };
    const refused = { at: Date.now(), registry: registryName(registry), skill, code };
    return this.parts.refusals.note({ ...refused, caller: session });
  }

  private follow(work: Promise<unknown>): void {
    const ended = work.catch(() => undefined).finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}

interface Attempt<Registry> {
  readonly registry: Registry;
  readonly client: AgentClient;
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

interface EndingContext<Registry> {
  /** Whether a person changed the payload before it was sent. */
  readonly isChanged: boolean;
  readonly registry: Registry;
  readonly slug: string;
  readonly client: AgentClient;
  readonly refuse: (refusal: AgentRefusal & { problems?: JsonValue }) => Promise<AgentResult>;
}

/** Returns one value of an output as it is spelled in the output's text. */
function partOf(outputText: string, pointer: string): string | undefined {
  if (pointer === "") return outputText;
  if (valueAt(JSON.parse(outputText) as JsonValue, pointer) === undefined) return undefined;
  const range = valueRange(outputText, pointer);
  return range && outputText.slice(range.start, range.end);
}
