import type { SkillRun } from "../skillRun";

interface Input {
  readonly secrets: readonly string[];
  readonly dryRun?: boolean;
}

/** Returns the versions that secrets would get. As a sample, it connects to no vault and notifies nobody. */
export const run: SkillRun<Input> = ({ secrets, dryRun = true }) => ({
  rotated: secrets.map((name) => ({ name, newVersion: Math.max(1, name.length - 3) })),
  dryRun,
});
