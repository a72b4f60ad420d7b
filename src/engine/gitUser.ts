import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { projectKeyVariable, userTokenVariable } from "../core/registry/credential";

/**
 * Returns the name and email that git has for a repository: `Ann <ann@example.com>`. Rejects without git or without a
 * user. Runs git in the home folder, since Windows would run a `git.exe` from the current folder.
 */
export async function gitUser(repository: string): Promise<string> {
  // Git and the programs that it starts must not receive our credentials.
  const { [projectKeyVariable]: _, [userTokenVariable]: __, ...others } = process.env;
  const env = { ...others, NoDefaultCurrentDirectoryInExePath: "1" };
  const read = async (name: string) => {
    const args = ["-C", repository, "config", name];
    return (await promisify(execFile)("git", args, { cwd: homedir(), env })).stdout.trim();
  };
  const [name, email] = await Promise.all([read("user.name"), read("user.email")]);
  return `${name} <${email}>`;
}
