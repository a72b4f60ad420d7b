/**
 * Has Playwright hear nothing of what a page sends and receives: VS Code talks with its extension host
 * through a socket, and each of its frames would be copied to every program that drives the page. Such a
 * page can neither `route` nor wait for requests until `hearRequests` was called.
 *
 * Playwright listens in every page and has no option against it, so that its session is told, which
 * is no API of Playwright's: its version is pinned, and this fails when it is not found there.
 */
export async function leaveOutSockets(page) {
  await tellSession(page, "Network.disable");
}

/** Has Playwright hear again what leaveOutSockets left out. */
export async function hearRequests(page) {
  await tellSession(page, "Network.enable");
}

/**
 * Sends a method to the session of the page's own frame, whose script holds the socket; other sessions come
 * and go with their contents.
 */
async function tellSession(page, method) {
  const sessions = page._connection?.toImpl?.(page)?.delegate?._networkManager?._sessions;
  const own = [...(sessions?.values() ?? [])].find(({ isMain }) => isMain);
  if (own === undefined) throw new Error("This Playwright keeps a page's sessions elsewhere.");
  await own.session.send(method);
}
