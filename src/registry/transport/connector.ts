import * as net from "node:net";
import * as tls from "node:tls";
import type buildConnector from "undici/types/connector";
import type { NetworkSettings } from "../networkSettings";
import { codeOf, NotConnected, unreachableOfError } from "./failureOfError";
import { InterimResponses } from "./interimResponses";
import { openSocks, openTunnel, whenReady } from "./openTunnel";
import { proxyFor, systemProxy } from "./proxyFor";
import { isUnknownIssuer, type Trust } from "./trust";

/** A host to connect to. */
interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Opens connections for undici by the editor's network settings. Every failure is a NotConnected: no request was
 * written yet.
 */
export class Connector {
  readonly #network: NetworkSettings;
  readonly #trust: Trust;
  readonly #limitSeconds: number;
  readonly #attempts = new Set<AbortController>();
  readonly #interim = new InterimResponses();

  /** `limitSeconds` is the limit of one connection, from name resolution to the end of the handshake. */
  constructor(network: NetworkSettings, trust: Trust, limitSeconds: number) {
    this.#network = network;
    this.#trust = trust;
    this.#limitSeconds = limitSeconds;
  }

  /** Opens one connection, with the signature of undici's `connect` option. */
  readonly connect = (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const secure = options.protocol === "https:";
    const port = Number(options.port) || (secure ? 443 : 80);
    const attempt = new AbortController();
    this.#attempts.add(attempt);
    const signal = AbortSignal.any([
      attempt.signal,
      AbortSignal.timeout(this.#limitSeconds * 1000),
    ]);
    this.#open({ hostname: options.hostname, port, secure }, signal)
      .finally(() => this.#attempts.delete(attempt))
      .then(
        (socket) => {
          socket.setNoDelay(true).setKeepAlive(true, 60_000);
          callback(null, this.#interim.removeFrom(socket));
        },
        (error: unknown) => callback(asNotConnected(error, signal), null),
      );
  };

  /** Called when undici is about to write a request to one of these connections. */
  requestStarts(): void {
    this.#interim.requestStarts();
  }

  /** Aborts every connection that is still being opened. */
  abandon(): void {
    for (const attempt of this.#attempts) attempt.abort();
  }

  async #open(target: Target, signal: AbortSignal): Promise<net.Socket> {
    try {
      return await this.#openOnce(target, signal);
    } catch (error) {
      if (!isUnknownIssuer(causeOf(error)) || !(await this.#trust.widen())) throw error;
      return this.#openOnce(target, signal);
    }
  }

  async #openOnce(target: Target, signal: AbortSignal): Promise<net.Socket> {
    const { hostname: host, port } = target;
    // Without TLS, the host is this machine itself, where no proxy is used.
    if (!target.secure) return whenReady(net.connect({ host, port }), "connect", signal);
    const configured = proxyFor(host, port, this.#network);
    const route =
      configured.kind === "unset"
        ? await systemProxy(host, port, this.#network, signal)
        : configured;
    if (route.kind === "unusable") {
      throw new NotConnected({ kind: "unreachable", cause: "proxy", detail: route.detail });
    }
    if (route.kind === "direct") return this.#secure(target, undefined, signal);
    if (route.kind === "unset") {
      return this.#secure(target, undefined, signal).catch((error) => {
        throw withoutProxy(asNotConnected(error, signal));
      });
    }
    if (route.kind === "socks") {
      const opened = await openSocks({ proxy: route.proxy, hostname: host, port }, signal);
      return this.#secure(target, opened, signal);
    }
    const { strictSSL } = this.#network;
    const tunnel = { proxy: route.proxy, hostname: host, port, strictSSL };
    return this.#secure(target, await openTunnel(tunnel, this.#trust, signal), signal);
  }

  async #secure(
    { hostname: host, port }: Target,
    tunnel: net.Socket | undefined,
    signal: AbortSignal,
  ): Promise<net.Socket> {
    const secureContext = await this.#trust.context();
    const socket = tls.connect({
      host,
      port,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      ...(net.isIP(host) === 0 && { servername: host }),
      ...(secureContext && { secureContext }),
      ...(tunnel && { socket: tunnel }),
    });
    return whenReady(socket, "secureConnect", signal);
  }
}

/** Marks a failure that a missing proxy may explain, unless a server responded. */
function withoutProxy({ failure }: NotConnected): NotConnected {
  const isAnswered = failure.cause === "certificate";
  return new NotConnected(isAnswered ? failure : { ...failure, withoutProxy: true });
}

/** Returns the code of an error while connecting to the registry or to its proxy. */
function causeOf(error: unknown): string {
  return error instanceof NotConnected ? error.failure.detail : codeOf(error);
}

function asNotConnected(error: unknown, signal: AbortSignal): NotConnected {
  if (error instanceof NotConnected) return error;
  const failure = unreachableOfError(error);
  return new NotConnected(
    signal.aborted ? { ...failure, cause: "network", detail: "ETIMEDOUT" } : failure,
  );
}
