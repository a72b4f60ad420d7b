import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Makes a Project Key: skh_ and 64 hexadecimal digits. */
export function createProjectKey(): string {
  return `skh_${randomBytes(32).toString("hex")}`;
}

/** Tells whether an Authorization header carries the Project Key, another one, or none. */
export function checkProjectKey(
  authorization: string | undefined,
  projectKey: string,
): "right" | "wrong" | "missing" {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (given === undefined) return "missing";
  // Digests are equally long, so the comparison takes the same time whatever was given.
  return timingSafeEqual(digest(given), digest(projectKey)) ? "right" : "wrong";
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
