import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";

/** The path to which a page posts messages for the front door's owner. */
export const hearPath = "/tell-host";

/**
 * Opens the only port of a server that listens on a socket file: on 127.0.0.1, and only for pages of this very address,
 * since the server can run programs. `secret` is the response to a page that requests the key of its secrets.
 * `editorOf(path)` returns a function `(text, authority) => text` that changes the text loaded from there, or nothing.
 * `hear` gets the parsed JSON that a page posts to `hearPath`. If `port` is taken or 0, a free one is used. Resolves to
 * the `authority` and a function that closes it.
 */
export async function openFrontDoor({ socket, secret, editorOf, hear, port = 0 }) {
  const door = createServer();
  await listen(door, port).catch(() => listen(door, 0));
  const authority = `127.0.0.1:${door.address().port}`;
  const tunnels = new Set();

  door.on("request", (incoming, answer) => {
    const { method, url, headers } = incoming;
    if (!isOwn(headers, authority)) return answer.writeHead(403).end("Not from this address.");
    if (method === "POST" && url.endsWith("/mint-key")) {
      incoming.resume();
      return answer.end(secret);
    }
    if (method === "POST" && url === hearPath && hear !== undefined) {
      return text(incoming)
        .then((told) => {
          hear(JSON.parse(told));
          answer.end();
        })
        .catch(() => answer.destroy());
    }
    const edit = method === "GET" ? editorOf(url) : undefined;
    if (edit !== undefined) delete headers["accept-encoding"];
    // Without an agent, since the server may close a kept connection at the moment of its reuse.
    const onward = request({ socketPath: socket, method, path: url, headers, agent: false });
    onward.once("error", () => answer.destroy());
    incoming.pipe(onward);
    onward.once("response", (reply) => {
      if (edit !== undefined) delete reply.headers["content-length"];
      answer.writeHead(reply.statusCode, reply.headers);
      if (edit === undefined) return pipeline(reply, answer, () => {});
      text(reply).then(
        (page) => answer.end(edit(page, authority)),
        () => answer.destroy(),
      );
    });
  });

  door.on("upgrade", (incoming, client, head) => {
    if (!isOwn(incoming.headers, authority)) return client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const onward = connect(socket);
    onward.write(headOf(incoming));
    onward.write(head);
    tunnel(client, onward);
    tunnel(onward, client);
  });

  function tunnel(from, to) {
    tunnels.add(from);
    from.once("error", () => to.destroy());
    from.once("close", () => {
      tunnels.delete(from);
      to.destroy();
    });
    from.setNoDelay(true).pipe(to);
  }

  return {
    authority,
    async close() {
      for (const end of tunnels) end.destroy();
      door.closeAllConnections();
      door.close();
      await once(door, "close");
    },
  };
}

async function listen(door, port) {
  await once(door.listen(port, "127.0.0.1"), "listening");
}

/**
 * Returns whether a request comes from a page of this address, and not from a host name that was made to point at this
 * machine.
 */
function isOwn({ host, origin }, authority) {
  return host === authority && (origin === undefined || origin === `http://${authority}`);
}

function headOf({ method, url, rawHeaders }) {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
