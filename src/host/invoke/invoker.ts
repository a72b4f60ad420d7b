import * as vscode from "vscode";
import { contractHash } from "../../core/invocation/contractHash";
import { alreadyRunningNotice, registryChangedNotice } from "../../core/invocation/gateNotices";
import type { Invocation } from "../../core/invocation/invocation";
import type { InvocationRecord } from "../../core/invocation/invocationRecord";
import type { SkillDetail } from "../../core/skill/skill";
import type { SpendingLedger } from "../audit/spendingLedger";
import type { PayloadChecks } from "../author/payloadChecks";
import { showDocument } from "../author/payloadDocument";
import { askForProjectKey } from "../connect/askForProjectKey";
import type { ProjectKeys } from "../connect/projectKeys";
import {
  type ConnectedRegistry,
  type RegistryConnection,
  registryName,
} from "../connect/registryConnection";
import { hostLanguage } from "../words/hostLanguage";
import { present, presentNoConnection } from "../words/present";
import { type CallGates, passGates } from "./callGates";
import { withCountdown, withWaiting } from "./callProgress";
import { DocumentNames } from "./documentNames";
import { lockIntent } from "./intentLock";
import { JoinedTriggers } from "./joinedTriggers";
import { preparePayload } from "./preparePayload";
import type { RateClocks } from "./rateClocks";
import { type CallTraces, latestEnd, sendInvocation } from "./sendInvocation";
import { sha256 } from "./sha256";
import { tellHeld, tellOutcome } from "./tellOutcome";

/** What calling needs, and what its notices can open. */
export interface InvokerParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly checks: PayloadChecks;
  readonly gates: CallGates;
  readonly clocks: RateClocks;
  readonly ledger: SpendingLedger;
  readonly traces: CallTraces;
  /** Where calls are claimed among windows. */
  readonly lockFolder: string;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly openRecord: (record: InvocationRecord) => Promise<void>;
}

/** A call whose input was checked, and where it came from. */
export interface CheckedCall {
  readonly skill: SkillDetail;
  readonly call: Invocation;
  /** The registry the skill was read from, and the only one it is called at. */
  readonly baseUrl: string;
  /** Names where the call was started: triggers from there join it. */
  readonly source: string;
  readonly showInput: () => Promise<unknown>;
}

/**
 * The one path of every call: checked input → can it run → consent → cost → key → rate clock → one
 * call per intent → send → record → show. Triggers of a call that is under way join it.
 */
export class Invoker {
  private readonly triggers = new JoinedTriggers();
  private readonly names = new DocumentNames();

  constructor(private readonly parts: InvokerParts) {}

  /** Calls the skill a document is bound to with the document's text. Resolves when all is told. */
  invoke(document: vscode.TextDocument): Promise<void> {
    return this.invokeText(document, false);
  }

  /**
   * Calls with a document's text what `record` names once more, however soon after that call. A
   * double click is one call.
   */
  invokeAgain(document: vscode.TextDocument, record: InvocationRecord): Promise<void> {
    return this.triggers.run(record.id, "", () => this.invokeText(document, true));
  }

  private invokeText(document: vscode.TextDocument, again: boolean): Promise<void> {
    const source = this.names.nameOf(document);
    const work = async () => {
      const registry = await this.connect();
      if (registry === undefined) return;
      const prepared = await preparePayload(this.parts.checks, document, () =>
        this.parts.keys.find(registry),
      );
      if (prepared === undefined) return;
      const { skill, inputText } = prepared;
      const { slug: skillSlug, version } = skill.summary;
      const call = { skillSlug, version, inputText };
      const { baseUrl } = registry;
      const showInput = () => showDocument(document);
      await this.send({ skill, call, baseUrl, source, showInput }, again);
    };
    return this.triggers.run(source, document.getText(), work, again);
  }

  /** Calls again what was checked before; joins a call from the same source that is under way. */
  private again(checked: CheckedCall, twice = false): Promise<void> {
    const { source, call } = checked;
    return this.triggers.run(source, call.inputText, () => this.send(checked, twice), true);
  }

  private waitAndSend(checked: CheckedCall, seconds: number): Promise<void> {
    const { source, call } = checked;
    const title = vscode.l10n.t("{0} is sent when it is allowed", call.skillSlug);
    const work = async () => {
      if (await withCountdown(title, seconds)) await this.send(checked);
    };
    return this.triggers.run(source, call.inputText, work, true);
  }

  private async send(checked: CheckedCall, twice = false): Promise<void> {
    const { skill, call } = checked;
    const registry = await this.connect();
    if (registry === undefined) return;
    if (registry.baseUrl !== checked.baseUrl) return tellRegistryChanged(call);
    if (!(await passGates(this.parts.gates, registry, skill, this.parts.openSkill))) return;
    const key = await this.findKey(registry);
    if (key === undefined) return;
    const name = registryName(registry);
    const seconds = await this.parts.clocks.holdSeconds(name, call);
    if (seconds > 0) return this.tellHeld(checked, seconds);
    const claim = await lockIntent(this.parts.lockFolder, name, call, latestEnd(Date.now()));
    if (claim.kind === "held" && !twice) {
      const sendAgain = () => this.again(checked, true);
      void present(alreadyRunningNotice(call.skillSlug, hostLanguage()), { sendAgain });
      return;
    }
    try {
      // The settings may have changed while the user was asked: the answers were for this registry.
      const current = await this.parts.connection.current();
      const isSame = current.ok && current.registry.baseUrl === checked.baseUrl;
      if (isSame) await this.sendNow(checked, current.registry, key);
      else tellRegistryChanged(call);
    } finally {
      if (claim.kind === "taken") await claim.release();
    }
  }

  private async sendNow(
    checked: CheckedCall,
    registry: ConnectedRegistry,
    key: string,
  ): Promise<void> {
    const { skill, call } = checked;
    const { clocks, ledger, connection, keys, traces, openSkill, openRecord } = this.parts;
    const name = registryName(registry);
    const ready = { registry, call, key, contractHash: contractHash(skill, sha256) };
    const { outcome, record } = await connection.use(registry, async () => {
      await clocks.noteSent(name, call);
      return sendInvocation(ready, traces);
    });
    await clocks.noteOutcome(name, call, outcome);
    await ledger.add(record);
    keys.noteAnswer(registry, key, outcome);
    tellOutcome(outcome, record, {
      registry,
      openSkill: () => openSkill(call.skillSlug),
      showInput: checked.showInput,
      showRecord: () => openRecord(record),
      sendAgain: () => this.again(checked),
      sendWhenAllowed: (seconds) => this.waitAndSend(checked, seconds),
      setProjectKey: async () => {
        const fresh = await askForProjectKey(keys, registry);
        if (fresh !== undefined) await this.again(checked);
      },
    });
  }

  private async connect(): Promise<ConnectedRegistry | undefined> {
    const connection = await withWaiting(
      vscode.l10n.t("Connecting"),
      this.parts.connection.current(),
    );
    if (connection?.ok === false) void presentNoConnection(connection.problem);
    return connection?.ok ? connection.registry : undefined;
  }

  private async findKey(registry: ConnectedRegistry): Promise<string | undefined> {
    const { keys } = this.parts;
    const found = await withWaiting(
      vscode.l10n.t("Reading the Project Key"),
      keys.find(registry).then((key) => ({ key })),
    );
    if (found === undefined) return undefined;
    return found.key ?? askForProjectKey(keys, registry);
  }

  private tellHeld(checked: CheckedCall, seconds: number): void {
    tellHeld(checked.call.skillSlug, seconds, (wait) => this.waitAndSend(checked, wait));
  }
}

function tellRegistryChanged({ skillSlug }: Invocation): void {
  void present(registryChangedNotice(skillSlug, hostLanguage()));
}
