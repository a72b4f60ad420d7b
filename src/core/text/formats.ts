/** A machine has one or two languages, and the code a few dozen formats. */
const maxFormats = 500;

/** Returns the format of numbers of a locale. Throws a `RangeError` for unknown options. */
export const numberFormat: (
  locale: string,
  options?: Intl.NumberFormatOptions,
) => Intl.NumberFormat = created(
  (locale, options) => new Intl.NumberFormat(locale, options),
  () => "",
);

/** Returns the format of times of a locale, in the zone of this machine unless the options name one. */
export const dateFormat: (
  locale: string,
  options?: Intl.DateTimeFormatOptions,
) => Intl.DateTimeFormat = created(
  (locale, options) => new Intl.DateTimeFormat(locale, options),
  zone,
);

/** Returns the format of durations before or after now, such as “3 days ago”. */
export const relativeFormat: (
  locale: string,
  options?: Intl.RelativeTimeFormatOptions,
) => Intl.RelativeTimeFormat = created(
  (locale, options) => new Intl.RelativeTimeFormat(locale, options),
  () => "",
);

/** Returns the order of texts in a locale. */
export const collator: (locale: string, options?: Intl.CollatorOptions) => Intl.Collator = created(
  (locale, options) => new Intl.Collator(locale, options),
  () => "",
);

/**
 * Caches formats by locale and options, since creating one takes a hundred times as long as using it. `context` is what
 * they depend on besides.
 */
function created<Options, Format>(
  create: (locale: string, options: Options | undefined) => Format,
  context: () => string,
): (locale: string, options?: Options) => Format {
  const formats = new Map<string, Format>();
  return (locale, options) => {
    const name = `${locale} ${context()} ${JSON.stringify(options)}`;
    const known = formats.get(name);
    if (known !== undefined) return known;
    if (formats.size >= maxFormats) formats.clear();
    const format = create(locale, options);
    formats.set(name, format);
    return format;
  };
}

/** Identifies the zone of this machine by its offsets in winter and summer. A program's zone may change. */
function zone(): string {
  return [0, 6].map((month) => new Date(2026, month).getTimezoneOffset()).join();
}
