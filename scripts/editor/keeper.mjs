// Cleans up after an owner that may be killed. Reads lines from it: "hold 123" and "drop 123" for process groups,
// "remove /path" for folders. When the owner's end of the pipe closes for any reason, the held groups are killed and
// the folders removed.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

const groups = new Set();
const folders = [];
const orders = {
  hold: (group) => groups.add(Number(group)),
  drop: (group) => groups.delete(Number(group)),
  remove: (folder) => folders.push(folder),
};
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const space = line.indexOf(" ");
  orders[line.slice(0, space)]?.(line.slice(space + 1));
});
lines.on("close", () => {
  for (const group of groups) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
