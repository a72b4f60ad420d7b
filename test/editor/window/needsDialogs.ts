import type { Context } from "mocha";

/**
 * Skips a test, or a whole block if called in its `before`, in an editor that refuses dialogs to a window with tests.
 * Desktop VS Code does, since nobody can change its script while it loads.
 */
export function needsDialogs(test: Context): void {
  if (process.env["SKILL_REGISTRY_TEST_EDITOR"] === "desktop") test.skip();
}
