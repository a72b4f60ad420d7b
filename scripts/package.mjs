// Packs the extension as it is published: npm run package.
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { packageExtension } = await import("./packaging/packageExtension.mjs");
await buildExtension();
await packageExtension({ twice: true });
