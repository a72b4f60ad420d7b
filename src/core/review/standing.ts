import type { Language } from "../text/language";
import type { Drift } from "./drift";
import type { SkillStanding } from "./skillStanding";

/** Names a standing in one word, for rows and pages. */
export type StandingName = "reviewed" | "unreviewed" | "drifted" | "unknown";

/** Summarizes a standing: `unreviewed` if only a review is missing. */
export function standingName({ drift, notKnown }: SkillStanding): StandingName {
  if (drift.length > 0) {
    const isMissing = ({ kind }: Drift) => kind === "unreviewed" || kind === "other-registry";
    return drift.every(isMissing) ? "unreviewed" : "drifted";
  }
  return notKnown.length > 0 ? "unknown" : "reviewed";
}

/**
 * The standing of a version in all folders together. Each folder can object, and no folder can override an objection.
 */
export interface TeamStanding extends SkillStanding {
  readonly broken: readonly string[];
}

/** Names the standing in all folders. A broken file makes a good standing unknown, since its reviews cannot be read. */
export function teamStandingName(standing: TeamStanding): StandingName {
  const name = standingName(standing);
  return name === "reviewed" && standing.broken.length > 0 ? "unknown" : name;
}

/** Names a standing in a word or two. */
export function standingLabel(name: StandingName, { t }: Language): string {
  switch (name) {
    case "reviewed":
      return t("Reviewed");
    case "unreviewed":
      return t("Not reviewed");
    case "drifted":
      return t("Not as reviewed");
    case "unknown":
      return t("Not known");
  }
}
