import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { projectKeyVariable, userTokenVariable } from "../core/registry/credential";

/**
 * Returns the name and email that git knows for a repository: `Ann <ann@example.com>`. Rejects where there is no git
 * or no such user. Git is started elsewhere, since Windows would run a `git.exe` of the folder it is started in.
 */
export async function gitUser(repository: string): Promise<string> {
  // It needs no credential of ours, and neither does a program that it starts.
  const { [projectKeyVariable]: _, [userTokenVariable]: __, ...others } = process.env;
  const env = { ...others, NoDefaultCurrentDirectoryInExePath: "1" };
  const read = async (name: string) => {
    const args = ["-C", repository, "config", name];
    return (await promisify(execFile)("git", args, { cwd: homedir(), env })).stdout.trim();
  };
  const [name, email] = await Promise.all([read("user.name"), read("user.email")]);
  return `${name} <${email}>`;
}
