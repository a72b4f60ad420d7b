/** Says a billing model in a word for a row: free, paid per call, subscription; a registry's own word stays. */
export function billingWord(model: string): string {
  return model === "per_call" ? "paid per call" : model;
}
