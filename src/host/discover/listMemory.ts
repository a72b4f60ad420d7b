import {
  type Favorite,
  readFavorites,
  withFavorites,
  writeFavorites,
} from "../../core/skillList/favorites";
import {
  type FilterSet,
  readFilterSets,
  readListing,
  type SkillListing,
  writeFilterSets,
  writeListing,
} from "../../core/skillList/skillListing";
import { type Memory, StoredValue } from "../ui/stored";

/** Stores the arrangement of the Skills view (per workspace), and filter sets and favorites (per user). */
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

  /** Returns the favorites of a registry, by its base address; empty for the built-in one. */
  favorites(registry: string): readonly Favorite[] {
    return this.favoritesOf(registry).get();
  }

  async setFavorites(
    registry: string,
    skills: readonly Favorite[],
    isFavorite: boolean,
  ): Promise<void> {
    await this.favoritesOf(registry).set(
      withFavorites(this.favorites(registry), skills, isFavorite),
    );
  }

  private favoritesOf(registry: string): StoredValue<readonly Favorite[]> {
    const key = `discover.marks:${registry}`;
    return new StoredValue(this.user, key, readFavorites, writeFavorites);
  }
}
