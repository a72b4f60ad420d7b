import type { Socket } from "node:net";
import * as net from "node:net";
import * as tls from "node:tls";
import { Socks5Client } from "undici/lib/core/socks5-client.js";
import { codeOf, NotConnected } from "./failureOfError";
import type { ProxyAddress, SocksAddress } from "./proxyFor";
import type { Trust } from "./trust";

/** Node.js's own limit for the head of a response. */
const maxHeadBytes = 16_384;

/** The target of a tunnel, and how the proxy's own certificate is checked. */
interface TunnelRequest {
  readonly proxy: ProxyAddress;
  readonly hostname: string;
  readonly port: number;
  readonly strictSSL: boolean;
}

/**
 * Opens a tunnel through a proxy by CONNECT. Rejects with NotConnected and cause "proxy"; the detail is the proxy's
 * status or the system's code.
 */
export async function openTunnel(
  request: TunnelRequest,
  trust: Trust,
  signal: AbortSignal,
): Promise<net.Socket> {
  let socket: net.Socket | undefined;
  try {
    socket = await reachProxy(request, trust, signal);
    socket.write(connectHead(request));
    const status = statusOf(await readHead(socket, signal));
    if (status !== 200) throw proxyFailure(String(status));
    return socket;
  } catch (error) {
    socket?.destroy();
    throw error instanceof NotConnected ? error : proxyFailure(codeOf(error));
  }
}

async function reachProxy(
  { proxy, strictSSL }: TunnelRequest,
  trust: Trust,
  signal: AbortSignal,
): Promise<net.Socket> {
  const { hostname: host, port } = proxy;
  if (!proxy.secure) return whenReady(net.connect({ host, port }), "connect", signal);
  const secureContext = await trust.context();
  const socket = tls.connect({
    host,
    port,
    rejectUnauthorized: strictSSL,
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(secureContext && { secureContext }),
  });
  return whenReady(socket, "secureConnect", signal);
}

function connectHead({ proxy, hostname, port }: TunnelRequest): string {
  const target = `${net.isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  const authorization =
    proxy.authorization === undefined ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`;
}

/** Reads the head of the proxy's response, and any bytes after it. */
function readHead(socket: net.Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = "";
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        head += (chunk as Buffer).toString("latin1");
      }
      if (head.includes("\r\n\r\n")) settle(() => resolve(head));
      else if (head.length > maxHeadBytes) settle(() => reject(proxyFailure("EMSGSIZE")));
    };
    const closed = () => settle(() => reject(proxyFailure("ECONNRESET")));
    const stop = () => socket.destroy();
    const settle = (then: () => void) => {
      socket.off("readable", read).off("close", closed).off("end", closed);
      signal.removeEventListener("abort", stop);
      then();
    };
    socket.on("readable", read).on("close", closed).on("end", closed);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Returns the status of the proxy, 200 for any success. Rejects bytes after the head: in TLS the client speaks first,
 * so they cannot come from the registry.
 */
function statusOf(head: string): number {
  const [, status = "0"] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
  if (!status.startsWith("2")) return Number(status);
  if (head.endsWith("\r\n\r\n")) return 200;
  throw proxyFailure("EPROTO");
}

function proxyFailure(detail: string): NotConnected {
  return new NotConnected({ kind: "unreachable", cause: "proxy", detail });
}

/** The target of a connection through a SOCKS proxy; the proxy resolves the name. */
interface SocksRequest {
  readonly proxy: SocksAddress;
  readonly hostname: string;
  readonly port: number;
}

/**
 * Opens a connection through a proxy by SOCKS 5 (RFC 1928, RFC 1929). Rejects with NotConnected and cause "proxy"; the
 * detail is undici's code without its prefix, or the system's code.
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
    // Keep this listener: without any, an error would end the process before the client closes the connection.
    client.on("error", reject);
    client.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    client.handshake();
  }).finally(() => signal.removeEventListener("abort", stop));
}

/** Waits for a socket's `event`. Rejects on the socket's error. Destroys the socket when the signal fires. */
export function whenReady<Opened extends Socket>(
  socket: Opened,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy(asError(signal.reason));
    const settle = () => signal.removeEventListener("abort", stop);
    // Keep this listener: an error before the socket's next owner listens would end the process.
    socket.on("error", (error) => {
      settle();
      reject(error);
    });
    socket.once("close", () => {
      settle();
      reject(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    });
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("stopped");
}
