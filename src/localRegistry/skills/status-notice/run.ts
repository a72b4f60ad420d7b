import type { SkillRun } from "../skillRun";

interface Input {
  readonly service: string;
  readonly state: "investigating" | "identified" | "resolved";
  readonly message: string;
}

/** Writes a notice for a status page. As a sample, it posts the notice nowhere. */
export const run: SkillRun<Input> = ({ service, state, message }, { now }) => ({
  notice: `${service}: ${state}. ${message}`,
  postedAt: new Date(now()).toISOString(),
});
