import { after, before } from "mocha";
import { startDriftingRegistry } from "./driftingRegistry";
import { cliFolder } from "./runTestCli";

/** Runs commands in a folder of their own at a registry whose skills change. */
export function driftingCli() {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
  });
  after(() => registry.close());
  const run = (...args: string[]) => folder.run([...args, "--registry", registry.url]);
  return {
    folder,
    get registry() {
      return registry;
    },
    run,
  };
}
