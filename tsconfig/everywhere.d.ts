// What src/core and src/protocol may use besides the language: it is the same in Node and in
// a page. Each names only the part in use; a part that is missing here is to be thought about first.

declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly host: string;
  readonly href: string;
  readonly origin: string;
  readonly pathname: string;
  readonly protocol: string;
  hostname: string;
  username: string;
  password: string;
  search: string;
  hash: string;
}

declare class TextEncoder {
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}

declare class TextDecoder {
  constructor(
    encoding: "utf-8" | "utf-16le",
    options: { readonly ignoreBOM: boolean; readonly fatal?: boolean },
  );
  decode(units: Uint8Array | Uint16Array): string;
}

declare function btoa(text: string): string;

declare function atob(base64: string): string;

interface AbortSignal {
  readonly aborted: boolean;
}
