import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The address where a window listens, and the token that its terminals prove to know. */
export interface WindowAddress {
  /** A Unix domain socket, or a named pipe of Windows. */
  readonly path: string;
  /** 256 random bits as hexadecimal digits. They never cross the socket. */
  readonly token: string;
}

/** An address to listen at, until `remove`. */
export interface ListenAddress {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Creates the token of a window. It is valid as long as the window lives. */
export function newToken(): string {
  return randomBytes(32).toString("hex");
}

/** Writes an address as the value of the variable. */
export function writeWindowAddress({ path, token }: WindowAddress): string {
  return `${format}:${token}:${path}`;
}

/** Reads the value of the variable; undefined for one that no window wrote. */
export function readWindowAddress(value: string): WindowAddress | undefined {
  const [, token, path] = /^1:([0-9a-f]{64}):([^\n]+)$/.exec(value) ?? [];
  return token === undefined || path === undefined ? undefined : { token, path };
}

const format = "1";

/** The facts that determine the address: system, user and folders. */
interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Candidate folders, the best first. */
  readonly folders: readonly string[];
}

/**
 * Creates an address to listen at: a socket in a folder that only this user may enter, or on Windows a named pipe that
 * nobody can guess. Rejects if the path of every folder is too long or cannot be written.
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
 * The maximum path length in bytes. Linux allows 107, macOS 103. Some systems truncate a longer path without an error.
 */
const longestPath = 103;

function thisMachine(): Surroundings {
  const runtime = process.env["XDG_RUNTIME_DIR"] ?? "";
  const folders = [...(runtime === "" ? [] : [runtime]), tmpdir(), "/tmp"];
  return { platform: process.platform, folders };
}

/**
 * Returns whether a socket is in a folder that only this user may enter, so that nobody else can have created it. A
 * named pipe has no folder; only its proof identifies it. Never rejects.
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
