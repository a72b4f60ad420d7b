import * as vscode from "vscode";
import {
  type AgentAgreement,
  type AgentSettings,
  agreementInForce,
  noAgentSettings,
} from "../../core/agents/agentAgreements";
import { type AgentNote, agentNote } from "../../core/agents/agentNote";
import { type RegistryIdentity, registryName } from "../../core/registry/registryName";
import { utcDay } from "../../core/text/dates";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";

/** Caches which skills agents may invoke, so that rows do not wait for the settings. */
export class AllowedSkills extends Owner {
  private settings: AgentSettings = noAgentSettings;
  private readonly changed = this.own(new vscode.EventEmitter<void>());

  /** Fires when the cached settings changed. */
  readonly onDidChange = this.changed.event;

  /** Caches settings that were read. */
  note(settings: AgentSettings): void {
    const isSame = JSON.stringify(settings) === JSON.stringify(this.settings);
    this.settings = settings;
    if (!isSame) this.changed.fire();
  }

  /**
   * Returns the agreement by which agents may invoke a skill; undefined if they may not. `baseUrl` is empty for the
   * built-in registry.
   */
  ofRow(baseUrl: string, slug: string): AgentAgreement | undefined {
    const { settings } = this;
    if (settings.skills.length === 0 || !readSettings().agentsEnabled) return undefined;
    const registry = registryName({ isBuiltIn: baseUrl === "", baseUrl });
    return agreementInForce(settings, registry, slug, utcDay(Date.now()));
  }

  /** Describes the agreement about a skill at a registry; undefined without one. */
  noteOn(registry: RegistryIdentity, slug: string): AgentNote | undefined {
    const today = utcDay(Date.now());
    return agentNote(this.settings, registryName(registry), slug, today, hostLanguage());
  }
}
