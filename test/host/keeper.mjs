// Ends processes whose owner has died. Reads "hold 123" and "drop 123" lines from its owner; when
// the owner's end of the pipe closes, for whatever reason, every group still held is killed.
import { createInterface } from "node:readline";

const held = new Set();
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [order, group] = line.split(" ");
  if (order === "hold") held.add(Number(group));
  else held.delete(Number(group));
});
lines.on("close", () => {
  for (const group of held) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
});
