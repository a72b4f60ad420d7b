import { waitingView } from "../src/page/firstView";
import { live } from "./element";
import { connectToHost } from "./pageHost";

startPage();

// The first script of the page, kept small: what is to be seen first stands in the page, and everything
// else comes when that is on the screen.
function startPage(): void {
  const host = connectToHost();
  // The page's policy lets only scripts with the nonce of this one run.
  const nonce = document.currentScript?.nonce ?? "";
  // A page that comes back holds what was true when it was made, and the reader was elsewhere in it.
  const page = document.getElementById("page");
  if (host.kept() !== undefined) page?.replaceChildren(live(waitingView(document.title)));
  // What is pressed in the first view, which is replaced later, is done when the page can do it.
  page?.firstElementChild?.addEventListener("click", ({ target }) => {
    const pressed = target instanceof Element ? target.closest("#page [id]") : null;
    if (pressed !== null) page.dataset["pressed"] = pressed.id;
  });
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
