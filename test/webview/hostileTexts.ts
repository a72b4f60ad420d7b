/** Texts that would have an effect if a page used them as anything but text. */
export const hostileTexts = [
  "<script>window.hacked = 1</script>",
  '"><img src=x onerror="window.hacked = 1">',
  "</textarea></style></script><svg onload=window.hacked=1>",
  "$\u007bwindow.hacked = 1} {{constructor.constructor('window.hacked=1')()}} {name}",
  "' onmouseover='window.hacked = 1' x='",
  "[x](command:workbench.action.quit) javascript:window.hacked=1",
  "&lt;b&gt; &amp; &#60;script&#62; <!-- --> ]]>",
  "a\u202Eb\u200Bc\u2066d",
];
