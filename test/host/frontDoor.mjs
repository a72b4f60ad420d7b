import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";

/**
 * Opens the one port of a server that listens on a socket file: 127.0.0.1, for pages of this very
 * address alone, since whoever reaches the server can run programs. It also answers the page's
 * request for the key that encrypts its secrets, kept in `secretFile`. Port 0 picks a free one.
 */
export async function openFrontDoor({ socket, secretFile, port = 0 }) {
  const secret = await readOrCreate(secretFile);
  const open = new Set();
  const door = createServer((incoming, answer) => {
    if (!isOwn(incoming)) return answer.writeHead(403).end("Not from this address.");
    if (incoming.method === "POST" && incoming.url.endsWith("/mint-key")) {
      incoming.resume();
      return answer.writeHead(200, { "content-type": "application/octet-stream" }).end(secret);
    }
    const { method, url: path, headers } = incoming;
    const onward = request({ socketPath: socket, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode, reply.rawHeaders);
      reply.pipe(answer);
    });
    onward.once("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  door.on("upgrade", (incoming, client, head) => {
    if (!isOwn(incoming)) return client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const onward = connect(socket);
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ]) {
      open.add(from);
      from.setNoDelay(true).pipe(to);
      from.once("error", () => to.destroy()).once("close", () => to.destroy() && open.delete(from));
    }
    onward.write(requestText(incoming));
    onward.write(head);
  });
  await new Promise((done, fail) => {
    door.once("error", fail).listen(port, "127.0.0.1", done);
  });
  const authority = `127.0.0.1:${door.address().port}`;

  function isOwn({ headers }) {
    const { host, origin } = headers;
    return host === authority && (origin === undefined || origin === `http://${authority}`);
  }

  return {
    authority,
    close() {
      for (const connection of open) connection.destroy();
      door.closeAllConnections();
      return new Promise((done) => door.close(done));
    },
  };
}

function requestText({ method, url, rawHeaders }) {
  const headers = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    headers.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${method} ${url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
}

async function readOrCreate(file) {
  try {
    await writeFile(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return readFile(file);
}
