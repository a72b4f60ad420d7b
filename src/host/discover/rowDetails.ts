import { isSameVersion } from "../../core/skill/isNewerVersion";
import type { OwnDetail } from "../../core/skill/mergeSkill";
import { withPermissions } from "../../core/skill/permissions";
import type { SkillSummary } from "../../core/skill/skill";
import { ChangeEvent } from "../../engine/changeEvent";
import type { RegistryConnection } from "../connect/registryConnection";
import { Owner } from "../ui/owner";

/** The maximum number of rows with cached details. Beyond it, the oldest are read again. */
const maxKnown = 2000;

/** Details that a row may lack. Absent if its skill lacks them too. */
type KnownDetails = Pick<SkillSummary, "permissions" | "author">;

/** Completes rows with permissions and author from every skill that was read in full. */
export class RowDetails extends Owner {
  private known = new Map<string, KnownDetails>();
  private readonly completed = new WeakMap<
    SkillSummary,
    { from: KnownDetails; skill: SkillSummary }
  >();
  private readonly changed = this.own(new ChangeEvent<void>());

  /** Fires when permissions turn out to exceed the level that a registry states. */
  readonly onDidChange = this.changed.event;

  constructor(connection: Pick<RegistryConnection, "onDidChange">) {
    super();
    this.own(connection.onDidChange(() => this.forget()));
  }

  /** Completes a row from known details, without a request. Returns the same object for the same row. */
  complete(skill: SkillSummary): SkillSummary {
    const from = this.known.get(nameOf(skill));
    if (from === undefined) return skill;
    const before = this.completed.get(skill);
    if (before?.from === from) return before.skill;
    const { permissions = skill.permissions, author = skill.author } = from;
    const named = author === undefined ? skill : { ...skill, author };
    const complete = permissions === undefined ? named : withPermissions(named, permissions);
    this.completed.set(skill, { from, skill: complete });
    return complete;
  }

  /**
   * Stores a skill's details for its own version. Stores them for its row too, unless the row is of another version.
   */
  learn(row: SkillSummary, own: Pick<OwnDetail, "permissions" | "author" | "summary">): void {
    const { author, permissions } = own;
    const { version } = own.summary;
    const known: KnownDetails = {
      ...(permissions !== undefined && { permissions }),
      ...(author !== undefined && { author }),
    };
    const isOfRow = version === "" || row.version === "" || isSameVersion(version, row.version);
    const names = new Set([nameOf(own.summary), nameOf(isOfRow ? row : own.summary)]);
    const isNew = !this.known.has(nameOf(row));
    for (const name of names) {
      this.known.delete(name);
      this.known.set(name, known);
    }
    for (const oldest of this.known.keys()) {
      if (this.known.size <= maxKnown) break;
      this.known.delete(oldest);
    }
    if (isNew && this.complete(row).understatedLevel !== undefined) this.changed.fire();
  }

  /** Clears the details, since a registry's data may have changed. */
  forget(): void {
    this.known = new Map();
  }
}

function nameOf({ slug, version }: SkillSummary): string {
  return `${slug}@${version}`;
}
