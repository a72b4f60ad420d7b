import * as vscode from "vscode";
import type { MarkedSkill, SkillMark, SkillMarks } from "../../core/skill/skillMarks";
import type { ListMemory } from "./listMemory";

/** Keeps favourites and hidden skills, and knows whether hidden ones are shown in this window. */
export class SkillMarking {
  private readonly changed = new vscode.EventEmitter<void>();
  private isShowing = false;

  /** Fires when a mark was set or taken, and when hidden skills are shown or no longer. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: ListMemory) {}

  get showsHidden(): boolean {
    return this.isShowing;
  }

  /** Answers the marks made in a registry. */
  marks(registry: string): SkillMarks {
    return this.memory.marks(registry);
  }

  async set(registry: string, mark: SkillMark, skill: MarkedSkill, isSet: boolean): Promise<void> {
    await this.memory.setMark(registry, mark, skill, isSet);
    this.changed.fire();
  }

  showHidden(isShown: boolean): void {
    this.isShowing = isShown;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
