import type { SkillRun } from "../skillRun";

interface Input {
  readonly service: string;
  readonly state: "investigating" | "identified" | "resolved";
  readonly message: string;
}

/** Words a notice for a status page. As a sample it posts it nowhere. */
export const run: SkillRun<Input> = ({ service, state, message }, { now }) => ({
  notice: `${service}: ${state}. ${message}`,
  postedAt: new Date(now()).toISOString(),
});
