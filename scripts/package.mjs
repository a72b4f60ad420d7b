// Packs the extension as it is published: npm run package.
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const { packageExtension } = await import("./packaging/packageExtension.mjs");
await packageExtension();
