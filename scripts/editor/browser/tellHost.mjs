/**
 * Posts the console messages of a window under test to `path`, in order. Runs in every frame before its own scripts, so
 * it uses nothing from outside. A post that takes more than `limit` milliseconds is aborted and repeated, so that a
 * lost one does not delay all others.
 */
export function tellHost({ path, limit }) {
  if (window !== window.top) return;
  const waiting = [];
  let isPosting = false;
  const pause = () => new Promise((goOn) => setTimeout(goOn, 200));
  const tell = async (what) => {
    waiting.push(JSON.stringify(what));
    if (isPosting) return;
    isPosting = true;
    while (waiting.length > 0) {
      const body = `[${waiting.splice(0).join()}]`;
      const post = () => fetch(path, { method: "POST", body, signal: AbortSignal.timeout(limit) });
      // A repeated line does no harm; a lost exit code would.
      while ((await post().catch(() => undefined)) === undefined) await pause();
    }
    isPosting = false;
  };
  globalThis.codeAutomationLog = (type, args) => tell({ type, args });
  globalThis.codeAutomationExit = (code) => tell({ code });
}
