import { rm, writeFile } from "node:fs/promises";
import { after, before } from "mocha";
import { type CountingRegistry, startCountingRegistry } from "../../countingRegistry";
import { movableClock } from "../../movableClock";
import { cliFolder } from "../../runTestCli";

/** Returns the text of a file with this number of lines. */
export const inputs = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ text: `line ${index + 1}` })}\n`,
  ).join("");

/** Returns the last line of a run's output, below its table. */
export const summaryOf = (out: string) => out.trimEnd().split("\n").at(-1);

/** The environment variables of a command that invokes. */
export const env = { SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789" };

/** Runs files of lines at a registry that counts what it gets. */
export function useRuns() {
  const folder = cliFolder();
  const clock = movableClock();
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
  });
  after(() => registry.close());
  /** One job, unless `args` say otherwise. */
  const run = (...args: string[]) => {
    const jobs = args.some((one) => ["--jobs", "--check-only"].includes(one))
      ? []
      : ["--jobs", "1"];
    const given = ["run", ...args, "--registry", registry.url, "--yes", ...jobs];
    const heard = jobs.length > 0 ? clock.hear : undefined;
    return folder.run(given, env, undefined, "", heard);
  };
  /** Deletes what the machine knows about the rate limit. */
  const forgetHolds = () => rm(folder.path("machine"), { recursive: true, force: true });
  const write = async (name: string, text: string) => {
    await forgetHolds();
    await writeFile(folder.path(name), text);
    await rm(folder.path(`${name}.journal`), { force: true });
    registry.forget();
  };
  return {
    folder,
    clock,
    get registry() {
      return registry;
    },
    run,
    forgetHolds,
    write,
  };
}
