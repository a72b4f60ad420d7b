import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const keeperFile = fileURLToPath(new URL("keeper.mjs", import.meta.url));

/**
 * Starts programs that end with this process, even if it is killed: each gets its own process group, so that its
 * children end with it, and a keeper watches all of them.
 */
export function startProcesses() {
  const keeper = spawn(process.execPath, [keeperFile], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const running = new Set();
  const cleanups = [];
  let ended = false;

  return {
    /** Starts a program. Returns the child; its output is piped. */
    start(program, args, { env = process.env, cwd } = {}) {
      if (ended) throw new Error("VS Code was told to end before it had started.");
      const stdio = ["ignore", "pipe", "pipe"];
      const child = spawn(program, args, { cwd, env, detached: true, stdio });
      if (child.pid === undefined) return child;
      running.add(child);
      keeper.stdin.write(`hold ${child.pid}\n`);
      child.once("exit", () => {
        // Children that it has left behind belong to its group.
        killGroup(child);
        running.delete(child);
        keeper.stdin.write(`drop ${child.pid}\n`);
      });
      return child;
    },

    /** Removes a folder at the end, even when this process is killed. */
    removeAtEnd(folder) {
      keeper.stdin.write(`remove ${folder}\n`);
    },

    /** Adds something to do at the end, before the programs end. */
    atEnd(cleanup) {
      cleanups.push(cleanup);
    },

    /** Ends everything that was started: politely first, and forcibly after three seconds. */
    async end() {
      ended = true;
      await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
      await Promise.all([...running].map(endGroup));
      keeper.stdin.end();
      if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, "exit");
    },
  };
}

function endGroup(child) {
  return new Promise((done) => {
    const insist = setTimeout(() => killGroup(child), 3000);
    child.once("exit", () => {
      clearTimeout(insist);
      done();
    });
    child.kill("SIGTERM");
  });
}

function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The whole group has ended already.
  }
}
