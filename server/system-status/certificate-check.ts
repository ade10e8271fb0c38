import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { SystemDetails } from '../../contract/system-status.ts';

type Certificate = NonNullable<SystemDetails['certificate']>;

/** A certificate is renewed weeks before it ends. */
const renewalMs = 21 * 24 * 60 * 60 * 1000;

interface Found {
  readonly validUntil: Date | null;
  readonly problem: Certificate['problem'];
}

export interface CertificateCheckOptions {
  readonly everyMs?: number;
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

const problemOf = (code: string): Certificate['problem'] => {
  if (code === 'CERT_HAS_EXPIRED') return 'expired';
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'wrong-name' : 'untrusted';
};

/** Connects as a browser would, and reads the certificate whether or not it is trusted. */
const readCertificate = (url: URL, timeoutMs: number): Promise<Found> =>
  new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const servername = isIP(host) ? {} : { servername: host };
    const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false, ...servername });
    const end = (found: Found) => {
      socket.destroy();
      resolve(found);
    };
    const unreachable = () => end({ validUntil: null, problem: 'unreachable' });
    socket.setTimeout(timeoutMs, unreachable);
    socket.once('error', unreachable);
    socket.once('close', unreachable);
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const code = socket.authorized ? null : String(socket.authorizationError);
      end({ validUntil: validTo ? new Date(validTo) : null, problem: code === null ? null : problemOf(code) });
    });
  });

const stateOf = ({ validUntil, problem }: Found, now: Date): Certificate['state'] => {
  if (problem === 'expired' || problem === 'wrong-name') return 'error';
  return problem !== null || (validUntil && validUntil.getTime() < now.getTime() + renewalMs) ? 'attention' : 'ok';
};

/** Returns a function that gives the state of the public URL's certificate, read at most once an hour; null without https. */
export const certificateCheck = (
  publicUrl: string,
  { everyMs = 60 * 60_000, timeoutMs = 5_000, now = () => new Date() }: CertificateCheckOptions = {},
): (() => Promise<Certificate | null>) => {
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:') return async () => null;
  let last: Promise<Certificate> | null = null;
  let lastAt = 0;
  const check = async (before: Certificate | null): Promise<Certificate> => {
    const read = await readCertificate(url, timeoutMs);
    const at = now();
    // An untrusted issuer would hide it.
    const found = read.validUntil && read.validUntil <= at ? { ...read, problem: 'expired' as const } : read;
    const state = stateOf(found, at);
    const isSame = before !== null && before.state === state && before.problem === found.problem;
    return {
      state,
      since: isSame ? before.since : at.toISOString(),
      checkedAt: at.toISOString(),
      validUntil: found.validUntil?.toISOString() ?? null,
      problem: found.problem,
    };
  };
  return async () => {
    const at = now().getTime();
    if (!last || at - lastAt >= everyMs) {
      const before = last;
      lastAt = at;
      last = (before ?? Promise.resolve(null)).then(check);
    }
    return last;
  };
};
