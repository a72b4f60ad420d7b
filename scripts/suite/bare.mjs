// Runs a command as on a newcomer's machine: `node scripts/suite/bare.mjs npm test`. Its PATH has every program of this
// machine but those of tools.json, and its environment only what a login has. Ends with the command's exit code.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { tools } from "./tools.mjs";

/** The variables of a login, and those by which a closed network lets npm through. */
const kept =
  /^(HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|LANG|LC_\w+|TZ|(npm_config_|NODE_EXTRA_CA_CERTS|SSL_CERT_)\w*|(https?|no)_proxy)$/i;

const folder = mkdtempSync(join(tmpdir(), "skill-registry-bare-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const hidden = new Set(Object.values(tools).flatMap(({ commands }) => commands));
for (const from of (process.env.PATH ?? "").split(delimiter)) {
  for (const name of namesIn(from)) {
    // The first of a name counts, as on the PATH.
    if (!hidden.has(name)) link(join(from, name), join(folder, name));
  }
}
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { env: { ...env, PATH: folder }, stdio: "inherit" });
child.once("error", (error) => {
  console.error(`${command} did not start: ${error.message}`);
  process.exitCode = 1;
});
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});

function namesIn(from) {
  try {
    return readdirSync(from);
  } catch {
    return [];
  }
}

function link(target, path) {
  try {
    symlinkSync(target, path);
  } catch {
    // Another folder of the PATH has the name.
  }
}
