import * as net from "node:net";
import * as tls from "node:tls";
import { codeOf } from "./failureOfError";
import { NotConnected } from "./notConnected";
import type { ProxyAddress } from "./proxyFor";
import type { Trust } from "./trust";
import { whenReady } from "./whenReady";

const maxHeadBytes = 16_384;

/** A tunnel that is wanted: where to, and how the proxy's own certificate is checked. */
export interface TunnelRequest {
  readonly proxy: ProxyAddress;
  readonly hostname: string;
  readonly port: number;
  readonly strictSSL: boolean;
}

/**
 * Opens a tunnel through a proxy by CONNECT. Rejects with NotConnected, cause "proxy", whose detail
 * is the proxy's status or the system's code.
 */
export async function openTunnel(
  request: TunnelRequest,
  trust: Trust,
  signal: AbortSignal,
): Promise<net.Socket> {
  try {
    const socket = await reachProxy(request, trust, signal);
    socket.write(connectHead(request));
    const status = await readStatus(socket, signal);
    if (status >= 200 && status < 300) return socket;
    socket.destroy();
    throw proxyFailure(String(status));
  } catch (error) {
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

/** Reads the head of the proxy's answer; what comes after it goes back to the socket. */
function readStatus(socket: net.Socket, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        head = Buffer.concat([head, chunk as Buffer]);
        const end = head.indexOf("\r\n\r\n");
        if (end >= 0) return settle(() => resolve(statusOf(head, end)));
        if (head.length > maxHeadBytes) return settle(() => reject(proxyFailure("EMSGSIZE")));
      }
    };
    const closed = () => settle(() => reject(proxyFailure("ECONNRESET")));
    const stop = () => socket.destroy();
    const settle = (then: () => void) => {
      socket.off("readable", read).off("close", closed).off("end", closed);
      signal.removeEventListener("abort", stop);
      const end = head.indexOf("\r\n\r\n");
      if (end >= 0 && end + 4 < head.length) socket.unshift(head.subarray(end + 4));
      then();
    };
    socket.on("readable", read).on("close", closed).on("end", closed);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function statusOf(head: Buffer, end: number): number {
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1", 0, end)) ?? [];
  return Number(status ?? 0);
}

function proxyFailure(detail: string): NotConnected {
  return new NotConnected({ kind: "unreachable", cause: "proxy", detail });
}
