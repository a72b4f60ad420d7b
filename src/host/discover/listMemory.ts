import type * as vscode from "vscode";
import {
  type FilterSet,
  readFilterSets,
  readListing,
  type SkillListing,
  writeFilterSets,
  writeListing,
} from "../../core/skillList/skillListing";
import {
  type MarkedSkill,
  readMarks,
  type SkillMark,
  type SkillMarks,
  withMark,
} from "../../core/skillList/skillRows";

/** The methods of the editor's memento that are used. */
export type Memory = Pick<vscode.Memento, "get" | "update">;

const listingKey = "discover.listing";
const setsKey = "discover.filterSets";
const marksKey = "discover.marks";

/**
 * Remembers over restarts the listing of the Skills view (for each workspace), and filter sets, favorites and
 * hidden skills (for the user). Always reads again, since other windows write as well.
 */
export class ListMemory {
  constructor(
    private readonly workspace: Memory,
    private readonly user: Memory,
  ) {}

  get listing(): SkillListing {
    return readListing(this.workspace.get(listingKey));
  }

  async keepListing(listing: SkillListing): Promise<void> {
    await this.workspace.update(listingKey, writeListing(listing));
  }

  get filterSets(): readonly FilterSet[] {
    return readFilterSets(this.user.get(setsKey));
  }

  async keepFilterSets(sets: readonly FilterSet[]): Promise<void> {
    await this.user.update(setsKey, writeFilterSets(sets));
  }

  /** Returns the marks made in a registry, by its base address; empty for the built-in one. */
  marks(registry: string): SkillMarks {
    return readMarks(this.user.get(`${marksKey}:${registry}`));
  }

  async setMark(
    registry: string,
    mark: SkillMark,
    skills: readonly MarkedSkill[],
    isSet: boolean,
  ): Promise<void> {
    const marks = withMark(this.marks(registry), mark, skills, isSet);
    await this.user.update(`${marksKey}:${registry}`, marks);
  }
}
