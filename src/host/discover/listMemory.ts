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
} from "../../core/skillList/skillMarks";
import { type Memory, StoredValue } from "../ui/stored";

/**
 * Stores the arrangement of the Skills view (per workspace), and filter sets, favorites and hidden skills (per user).
 */
export class ListMemory {
  readonly listing: StoredValue<SkillListing>;
  readonly filterSets: StoredValue<readonly FilterSet[]>;

  constructor(
    workspace: Memory,
    private readonly user: Memory,
  ) {
    this.listing = new StoredValue(workspace, "discover.listing", readListing, writeListing);
    this.filterSets = new StoredValue(user, "discover.filterSets", readFilterSets, writeFilterSets);
  }

  /** Returns the marks made in a registry, by its base address; empty for the built-in one. */
  marks(registry: string): SkillMarks {
    return this.marksOf(registry).get();
  }

  async setMark(
    registry: string,
    mark: SkillMark,
    skills: readonly MarkedSkill[],
    isSet: boolean,
  ): Promise<void> {
    const marks = withMark(this.marks(registry), mark, skills, isSet);
    await this.marksOf(registry).set(marks);
  }

  private marksOf(registry: string): StoredValue<SkillMarks> {
    return new StoredValue(this.user, `discover.marks:${registry}`, readMarks);
  }
}
