import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";

/** The oldest Node.js that package.json allows, as in `22.13.0`. */
export const oldestNode = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
).engines.node.replace(">=", "");

/** Returns the npm package that holds Node.js for a machine; the package `node` fetches it with an install script. */
export function nodePackage({ platform, arch } = process) {
  const system = platform === "win32" ? "win" : platform;
  return `${system === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${system}-${arch}`;
}

/** Returns the path of the Node.js that npm installed for this machine into the `node_modules` of a folder. */
export function packagedNode(folder) {
  const file = process.platform === "win32" ? "node.exe" : "node";
  return join(folder, "node_modules", nodePackage(), "bin", file);
}

/** Returns whether a version of Node.js, such as `22.13.0`, is at least as new as another. */
export function isAtLeast(version, least) {
  const [ours, theirs] = [version, least].map((text) => text.split(".").map(Number));
  const differing = theirs.findIndex((part, index) => part !== ours[index]);
  return differing === -1 || ours[differing] > theirs[differing];
}
