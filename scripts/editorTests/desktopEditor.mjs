import { createServer } from "node:net";
import { downloadAndUnzipVSCode } from "@vscode/test-electron";

/**
 * Finds desktop VS Code for a test run: the executable in VSCODE_EXECUTABLE, else a download that is kept in
 * .vscode-test. Resolves to its path, the arguments that open its debugging port, and the variable in which the tests
 * find that. Rejects with a remedy if it cannot be downloaded.
 */
export async function desktopEditor() {
  const port = await freePort();
  return {
    executable: process.env.VSCODE_EXECUTABLE ?? (await download()),
    launchArgs: [`--remote-debugging-port=${port}`],
    env: { SKILL_REGISTRY_TEST_CDP: `http://127.0.0.1:${port}` },
  };
}

/** Finds a port of 127.0.0.1 that is free now. */
async function freePort() {
  const server = createServer();
  await new Promise((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function download() {
  try {
    return await downloadAndUnzipVSCode("stable");
  } catch (error) {
    throw new Error(
      `Desktop VS Code could not be downloaded (${error.message}). Name an installed one's executable ` +
        "in the variable VSCODE_EXECUTABLE, or run the same tests in the VS Code that npm carries: npm test.",
    );
  }
}
