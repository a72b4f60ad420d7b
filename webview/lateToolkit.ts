import type { PageHost } from "./pageHost";

/**
 * Prepares for the toolkit's script, which is larger than the rest of the page and comes when that is
 * on the screen. Answers what asks for it; only the first time counts. Call it while the page's own
 * script runs for the first time.
 */
export function lateToolkit(host: PageHost): () => void {
  let isAsked = false;
  // The page's policy lets only scripts with the nonce of this one run.
  const nonce = document.currentScript?.nonce ?? "";
  host.onScript(({ text }) => {
    const script = document.createElement("script");
    script.nonce = nonce;
    script.text = text;
    document.head.append(script);
  });
  return () => {
    if (!isAsked) host.send({ type: "painted" });
    isAsked = true;
  };
}
