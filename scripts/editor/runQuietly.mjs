import { spawn } from "node:child_process";

/**
 * Runs a program to its end. Resolves to its output instead of showing it. Rejects with the output if the program
 * fails.
 */
export async function runQuietly(program, args, { cwd, env = process.env } = {}) {
  // npm is a .cmd file on Windows, which only a shell can start.
  const shell = process.platform === "win32";
  const child = spawn(program, args, { cwd, env, shell, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const collect = (text) => {
    output += text;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  const code = await new Promise((done, fail) => child.once("close", done).once("error", fail));
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}
