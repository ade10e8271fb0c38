import { readFileSync } from 'node:fs';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { StartupError } from '../startup-error.ts';
import type { GatewayTls } from './gateway-settings.ts';

const contentOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new StartupError(`${file} cannot be read (${code})`);
  }
};

const minVersion = 'TLSv1.2';

/** Reads with what devices connect by TLS. @throws StartupError */
export const tlsOptionsOf = ({ certificateFile, keyFile, authorityFile }: GatewayTls): TlsOptions => ({
  cert: contentOf(certificateFile),
  key: contentOf(keyFile),
  minVersion,
  ...(authorityFile === null ? {} : { ca: contentOf(authorityFile), requestCert: true, rejectUnauthorized: true }),
});

/**
 * Reads with what devices are called by TLS. Those of the authority are known by its signature, as when they connect; without an authority the
 * certificate must be of a public one and name the address. @throws StartupError
 */
export const callTlsOf = (tls: GatewayTls | null): ConnectionOptions => {
  if (!tls) return { minVersion };
  const own = { minVersion, cert: contentOf(tls.certificateFile), key: contentOf(tls.keyFile) } as const;
  if (tls.authorityFile === null) return own;
  return { ...own, ca: contentOf(tls.authorityFile), checkServerIdentity: () => undefined };
};
