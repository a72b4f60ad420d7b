import * as vscode from "vscode";
import { type Attention, attentionBadge, attentionOf } from "../../../core/project/updateInbox";
import { commandIds } from "../../ids";
import type { SkillFiles } from "../../skillFiles";
import { hostLanguage } from "../../ui/hostLanguage";
import { offer, warn } from "../../ui/messages";
import { Owner } from "../../ui/owner";
import { type Memory, StoredValue } from "../../ui/stored";
import type { CurrentProject } from "../currentProject";

/** The maximum number of incidents that are remembered as shown. */
const maxShownIncidents = 200;

/**
 * Marks the Project view if a skill with files in the workspace has an incident, is blocked or can be updated. Shows
 * each incident of a skill with a payload once. Searches nothing before a project is known.
 */
export class ProjectAttention extends Owner {
  private readonly shownIncidents: StoredValue<readonly string[]>;

  constructor(
    private readonly project: CurrentProject,
    private readonly files: SkillFiles,
    memory: Memory,
    private readonly show: (badge: vscode.ViewBadge | undefined) => void,
  ) {
    super();
    this.shownIncidents = new StoredValue<readonly string[]>(memory, "toldIncidents", (kept) =>
      Array.isArray(kept)
        ? kept.filter((item) => typeof item === "string").slice(-maxShownIncidents)
        : [],
    );
    this.own(
      project.onDidChange(() => this.refresh()),
      files.onDidChange(() => this.refresh()),
    );
    this.refresh();
  }

  private refresh(): void {
    const { state } = this.project;
    if (state.kind !== "project") {
      this.show(undefined);
      return;
    }
    const found = attentionOf({
      skills: state.detail.skills,
      updates: this.project.openUpdates(),
      isBlocked: (slug) => this.isBlocked(slug),
      files: this.files.known,
    });
    this.show(attentionBadge(found, hostLanguage()));
    void this.tell(state.registry, found);
  }

  /** Returns whether a skill is blocked. A rate limit does not count, since it ends by itself. */
  private isBlocked(slug: string): boolean {
    const answer = this.project.predictionOf(slug)?.prediction;
    return answer?.kind === "blocked" && answer.code !== "rate_limit_exceeded";
  }

  private async tell(registry: string, { incidentsToReport: incidents }: Attention): Promise<void> {
    const known = this.shownIncidents.get();
    const fresh = incidents.filter(({ id }) => !known.includes(`${registry} ${id}`));
    if (fresh.length === 0) return;
    const names = fresh.map(({ id }) => `${registry} ${id}`);
    await this.shownIncidents.set([...known, ...names].slice(-maxShownIncidents));
    const [{ slug, title }, ...others] = fresh as [(typeof fresh)[0], ...typeof fresh];
    const text =
      others.length === 0
        ? vscode.l10n.t("Incident of {0}: {1}", slug, title)
        : vscode.l10n.t(
            "Incidents of {0} skills with payloads here, such as {1}: {2}",
            fresh.length,
            slug,
            title,
          );
    const open = () => vscode.commands.executeCommand(commandIds.openSkill, slug);
    await offer(text, vscode.l10n.t("Open Skill"), open, warn);
  }
}
