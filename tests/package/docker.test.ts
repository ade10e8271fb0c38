import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCloseStack } from '../../server/close-stack.ts';
import { freePort } from '../free-port.ts';
import { type MortalPostgres, mortalPostgres } from '../server/killable-postgres.ts';
import { findProxy } from '../server/proxy-program.ts';
import { documentedHost, selfSigned, startRealProxy, trust } from '../server/real-proxy.ts';
import { resolveLocally } from '../server/resolve-locally.ts';
import { smallObject } from '../server/small-object.ts';
import { administratorOf, createAdministrator } from './administrator.ts';
import { obstacle } from './debian-machine.ts';
import { buildImage, composeService } from './docker-steps.ts';
import { buildPackage } from './packages.ts';

const reason = obstacle();
if (reason) process.stdout.write(`The Dockerfile was not tested: ${reason}.\n`);

const root = path.join(import.meta.dirname, '../..');
const databasePassword = 'c0ffee';
/** A loopback address of its own: there the port of compose is free. */
const databaseAddress = '127.0.0.77';

/** A PostgreSQL as the image of compose makes it: a superuser with a password, and a database of the same name. */
const composeDatabase = async (): Promise<MortalPostgres> => {
  const postgres = await mortalPostgres([`listen_addresses=${databaseAddress}`]);
  const rules = `local all all trust\nhost all all 127.0.0.0/8 scram-sha-256\n`;
  writeFileSync(path.join(postgres.folder, 'pg_hba.conf'), rules);
  await postgres.runQuery('select pg_reload_conf()');
  await postgres.runQuery(`create role dentarium superuser login password '${databasePassword}'`);
  return postgres;
};

describe.skipIf(reason !== null)('the image of the Dockerfile', { timeout: 600_000 }, () => {
  const opened = createCloseStack();
  const bytes = Buffer.from(smallObject());
  let image: ReturnType<typeof buildImage>;
  let container: ReturnType<typeof image.start>;
  let environment: Readonly<Record<string, string>>;
  let url: string;
  let imageUid: string | undefined;

  const start = async (): Promise<void> => {
    container = image.start(environment);
    while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) {
      if (!container.isRunning()) throw new Error(container.output());
      await pause(200);
    }
  };

  beforeAll(async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-packages-'));
    opened.add(() => rmSync(folder, { recursive: true, force: true }));
    const [port, serverPort] = [await freePort(), await freePort()];
    const service = composeService(path.join(root, 'deploy/docker/compose.yml'), 'dentarium', {
      SITE: `${documentedHost}:${port}`,
      DATABASE_PASSWORD: databasePassword,
    });
    expect(service.context).toBe(path.join(root, 'dist-packages'));
    buildPackage(folder);
    image = buildImage(readFileSync(service.dockerfile, 'utf8'), folder);
    opened.add(image.remove);
    image.addHost('database', databaseAddress);
    const postgres = await composeDatabase();
    opened.add(postgres.close);
    environment = { ...service.environment, PORT: String(serverPort) };

    const caddy = await findProxy('caddy');
    if (typeof caddy === 'string') throw new Error(caddy);
    const proxyFolder = path.join(folder, 'caddy');
    mkdirSync(proxyFolder);
    const certificate = selfSigned(folder);
    opened.add(trust(certificate));
    opened.add(resolveLocally(documentedHost));
    const proxy = await startRealProxy('caddy', caddy, { folder: proxyFolder, port, serverPort, certificate });
    opened.add(proxy.close);
    url = proxy.url;
  }, 1_200_000);
  afterAll(async () => {
    if (container?.isRunning()) await container.stop();
    await opened.closeAll();
  }, 120_000);

  it('serves with the environment of compose behind Caddy, is healthy, and imports an image', async () => {
    await start();
    expect(image.checkHealth(environment.PORT)).toBe(0);
    expect(container.output()).not.toContain('Cannot');
    // The server answers just before it prints the link.
    const key = () => /\/setup#(\S+)/.exec(container.output())?.[1] ?? '';
    await expect.poll(key, { timeout: 60_000 }).not.toBe('');
    imageUid = await (await createAdministrator(url, key())).importImage(bytes);
    expect(await administratorOf(url).download(imageUid)).toEqual(bytes);
  });

  it('stops in order, and has the image after the next start', async () => {
    // Without its administrator, signing in would be tried until the time is over.
    expect(imageUid).toBeDefined();
    expect(await container.stop()).toBe(0);
    expect(image.checkHealth(environment.PORT)).toBe(1);
    await start();
    expect(await administratorOf(url).download(imageUid ?? '')).toEqual(bytes);
    expect(await container.stop()).toBe(0);
  });
});
