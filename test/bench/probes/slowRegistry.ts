// A registry whose invocations take 50 ms each, in a process of its own: sends its address, and ends with its parent.
import { startCountingRegistry } from "../../unit/cli/countingRegistry";

void startCountingRegistry().then((registry) => {
  registry.describe({ takesMs: 50 });
  process.send?.(registry.url);
  process.once("disconnect", () => process.exit());
});
