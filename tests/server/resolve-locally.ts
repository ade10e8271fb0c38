import dns from 'node:dns';

/** Makes this process find a host name on this machine. Returns the function that undoes it. */
export const resolveLocally = (host: string): (() => void) => {
  const original = dns.lookup;
  const lookup = (name: string, ...rest: [never, never]) => original(name === host ? '127.0.0.1' : name, ...rest);
  dns.lookup = lookup as typeof dns.lookup;
  return () => {
    dns.lookup = original;
  };
};
