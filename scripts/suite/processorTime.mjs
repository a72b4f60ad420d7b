import { readdirSync, readFileSync } from "node:fs";

/** The length of a tick of /proc in seconds, the same on every Linux. */
const tick = 0.01;

/**
 * The interval between two looks at all processes, in milliseconds. CPU time of a process after its last look may be
 * lost.
 */
const everyMs = 1000;

/**
 * Follows the CPU time of processes and their descendants. The system adds up children that their parent waits for; a
 * child that outlives its parent, as Chromium's do, counts as it was last seen. `secondsOf` returns the CPU time of
 * process `pid` with its descendants, or undefined without /proc.
 */
export function followProcessorTime() {
  const seen = new Map();
  const look = () => {
    const running = new Set();
    for (const one of readProcesses()) {
      running.add(one.pid);
      // A process whose parent has ended gets another parent.
      seen.set(one.pid, { ...one, starter: seen.get(one.pid)?.starter ?? one.starter });
    }
    return running;
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    secondsOf(pid) {
      const running = look();
      const ticksOf = ({ own, waitedFor }, id) => {
        let [ofRunning, ofEnded] = [0, 0];
        for (const [child, about] of seen) {
          if (about.starter !== id) continue;
          if (running.has(child)) ofRunning += ticksOf(about, child);
          else ofEnded += ticksOf(about, child);
        }
        return own + ofRunning + Math.max(waitedFor, ofEnded);
      };
      return seen.has(pid) ? ticksOf(seen.get(pid), pid) * tick : undefined;
    },
    stop: () => clearInterval(timer),
  };
}

function readProcesses() {
  return readNames("/proc").flatMap((pid) => {
    const stat = /^\d+$/.test(pid) ? readStat(pid) : undefined;
    if (stat === undefined) return [];
    // The program's name comes first, in brackets, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
    return {
      pid: Number(pid),
      starter: Number(fields[1]),
      own: user + system,
      waitedFor: childrenUser + childrenSystem,
    };
  });
}

function readNames(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readStat(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
