import { changeText } from "../payload/versionNews";
import { mergeSkill, type OwnDetail } from "../registry/mergeSkill";
import { describeChanges } from "../skill/compare/describeChanges";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";
import type { OpenUpdate } from "./project";

/** What adopting an update changes for those who invoke the skill. */
export interface UpdateDifference {
  /** A line each; what may break a caller or gives the skill more power comes first. */
  readonly changes: readonly { readonly text: string; readonly needsLook: boolean }[];
  /** Says in a sentence how much is known. */
  readonly note: string;
}

/**
 * Compares the version a project has pinned with the one an update is for. `offered` is what the
 * registry shows publicly, which may be another version: then nothing is known.
 */
export function updateDifference(
  pinned: OwnDetail | undefined,
  offered: SkillDetail | undefined,
  targetVersion: string,
  language: Language,
): UpdateDifference {
  const { t } = language;
  if (pinned === undefined || offered === undefined) {
    return {
      changes: [],
      note: t("What changes is not known: the registry gave only one version."),
    };
  }
  const { version } = offered.summary;
  if (version !== targetVersion) {
    const values = { version: targetVersion, given: version };
    const note = t("What changes is not known: the registry shows {given}, not {version}.", values);
    return { changes: [], note };
  }
  const none = { row: undefined, prices: undefined, feedback: undefined, publisher: undefined };
  const before = asPublished(mergeSkill({ own: pinned, ...none }));
  const { groups, summary } = describeChanges(before, asPublished(offered), language);
  const changes = groups.flatMap((group) =>
    group.changes.map((change) => ({
      text: `${group.title}: ${changeText(change)}`,
      needsLook: change.needsLook,
    })),
  );
  return {
    changes: [...changes].sort((one, other) => Number(other.needsLook) - Number(one.needsLook)),
    note: summary,
  };
}

/** What a project sees of its own version and the public does not is no difference between the two. */
function asPublished(skill: SkillDetail): SkillDetail {
  const { runtime, permissions, prices: _, ...rest } = skill;
  return {
    ...rest,
    prices: undefined,
    runtime: runtime && { type: runtime.type },
    permissions: permissions && { ...permissions, secretNames: [] },
  };
}

/** Lists the updates that can be adopted: those to another version. */
export function adoptable(updates: readonly OpenUpdate[]): readonly OpenUpdate[] {
  return updates.filter(({ targetVersion }) => targetVersion !== undefined);
}
