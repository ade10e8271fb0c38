import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type ProxyName = 'caddy' | 'nginx';
type ProgramName = keyof typeof packages;

export interface ProxyProgram {
  readonly program: string;
  /** The folder of the package's own configuration, such as /etc/nginx. */
  readonly configFolder: string;
}

const packages = {
  caddy: { names: ['caddy'], program: 'usr/bin/caddy', version: 'version' },
  nginx: { names: ['nginx', 'nginx-common'], program: 'usr/sbin/nginx', version: '-v' },
  haproxy: { names: ['haproxy'], program: 'usr/sbin/haproxy', version: '-v' },
  pgbouncer: { names: ['pgbouncer'], program: 'usr/sbin/pgbouncer', version: '--version' },
} as const;

const cache = path.join(import.meta.dirname, '../../node_modules/.cache/proxies');

const below = (root: string, name: ProgramName): ProxyProgram => ({
  program: path.join(root, packages[name].program),
  configFolder: path.join(root, 'etc', name),
});

const isUsable = async ({ program, configFolder }: ProxyProgram, name: ProgramName): Promise<boolean> =>
  existsSync(program) &&
  existsSync(configFolder) &&
  run(program, [packages[name].version]).then(
    () => true,
    () => false,
  );

/** Unpacks Debian's package without installing it, so that no service is started and no rights are needed. */
const unpack = async (name: ProgramName, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const download = () => run('apt-get', ['download', ...packages[name].names], { cwd: folder });
  await download().catch(async () => {
    // The package lists are missing or old.
    await run('apt-get', ['update', '-qq']);
    await download();
  });
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.deb')))
    await run('dpkg-deb', ['-x', path.join(folder, file), folder]);
};

/** Returns the installed program, else Debian's in the cache folder; or a sentence why there is none. */
export const findProxy = async (name: ProgramName): Promise<ProxyProgram | string> => {
  const installed = below('/', name);
  if (await isUsable(installed, name)) return installed;
  const folder = path.join(cache, name);
  const unpacked = below(folder, name);
  if (await isUsable(unpacked, name)) return unpacked;
  if (!existsSync('/etc/debian_version')) return `${name} is not installed; the server is not tested behind it`;
  const failure = await unpack(name, folder).then(
    () => null,
    (error: Error) => error.message.trim().split('\n').at(-1),
  );
  if (await isUsable(unpacked, name)) return unpacked;
  return `${name} is neither installed nor can Debian's be fetched (${failure ?? 'it does not start'}); the server is not tested behind it`;
};
