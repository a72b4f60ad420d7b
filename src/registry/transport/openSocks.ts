import * as net from "node:net";
import { Socks5Client } from "undici/lib/core/socks5-client.js";
import { codeOf } from "./failureOfError";
import { NotConnected } from "./notConnected";
import type { SocksAddress } from "./proxyFor";
import { whenReady } from "./whenReady";

/** A connection that is wanted through a SOCKS proxy: where to, by a name that the proxy looks up. */
export interface SocksRequest {
  readonly proxy: SocksAddress;
  readonly hostname: string;
  readonly port: number;
}

/**
 * Opens a connection through a proxy by SOCKS 5 (RFC 1928, RFC 1929). Rejects with NotConnected, cause
 * "proxy", whose detail is undici's code without its prefix, or the system's.
 */
export async function openSocks(request: SocksRequest, signal: AbortSignal): Promise<net.Socket> {
  try {
    const { hostname: host, port } = request.proxy;
    const socket = await whenReady(net.connect({ host, port }), "connect", signal);
    await negotiate(socket, request, signal);
    return socket;
  } catch (error) {
    const detail = codeOf(error).replace(/^UND_ERR_/, "");
    throw new NotConnected({ kind: "unreachable", cause: "proxy", detail });
  }
}

function negotiate(
  socket: net.Socket,
  { proxy, hostname, port }: SocksRequest,
  signal: AbortSignal,
): Promise<void> {
  const { username, password } = proxy;
  const client = new Socks5Client(socket, { username, password });
  const stop = () => socket.destroy();
  return new Promise<void>((resolve, reject) => {
    client.once("authenticated", () => client.connect(hostname, port));
    client.once("connected", () => resolve());
    // Stays for good: an error between two owners must not end the process. With it the client closes
    // the connection.
    client.on("error", reject);
    client.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    client.handshake();
  }).finally(() => signal.removeEventListener("abort", stop));
}
