import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { callTlsOf } from '../../server/dicom-gateway/tls-files.ts';

/** Makes certificates of an archive, of a device that it trusts, and of a stranger; removed after the test. */
export const dicomCertificates = () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string) => path.join(folder, name);
  for (const name of ['archive', 'device', 'stranger']) {
    const to = ['-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...to], {
      stdio: 'ignore',
    });
  }
  const of = (name: string, trusted: string) => ({
    cert: readFileSync(file(`${name}.pem`)),
    key: readFileSync(file(`${name}.key`)),
    ca: readFileSync(file(`${trusted}.pem`)),
    requestCert: true,
    rejectUnauthorized: true,
    checkServerIdentity: () => undefined,
  });
  return {
    /** The archive where devices connect to it. */
    archive: of('archive', 'device'),
    /** The archive as it calls devices. */
    calls: callTlsOf({
      certificateFile: file('archive.pem'),
      keyFile: file('archive.key'),
      authorityFile: file('device.pem'),
    }),
    device: of('device', 'archive'),
    stranger: of('stranger', 'archive'),
  };
};
