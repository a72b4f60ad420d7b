import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The address at which a window listens, and the token that both sides prove to know. */
export interface WindowAddress {
  /** A Unix domain socket, or a named pipe of Windows. */
  readonly path: string;
  /** 256 random bits in hex. The token itself is never sent. */
  readonly token: string;
}

/** An address to listen at. `remove` deletes its socket. */
interface ListenAddress {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Creates the token of a window. It is valid as long as the window lives. */
export function newToken(): string {
  return randomBytes(32).toString("hex");
}

/** Writes an address as the value of the environment variable in terminals. */
export function writeWindowAddress({ path, token }: WindowAddress): string {
  return `${format}:${token}:${path}`;
}

/** Reads an address from the environment variable; undefined for a value that no window wrote. */
export function readWindowAddress(value: string): WindowAddress | undefined {
  const [, token, path] = /^1:([0-9a-f]{64}):([^\n]+)$/.exec(value) ?? [];
  return token === undefined || path === undefined ? undefined : { token, path };
}

const format = "1";

/** The facts that the address depends on. */
interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** The candidate folders, the best first. */
  readonly folders: readonly string[];
}

/**
 * Creates an address to listen at: a socket in a folder that only this user may enter, or an unguessable named pipe on
 * Windows. Rejects if there is no writable folder with a path that is short enough.
 */
export async function createListenAddress(
  { platform, folders }: Surroundings = thisMachine(),
): Promise<ListenAddress> {
  if (platform === "win32") {
    const path = `\\\\.\\pipe\\skill-registry-${randomBytes(16).toString("hex")}`;
    return { path, remove: async () => undefined };
  }
  let problem: unknown = new Error("No folder has a path that is short enough for a socket.");
  for (const parent of folders) {
    const template = join(parent, "skill-registry-");
    if (Buffer.byteLength(join(`${template}XXXXXX`, socketName)) > longestPath) continue;
    try {
      const folder = await mkdtemp(template);
      await chmod(folder, 0o700);
      const remove = () => rm(folder, { recursive: true, force: true });
      return { path: join(folder, socketName), remove };
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

const socketName = "window";
/**
 * The maximum length of a socket's path, in bytes. Linux allows 107 and macOS 103. Some systems truncate a longer path
 * without an error.
 */
const longestPath = 103;

function thisMachine(): Surroundings {
  const runtime = process.env["XDG_RUNTIME_DIR"] ?? "";
  const folders = [...(runtime === "" ? [] : [runtime]), tmpdir(), "/tmp"];
  return { platform: process.platform, folders };
}

/**
 * Returns whether a socket is in a folder that only this user may enter, so that no other user can have created it. A
 * named pipe has no folder; only the proof identifies its window. Never rejects.
 */
export async function isOwnSocket(
  path: string,
  { platform, uid }: { readonly platform: NodeJS.Platform; readonly uid: number } = thisUser(),
): Promise<boolean> {
  if (platform === "win32") return path.startsWith("\\\\.\\pipe\\skill-registry-");
  try {
    const [folder, socket] = await Promise.all([lstat(dirname(path)), lstat(path)]);
    const isOwn = folder.uid === uid && socket.uid === uid;
    return isOwn && folder.isDirectory() && (folder.mode & 0o077) === 0 && socket.isSocket();
  } catch {
    return false;
  }
}

function thisUser() {
  return { platform: process.platform, uid: process.getuid?.() ?? -1 };
}
