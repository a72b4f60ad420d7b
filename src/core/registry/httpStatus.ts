/** Returns whether an HTTP status reports success (2xx). A redirect and an interim response report none. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}
