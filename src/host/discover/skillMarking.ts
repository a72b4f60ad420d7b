import * as vscode from "vscode";
import type { MarkedSkill, SkillMark, SkillMarks } from "../../core/skillList/row/skillMarks";
import type { ListMemory } from "./listMemory";

/** Keeps favorites and hidden skills, and knows whether hidden ones are shown in this window. */
export class SkillMarking {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Registry → its marks as they were last read, as text. */
  private readonly known = new Map<string, string>();
  private isShowing = false;

  /** Fires when a mark was set or taken, and when hidden skills are shown or no longer. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: ListMemory) {}

  get showsHidden(): boolean {
    return this.isShowing;
  }

  /** Answers the marks made in a registry. */
  marks(registry: string): SkillMarks {
    const marks = this.memory.marks(registry);
    this.known.set(registry, JSON.stringify(marks));
    return marks;
  }

  async set(
    registry: string,
    mark: SkillMark,
    skills: readonly MarkedSkill[],
    isSet: boolean,
  ): Promise<void> {
    await this.memory.setMark(registry, mark, skills, isSet);
    this.changed.fire();
  }

  /** Takes in what another window has marked meanwhile, of which the editor tells nobody. */
  lookAgain(): void {
    const isChanged = ([registry, marks]: readonly [string, string]) =>
      JSON.stringify(this.memory.marks(registry)) !== marks;
    if ([...this.known].some(isChanged)) this.changed.fire();
  }

  showHidden(isShown: boolean): void {
    this.isShowing = isShown;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
