import { parseUrl } from "../../../core/text/parseUrl";
import { SkillFailure, type SkillRun } from "../skillRun";

/** Always fails, without sending a request. */
export const run: SkillRun<{ readonly url: string; readonly attempts?: number }> = ({
  url,
  attempts = 3,
}) => {
  const host = parseUrl(url)?.host ?? url;
  const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
  throw new SkillFailure(`${host} gave no answer after ${tries}.`);
};
