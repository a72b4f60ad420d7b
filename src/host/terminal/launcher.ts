import { launcherVariable } from "../../core/agents/agentSetup";
import { shellWord } from "../../core/text/plainText";

/** A program, and the script that it runs. */
interface Launched {
  /** Node.js, or an editor that runs as Node.js with certain environment variables. */
  readonly program: string;
  readonly script: string;
  /** The launcher's own path, passed to the script. */
  readonly launcher: string;
}

/** Writes a launcher for a POSIX shell, with any characters in the paths. */
export function shellLauncher({ program, script, launcher }: Launched): string {
  const variables = `ELECTRON_RUN_AS_NODE=1 ${launcherVariable}=${shellWord(launcher)}`;
  return `#!/bin/sh\n${variables} exec ${shellWord(program)} ${shellWord(script)} "$@"\n`;
}

/** Writes a launcher for `cmd.exe`, which reads it in the console's code page and replaces variables even in quotes. */
export function batchLauncher({ program, script, launcher }: Launched): string {
  const quoted = (path: string) => `"${path.replaceAll("%", "%%")}"`;
  const isAscii = /^[ -~]*$/.test(program + script + launcher);
  return [
    "@echo off",
    "setlocal DisableDelayedExpansion",
    ...(isAscii ? [] : ["chcp 65001 >nul"]),
    "set ELECTRON_RUN_AS_NODE=1",
    `set ${quoted(`${launcherVariable}=${launcher}`)}`,
    `${quoted(program)} ${quoted(script)} %*`,
    "exit /b %ERRORLEVEL%",
    "",
  ].join("\r\n");
}
