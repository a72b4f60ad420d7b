import * as vscode from "vscode";
import { endWords } from "../../core/endWords";
import type { Invocation, InvocationOutcome } from "../../core/invocation";
import type { InvocationRecord } from "../../core/invocationRecord";
import { outcomeNotice } from "../../core/outcomeNotice";
import { labelText } from "../../core/plainText";
import type { PayloadChecks } from "../author/payloadChecks";
import { showDocument } from "../author/payloadDocument";
import { askForProjectKey } from "../connect/askForProjectKey";
import type { ProjectKeys } from "../connect/projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { present, presentNoConnection, type StepEffects } from "../words/present";
import { withCountdown } from "./callProgress";
import { preparePayload } from "./preparePayload";
import { type CallTraces, sendInvocation } from "./sendInvocation";

const statusMessageMs = 10_000;

/** What calling needs, and what its notices can open. */
export interface InvokerParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly checks: PayloadChecks;
  readonly traces: CallTraces;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly openRecord: (record: InvocationRecord) => Promise<void>;
}

/**
 * The one path of every call: check the input, find the registry and its key, send once, record,
 * show. While a document's call runs, calling it again joins the running call.
 */
export class Invoker {
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly parts: InvokerParts) {}

  /** Calls the skill a document is bound to with the document's text. Resolves when all is told. */
  invoke(document: vscode.TextDocument): Promise<void> {
    const name = document.uri.toString();
    const running = this.running.get(name) ?? this.start(document);
    this.running.set(name, running);
    const end = () => this.running.delete(name);
    running.then(end, end);
    return running;
  }

  /** Sends a call whose input was checked before, as it is. `showInput` opens that input. */
  async send(call: Invocation, showInput: () => Promise<unknown>): Promise<void> {
    const connection = await this.parts.connection.current();
    if (!connection.ok) {
      void presentNoConnection(connection.problem);
      return;
    }
    const { registry } = connection;
    const key =
      (await this.parts.keys.find(registry)) ?? (await askForProjectKey(this.parts.keys, registry));
    if (key === undefined) return;
    const { outcome, record } = await sendInvocation(registry, call, key, this.parts.traces);
    this.tell(registry, call, outcome, record, showInput);
  }

  private async start(document: vscode.TextDocument): Promise<void> {
    const prepared = await preparePayload(this.parts.checks, document, async () => {
        const current = await this.parts.connection.current();
        return current.ok ? this.parts.keys.find(current.registry) : undefined;
      });
    if (prepared === undefined) return;
    const { skill, inputText } = prepared;
    const { slug, version } = skill.summary;
    await this.send({ skillSlug: slug, version, inputText }, () => showDocument(document));
  }

  private tell(
    registry: ConnectedRegistry,
    call: Invocation,
    outcome: InvocationOutcome,
    record: InvocationRecord,
    showInput: () => Promise<unknown>,
  ): void {
    const notice = outcomeNotice(call.skillSlug, outcome);
    if (notice === undefined) {
      vscode.window.setStatusBarMessage(labelText(endWords(record), 200), statusMessageMs);
      return;
    }
    const again = () => this.send(call, showInput);
    const effects: StepEffects = {
      openSkill: () => this.parts.openSkill(call.skillSlug),
      showInput,
      showRecord: () => this.parts.openRecord(record),
      sendAgain: again,
      sendWhenAllowed: () => this.wait(call, outcome, again),
      setProjectKey: async () => {
        const key = await askForProjectKey(this.parts.keys, registry);
        if (key !== undefined) await again();
      },
    };
    void present(notice, effects);
  }

  private async wait(
    call: Invocation,
    outcome: InvocationOutcome,
    again: () => Promise<void>,
  ): Promise<void> {
    const seconds = (outcome.kind === "refused" && outcome.retryAfterSeconds) || 60;
    if (await withCountdown(`${call.skillSlug} is sent when it is allowed`, seconds)) await again();
  }
}
