import * as vscode from "vscode";
import {
  environmentName,
  type PayloadEnvironment,
} from "../../core/environment/payloadEnvironment";
import { resolvePayload } from "../../core/environment/resolvedPayload";
import { needsConsent } from "../../core/invocation/permission/consentQuestion";
import type { Stopped } from "../../core/invocation/permission/question";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import type { Result } from "../../core/registry/registryFailure";
import { registryName } from "../../core/registry/registryName";
import { inputSchemaOf, type SkillDetail } from "../../core/skill/skill";
import { addressText } from "../../core/skill/skillAddress";
import { withCaseValues } from "../../core/suite/caseValues";
import { english, localize } from "../../core/text/language";
import {
  type Ending,
  type EndingSummary,
  type InvocationRequest,
  type SentPayload,
  stopped,
} from "../../engine/attempt";
import { Allowance } from "../../engine/gates/skillQueue";
import type { Batch, Engine } from "../../engine/invoke";
import type { Link } from "../../window/link";
import {
  asking,
  outputPart,
  partLength,
  started,
  type WindowEnvironment,
  wait,
  withoutOutput,
} from "../../window/protocol";
import type { QuestionGate } from "../../window/questionGate";
import type {
  CheckRequest,
  CommandInvocation,
  InvokeRequest,
  OpenRequest,
  PayloadOfCommand,
  SkillRequest,
} from "../../window/requests";
import type { PayloadChecks } from "../author/payloadChecks";
import { currentRegistry } from "../connect/currentRegistry";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import type { SkillDetails } from "../inspect/skillDetails";
import type { RunningInvocations, StartedInvocation } from "../invoke/runningInvocations";
import { hostLanguage } from "../ui/hostLanguage";
import { CommandAsker } from "./commandAsker";

/** The dependencies of serving commands in terminals. */
export interface CommandParts {
  readonly engine: Engine<ConnectedRegistry>;
  readonly connection: RegistryConnection;
  readonly details: SkillDetails;
  readonly checks: PayloadChecks;
  readonly environments: WorkspaceEnvironments;
  readonly running: RunningInvocations;
  readonly openSkill: (slug: string) => unknown;
  readonly version: string;
  readonly gate: QuestionGate;
  /** The harmless skills, by registry, that the person at this window allowed for commands. */
  readonly allowedSkills: Set<string>;
}

/** Several invocations under one agreement, with the values of the environment that the person saw. */
interface OpenedBatch {
  readonly all: Batch;
  readonly environment: PayloadEnvironment;
}

/** The maximum number of batches of one command. */
const maxKept = 1000;

/** Serves one command in a terminal: reads skills for it, and invokes through the gates and dialogs of this window. */
export class CommandServer {
  /** The pace of each skill in its last request: the number of invocations per minute. */
  private readonly paces = new Map<string, number | undefined>();
  private readonly batches = new Map<number, OpenedBatch>();
  private allowance: Allowance | undefined;
  private opened = 0;

  constructor(
    private readonly parts: CommandParts,
    private readonly link: Link,
  ) {}

  /** Returns the registry and environment of this window. Never rejects. */
  async windowEnvironment(): Promise<WindowEnvironment> {
    const { connection, environments } = this.parts;
    const current = await connection.current();
    if (!current.ok) return { ok: false, problem: localize(current.problem, english) };
    const { registry } = current;
    const { environment } = environments.place;
    return {
      ok: true,
      registry: registryName(registry),
      baseUrl: registry.baseUrl,
      ...(environment !== undefined && { environment }),
    };
  }

  /** Reads a skill, in the given version or the project's. */
  readSkill({ slug, version }: SkillRequest): Promise<Result<SkillDetail>> {
    return this.parts.details.refresh(slug, version === "" ? undefined : version);
  }

  /** Checks a payload as this window would before sending it. Rejects if its skill cannot be read. */
  async check(request: CheckRequest, signal: AbortSignal): Promise<PayloadCheck> {
    const read = await this.skillOf(request);
    if (!read.ok) throw new Error("The skill could not be read.");
    const environment = await this.environmentOf(request.payload);
    return this.payloadOf(request.payload, environment, signal).check(read.value);
  }

  /** Asks about several invocations of a skill. */
  async open(
    { wanted }: OpenRequest,
    cancel: AbortController,
  ): Promise<Stopped | { readonly kind: "series"; readonly series: number }> {
    this.paces.set(paceName(wanted), wanted.perMinute);
    const asker = this.askerFor({ wanted, text: "" }, cancel, async () => undefined);
    const environment = await this.environmentOf(wanted);
    const ready = await this.ready(wanted, environment, asker);
    if ("stop" in ready) return asker.reasonOf(ready);
    const all = await this.parts.engine.openBatch(ready, asker.asker, cancel.signal);
    if (all.kind === "stopped") return asker.reasonOf(all);
    this.opened += 1;
    if (this.batches.size >= maxKept) this.batches.clear();
    this.batches.set(this.opened, { all, environment });
    return { kind: "series", series: this.opened };
  }

  /** Invokes once, alone or in a batch. */
  async invoke(request: InvokeRequest, cancel: AbortController): Promise<EndingSummary> {
    const { wanted, call, payload } = request;
    const { link } = this;
    this.paces.set(paceName(wanted), wanted.perMinute);
    let shown: StartedInvocation | undefined;
    const asker = this.askerFor({ wanted, call, text: payload.text }, cancel, async (record) => {
      await link.sendRequest(started, { call, record });
      if (request.series === undefined) shown = this.show(record, cancel);
    });
    try {
      const ending = await this.sent(request, asker, cancel);
      if (ending.kind === "stopped") return asker.reasonOf(ending);
      const { outcome, outputText } = withoutOutput(ending.outcome);
      for (let start = 0; start < outputText.length; start += partLength) {
        const text = outputText.slice(start, start + partLength);
        await link.sendNotification(outputPart, { call, text });
      }
      // Leave out the sender, since it includes the Project Key.
      const { record, waitSeconds } = ending;
      return { kind: "sent", outcome, record, waitSeconds };
    } finally {
      shown?.end();
    }
  }

  private show(record: InvocationRecord, cancel: AbortController): StartedInvocation {
    const { id, skillSlug, version } = record;
    const uri = vscode.Uri.from({ scheme: "skill-command", path: `/${id}` });
    const shown = this.parts.running.start(uri, addressText(skillSlug, version), cancel);
    shown.record(record);
    return shown;
  }

  private async sent(
    { wanted, series: number, payload: given }: InvokeRequest,
    asker: CommandAsker,
    { signal }: AbortController,
  ): Promise<Ending> {
    if (number !== undefined) {
      const batch = this.batches.get(number);
      if (batch === undefined) return stopped("canceled");
      return batch.all.invoke(
        this.payloadOf(given, batch.environment, signal),
        signal,
        asker.asker,
      );
    }
    const environment = await this.environmentOf(given);
    const payload = this.payloadOf(given, environment, signal);
    const ready = await this.ready(wanted, environment, asker);
    if ("stop" in ready) return ready;
    return this.parts.engine.invoke(ready, payload, asker.asker, signal);
  }

  /** Prepares an invocation. First asks whether commands may invoke the skill, since no gate asks that. */
  private async ready(
    wanted: CommandInvocation,
    environment: PayloadEnvironment,
    asker: CommandAsker,
  ): Promise<InvocationRequest<ConnectedRegistry> | Stopped> {
    const { connection, allowedSkills, version } = this.parts;
    const registry = await currentRegistry(connection);
    // The command, and the person who typed it, rely on the registry and environment that this window named at the
    // start.
    const isThere =
      registry !== undefined &&
      registryName(registry) === wanted.registry &&
      this.parts.environments.place.environment === wanted.environment;
    if (!isThere) return stopped("registryChanged");
    const read = await this.skillOf(wanted);
    if (!read.ok) return stopped({ kind: "termsUnknown", failure: read.failure });
    const skill = read.value;
    const name = addressText(skill.summary.slug, skill.summary.version);
    const known = `${registryName(registry)} ${name}`;
    if (!needsConsent(skill, registry.isBuiltIn) && !allowedSkills.has(known)) {
      if (!(await asker.allowsSkill(name, () => allowedSkills.has(known))))
        return stopped("canceled");
      allowedSkills.add(known);
    }
    const { command, isTestRun, isWaitedFor, isNumberChosen } = wanted;
    const { count, maxCents, allowedCents } = wanted;
    if (allowedCents !== undefined) this.allowance ??= new Allowance(allowedCents);
    const kind = command === "test" ? "test" : "commandLine";
    return {
      environment: environmentName(environment),
      ...{ registry, skill, isTestRun, isWaitedFor, isNumberChosen },
      caller: { kind, name: `skill-registry ${command}`, version },
      // The user's agreement for their own invocations does not cover those of a program.
      asksTerms: true,
      ...(count !== undefined && { count }),
      ...(maxCents !== undefined && { maxCents }),
      perMinute: async () => this.paces.get(paceName(wanted)),
      ...(this.allowance !== undefined && { allowance: this.allowance }),
    };
  }

  /** Returns a skill as this window knows it. The gates read it again before they decide. */
  private skillOf({ slug, version }: SkillRequest): Promise<Result<SkillDetail>> {
    return this.parts.details.find(slug, version === "" ? undefined : version);
  }

  private environmentOf({ folder }: { readonly folder: string }): Promise<PayloadEnvironment> {
    return this.parts.environments.of(vscode.Uri.file(folder));
  }

  private payloadOf(
    { text, source, caseValues = {} }: PayloadOfCommand,
    own: PayloadEnvironment,
    signal: AbortSignal,
  ): SentPayload {
    const { checks } = this.parts;
    const environment = withCaseValues(own, text, new Map(Object.entries(caseValues)));
    const resolution = resolvePayload(text, environment, hostLanguage());
    return {
      // If a placeholder has no value, the check reports it, and nothing is sent.
      ...(resolution.ok ? resolution.value : { text }),
      source,
      check: (skill) => checks.checkResolution(resolution, inputSchemaOf(skill), signal),
    };
  }

  private askerFor(
    { wanted, call = 0, text }: Pick<InvokeRequest, "wanted"> & { call?: number; text: string },
    cancel: AbortController,
    started: (record: InvocationRecord) => Promise<void>,
  ): CommandAsker {
    const { gate, openSkill } = this.parts;
    const { link } = this;
    return new CommandAsker(wanted, gate, {
      ...{ openSkill, text, cancel, started },
      asking: () => void link.sendNotification(asking, { skill: wanted.slug }),
      wait: (question) => link.sendRequest(wait, { call, question }),
    });
  }
}

function paceName({ slug, version }: SkillRequest): string {
  return addressText(slug, version);
}
