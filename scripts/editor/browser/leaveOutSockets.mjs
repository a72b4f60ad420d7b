/**
 * Has Playwright hear nothing of what a page sends and receives: VS Code talks with its extension host
 * through a socket, and each of its frames would be copied to every program that drives the page. Such a
 * page can neither `route` nor wait for requests.
 *
 * Playwright listens in every page and has no option against it, so that the session of the page's own frame is told,
 * whose script holds the socket. That is no API of Playwright's: its version is pinned, and this fails when it is not
 * found there.
 */
export async function leaveOutSockets(page) {
  const sessions = page._connection?.toImpl?.(page)?.delegate?._networkManager?._sessions;
  const own = [...(sessions?.values() ?? [])].find(({ isMain }) => isMain);
  if (own === undefined) throw new Error("This Playwright keeps a page's sessions elsewhere.");
  await own.session.send("Network.disable");
}
