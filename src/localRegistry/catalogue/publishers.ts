/** Who publishes skills in the embedded registry. All are invented. */
export interface Publisher {
  readonly slug: string;
  readonly displayName: string;
  readonly status: "active" | "pending";
  readonly trustLevel: "verified" | "community" | "new";
  readonly url: string;
  readonly supportUrl: string;
}

/** The publishers of the sample skills; their addresses lie in the reserved .example domain. */
export const publishers: readonly Publisher[] = [
  publisher("plainworks", "Plainworks", "active", "verified"),
  publisher("tidy-tables", "Tidy Tables", "active", "verified"),
  publisher("lantern-security", "Lantern Security Studio", "active", "verified"),
  publisher("night-shift-tools", "Night Shift Tools", "active", "community"),
  publisher("paper-kite", "Paper Kite Writers", "pending", "new"),
];

function publisher(
  slug: string,
  displayName: string,
  status: Publisher["status"],
  trustLevel: Publisher["trustLevel"],
): Publisher {
  const url = `https://${slug}.example`;
  return { slug, displayName, status, trustLevel, url, supportUrl: `${url}/support` };
}
