import type { Context } from "mocha";

/**
 * Skips a test, or all of a block when called in its `before`, where VS Code refuses to show dialogs
 * to a window that runs tests: desktop VS Code does, whose script nobody can change on its way in.
 */
export function needsDialogs(test: Context): void {
  if (process.env["SKILL_REGISTRY_TEST_EDITOR"] === "desktop") test.skip();
}
