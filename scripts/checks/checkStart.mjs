import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";
import { untilPrinted } from "../editor/untilPrinted.mjs";

/**
 * Runs `npm start` with VS Code in a browser, requests the window's page, and ends it like Ctrl+C. Resolves to whether
 * the page was returned and nothing was left: no process, no open port, no file.
 */
export async function checkStart() {
  const temporary = await mkdtemp(join(tmpdir(), "start-"));
  const child = spawn(process.execPath, ["scripts/start.mjs", "--browser"], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [, url] = await untilPrinted(child, /^Open (\S+)/m, "npm start", 120);
  const page = await (await fetch(url)).text();
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  const open = await fetch(url).then(
    () => true,
    () => false,
  );
  // The server's folder is removed last, once all of its processes have ended.
  const left = await readdir(temporary);
  await rm(temporary, { recursive: true });
  console.log(`${url}: ended with ${code}, port ${open ? "open" : "closed"}, left: ${left.length}`);
  return (
    code === 0 && page.includes(JSON.stringify(root).slice(1, -1)) && !open && left.length === 0
  );
}
