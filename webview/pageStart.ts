import { waitingView } from "../src/page/firstView";
import { live } from "./element";
import { connectToHost } from "./pageHost";

startPage();

// The first script of the page, kept small: the first content is part of the page, and everything else is
// loaded when that is on the screen.
function startPage(): void {
  const host = connectToHost();
  // The page's policy lets only scripts with the nonce of this one run.
  const nonce = document.currentScript?.nonce ?? "";
  // A restored page contains outdated content, and the reader's position was another one.
  const page = document.getElementById("page");
  if (host.kept() !== undefined) page?.replaceChildren(live(waitingView(document.title)));
  // A click in the first view, which is replaced later, is carried out when the page is ready.
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
    // Code after this frame runs when the content is on the screen.
    requestAnimationFrame(() =>
      setTimeout(() => host.send({ type: "needScript", script: "page" })),
    );
  });
}
