/** The editor's network settings, as the transport follows them. */
export interface NetworkSettings {
  /** `http.proxy`; if it is empty, the environment variables decide. */
  readonly proxy: string;
  /** `http.noProxy`: hosts that are reached without the proxy. */
  readonly noProxy: readonly string[];
  /** `http.proxySupport`; `off` disables proxies, the other three are equivalent here. */
  readonly proxySupport: "off" | "on" | "fallback" | "override";
  /**
   * `http.proxyStrictSSL`. False accepts any certificate of an `https:` proxy. The registry's own certificate is always
   * checked, because a Project Key is sent over that connection.
   */
  readonly strictSSL: boolean;
  /** `http.proxyAuthorization`, sent to the proxy; if it is empty, the credentials in the proxy's address are used. */
  readonly proxyAuthorization: string;
  /** `http.systemCertificates`: whether the operating system's authorities are trusted as well. */
  readonly systemCertificates: boolean;
  /** The variables that are read: HTTPS_PROXY, HTTP_PROXY, NO_PROXY (also in lower case) and NODE_EXTRA_CA_CERTS. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Resolves the proxy for an address by the system's settings, in the format of a PAC file such as `PROXY host:port;
   * DIRECT`. Undefined if the system offers no lookup. May reject or take long.
   */
  readonly resolveSystemProxy?: (url: string) => Promise<string>;
}
