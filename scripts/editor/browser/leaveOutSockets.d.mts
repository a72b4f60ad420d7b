import type { Page } from "playwright-core";

export function leaveOutSockets(page: Page): Promise<void>;
