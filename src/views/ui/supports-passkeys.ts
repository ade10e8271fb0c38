/** Returns whether the browser supports passkeys here: it does not at an insecure address. */
export const supportsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';
