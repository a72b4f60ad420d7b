import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";
import { root } from "../editor/paths.mjs";
import { isAtLeast, oldestNode, packagedNode } from "./packagedNode.mjs";

/**
 * Returns if this Node.js is as new as package.json requires. Otherwise runs this program again with the Node.js of the
 * dependencies, and ends like it: with its exit code or signal. Passes on arguments, variables, streams and signals;
 * programs started as `node` use the newer one as well.
 */
export async function continueInNewerNode(version = process.versions.node) {
  if (isAtLeast(version, oldestNode)) return;
  const node = packagedNode(root);
  process.env.PATH = [dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // Ctrl+C in a terminal reaches both processes; passing it on would interrupt a graceful end.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  try {
    const [code, signal] = await once(child, "exit");
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // The signal arrives a moment later.
    await new Promise(() => setInterval(() => {}, 1000));
  } catch (error) {
    console.error(
      `Node.js ${oldestNode} or newer is needed; this is ${version}, and the one of the ` +
        `development dependencies does not start (${error.message}). Update Node.js.`,
    );
    process.exit(1);
  }
}
