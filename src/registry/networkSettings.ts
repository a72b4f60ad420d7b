/** The editor's network settings, as the transport follows them. */
export interface NetworkSettings {
  /** `http.proxy`; empty leaves the choice to the environment variables. */
  readonly proxy: string;
  /** `http.noProxy`: hosts that are reached without the proxy. */
  readonly noProxy: readonly string[];
  /** `http.proxySupport`; `off` means no proxy at all, the other three are the same here. */
  readonly proxySupport: "off" | "on" | "fallback" | "override";
  /**
   * `http.proxyStrictSSL`. False accepts any certificate of an `https:` proxy, and of nothing else: the
   * registry's own certificate is always checked, since a Project Key is sent over that connection.
   */
  readonly strictSSL: boolean;
  /** `http.proxyAuthorization`, sent to the proxy; empty uses the credentials in the proxy's address. */
  readonly proxyAuthorization: string;
  /** `http.systemCertificates`: whether the operating system's authorities are trusted as well. */
  readonly systemCertificates: boolean;
  /** HTTPS_PROXY, HTTP_PROXY, NO_PROXY (or in lower case) and NODE_EXTRA_CA_CERTS are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Resolves the proxy for an address by the system's own settings, in the format of a PAC file such as
   * `PROXY host:port; DIRECT`. Undefined where the system cannot be asked. May reject or take long.
   */
  readonly askSystem?: (url: string) => Promise<string>;
}
