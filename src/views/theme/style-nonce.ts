declare global {
  /** Where the library that locks scrolling behind a dialog looks for its nonce. */
  var __webpack_nonce__: string | undefined;
}

/** The word by which the archive's content security policy knows the style elements of this page; empty in development. */
export const styleNonce = (): string => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
};
