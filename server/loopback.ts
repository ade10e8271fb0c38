/** Returns whether a URL host name means this machine. */
export const isLoopbackName = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host);

/** Returns whether a remote address is this machine. */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address ?? '');

/** Returns whether a URL points to this machine: a test server, which needs no TLS. */
export const isLoopback = (url: string): boolean => isLoopbackName(new URL(url).hostname);
