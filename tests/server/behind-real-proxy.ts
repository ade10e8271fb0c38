import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openid } from '../../contract/sign-in.ts';
import { type CloseStack, createCloseStack } from '../../server/close-stack.ts';
import { saveSetting } from '../../server/db/stores/setting-store.ts';
import { freePort } from '../free-port.ts';
import { runChild } from './child-server.ts';
import { addTwoClinics } from './clinic.ts';
import { testDatabase, urlOf } from './database.ts';
import { startOpenId } from './openid-process.ts';
import type { ProxyName, ProxyProgram } from './proxy-program.ts';
import { documentedHost, selfSigned, startRealProxy, trust } from './real-proxy.ts';
import { resolveLocally } from './resolve-locally.ts';
import { startStandIn } from './stand-in-process.ts';

const start = async (name: ProxyName, found: ProxyProgram, opened: CloseStack) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), `dentarium-${name}-`));
  opened.add(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (part: string) => path.join(folder, part);
  for (const part of ['proxy', 'bank-id']) mkdirSync(inFolder(part));
  const certificate = selfSigned(folder);
  opened.add(trust(certificate));
  opened.add(resolveLocally(documentedHost));

  const [port, serverPort] = [await freePort(), await freePort()];
  const publicUrl = `https://${documentedHost}:${port}`;
  const test = await testDatabase();
  opened.add(test.close);
  const clinic = await addTwoClinics(test.db);
  const bankId = await startStandIn('bank-id', { folder: inFolder('bank-id') });
  opened.add(bankId.close);
  const sms = await startStandIn('sms', {});
  opened.add(sms.close);
  const upstream = await startOpenId({ archiveUrl: publicUrl });
  opened.add(upstream.close);
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
    opened.add(() => child.stop('SIGTERM'));
    await child.isStarted();
    return child;
  };
  let server = await startServer();
  const proxy = await startRealProxy(name, found, { folder: inFolder('proxy'), port, serverPort, certificate });
  opened.add(proxy.close);

  return {
    db: test.db,
    clinic,
    bankId,
    sms,
    url: proxy.url,
    /** The address without TLS. */
    plainUrl: proxy.plainUrl,
    redirectUri: `${publicUrl}${openid.callbackPath}`,
    proxyPid: proxy.pid,
    serverPid: () => server.pid,
    proxyFolder: inFolder('proxy'),
    dataFolder: inFolder('data'),
    stopServer: () => server.stop('SIGTERM'),
    startServer: async () => {
      server = await startServer();
    },
    close: opened.closeAll,
  };
};

/** Starts the program in a process of its own behind Caddy or nginx, with all stand-ins, as docs/operate.md configures them. */
export const behindRealProxy = async (name: ProxyName, found: ProxyProgram) => {
  const opened = createCloseStack();
  try {
    return await start(name, found, opened);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
};

export type BehindRealProxy = Awaited<ReturnType<typeof behindRealProxy>>;
