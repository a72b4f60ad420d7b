// The modules of undici that are used. Never import its package root: it replaces the global dispatcher, and with it
// the built-in `fetch` of every extension in the host.

declare module "undici/lib/dispatcher/pool.js" {
  import type PoolType from "undici/types/pool";

  const Pool: typeof PoolType;
  type Pool = PoolType;
  export = Pool;
}

declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  /** Emits `authenticated`, `connected`, `error` and `close`. */
  export class Socks5Client extends EventEmitter {
    constructor(socket: Socket, credentials: { username: string; password: string });
    handshake(): void;
    connect(hostname: string, port: number): void;
  }
}
