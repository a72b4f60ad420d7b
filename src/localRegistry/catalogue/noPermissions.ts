import type { ManifestPermissions } from "./skill";

/** The permissions of a skill that only computes. */
export const noPermissions: ManifestPermissions = {
  network: false,
  browser: false,
  filesystem: "none",
  secrets: [],
};
