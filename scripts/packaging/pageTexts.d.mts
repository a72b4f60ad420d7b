export function textsIn(script: string, texts: readonly string[]): string[];
