import { basename, join } from "node:path";

/** Where the window of this run keeps all its data. */
export function dataFolder(): string {
  const results = process.env["SKILL_REGISTRY_TEST_OUT"] ?? "";
  return join(results, "../../../.vscode-test/runs", basename(results));
}
