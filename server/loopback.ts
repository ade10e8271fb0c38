/** Host as a URL writes it: this machine, in whatever words. */
export const isLoopbackName = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host);

/** Address of a connection's other end. */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address ?? '');

/** The address leads to this machine itself: what answers there is a test server, and needs no TLS. */
export const isLoopback = (url: string): boolean => isLoopbackName(new URL(url).hostname);
