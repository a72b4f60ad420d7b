import { spawn } from "node:child_process";

/** Runs a Node.js program of the dependencies, showing its output. Resolves to whether it succeeded. */
export async function runProgram(file, args, { cwd }) {
  const child = spawn(process.execPath, [file, ...args], { cwd, stdio: "inherit" });
  return new Promise((done) => child.once("exit", (code) => done(code === 0)));
}
