import * as vscode from "vscode";

/** Only another window writes meanwhile, and whoever works there sees this one at its side at most. */
const pauseMs = 2000;

/**
 * Calls `look` whenever the user comes back to a view or its window, and every two seconds while the
 * view is in sight of a window without focus: what another window stores, the editor tells nobody.
 */
export function lookAgain(view: vscode.TreeView<unknown>, look: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearInterval(timer);
  const follow = () => {
    stop();
    if (!view.visible) return;
    look();
    if (!vscode.window.state.focused) timer = setInterval(look, pauseMs);
  };
  follow();
  return vscode.Disposable.from(
    view.onDidChangeVisibility(follow),
    vscode.window.onDidChangeWindowState(follow),
    { dispose: stop },
  );
}
