import { createServer } from "node:net";

/** Finds a port of 127.0.0.1 that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}
