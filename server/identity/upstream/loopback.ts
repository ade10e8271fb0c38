/** The address leads to this machine itself: what answers there is a test server, and needs no TLS. */
export const isLoopback = (address: string): boolean => {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
};
