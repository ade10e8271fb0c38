import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { openid } from '../../contract/sign-in.ts';
import { saveSetting } from '../../server/db/stores/setting-store.ts';
import { freePort } from '../free-port.ts';
import { runChild } from './child-server.ts';
import { addTwoClinics } from './clinic.ts';
import { testDatabase, urlOf } from './database.ts';
import { startOpenId } from './openid-process.ts';
import type { ProxyName, ProxyProgram } from './proxy-program.ts';
import { selfSigned, startRealProxy } from './real-proxy.ts';
import { startStandIn } from './stand-in-process.ts';

/** The program in a process of its own behind Caddy or nginx, with all stand-ins, as README and docs/operate.md configure them. */
export const behindRealProxy = async (name: ProxyName, found: ProxyProgram) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), `dentarium-${name}-`));
  const inFolder = (...parts: readonly string[]) => path.join(folder, ...parts);
  for (const part of ['proxy', 'bank-id']) mkdirSync(inFolder(part));
  const certificate = selfSigned(folder);
  const trustedBefore = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trustedBefore, readFileSync(certificate.certificateFile, 'utf8')]);

  const [port, serverPort] = [await freePort(), await freePort()];
  const publicUrl = `https://localhost:${port}`;
  const test = await testDatabase();
  const clinic = await addTwoClinics(test.db);
  const bankId = await startStandIn('bank-id', { folder: inFolder('bank-id') });
  const sms = await startStandIn('sms', {});
  const upstream = await startOpenId({ archiveUrl: publicUrl });
  await saveSetting(test.db, 'azure-ad', upstream.azure, clinic.superId);

  const environment = {
    ...bankId.environment,
    ...sms.environment,
    ...upstream.environment,
    DATABASE_URL: urlOf(test.address),
    DENTARIUM_DATA: inFolder('data'),
    DENTARIUM_PUBLIC_URL: publicUrl,
    DENTARIUM_TRUST_PROXY: '1',
    PORT: String(serverPort),
  };
  const startServer = async () => {
    const child = runChild(['--empty'], environment);
    await child.until('Ctrl-C');
    return child;
  };
  let server = await startServer();
  const proxy = await startRealProxy(name, found, { folder: inFolder('proxy'), port, serverPort, certificate });

  return {
    ...test,
    clinic,
    bankId,
    sms,
    /** The address in the browser, and that without TLS. */
    url: proxy.url,
    plainUrl: proxy.plainUrl,
    redirectUri: `${publicUrl}${openid.callbackPath}`,
    proxyPid: proxy.pid,
    serverPid: () => server.pid,
    proxyFolder: inFolder('proxy'),
    dataFolder: inFolder('data'),
    stopServer: () => server.end('SIGTERM'),
    startServer: async () => {
      server = await startServer();
    },
    close: async () => {
      await server.end('SIGTERM');
      await proxy.close();
      for (const standIn of [bankId, sms, upstream]) await standIn.close();
      await test.close();
      tls.setDefaultCACertificates(trustedBefore);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type BehindRealProxy = Awaited<ReturnType<typeof behindRealProxy>>;
