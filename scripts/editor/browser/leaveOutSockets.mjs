/**
 * Stops Playwright from receiving a page's network events. VS Code talks to its extension host through a socket, and
 * Playwright would copy each frame to every program that drives the page. Such a page can neither `route` nor wait for
 * requests. Playwright has no option for this, so the session of the page's main frame, which has the socket, is told
 * directly. That is not public API: Playwright's version is pinned, and this fails if the session is not found.
 */
export async function leaveOutSockets(page) {
  const sessions = page._connection?.toImpl?.(page)?.delegate?._networkManager?._sessions;
  const own = [...(sessions?.values() ?? [])].find(({ isMain }) => isMain);
  if (own === undefined) throw new Error("This Playwright keeps a page's sessions elsewhere.");
  await own.session.send("Network.disable");
}
