import { waitingView } from "../src/page/firstView";
import { live } from "./live";
import { connectToHost } from "./pageHost";

startPage();

// The first script of the page, kept small: what is to be seen first stands in the page, and everything
// else comes when that is on the screen.
function startPage(): void {
  const host = connectToHost();
  // The page's policy lets only scripts with the nonce of this one run.
  const nonce = document.currentScript?.nonce ?? "";
  // A page that comes back holds what was true when it was made, and the reader was elsewhere in it.
  if (host.kept() !== undefined) {
    document.getElementById("page")?.replaceChildren(live(waitingView(document.title)));
  }
  host.onScript(({ text }) => {
    const script = document.createElement("script");
    script.nonce = nonce;
    script.text = text;
    document.head.append(script);
  });
  window.addEventListener("load", () => {
    // Whatever runs after this frame runs after the words are on the screen.
    requestAnimationFrame(() =>
      setTimeout(() => host.send({ type: "needScript", script: "page" })),
    );
  });
}
