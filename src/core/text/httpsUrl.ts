/** Reads an address that may be opened: https, no credentials. Returns it normalized (host in punycode), or undefined. */
export function httpsUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const fit = url.protocol === "https:" && url.username === "" && url.password === "";
  return fit ? url.href : undefined;
}
