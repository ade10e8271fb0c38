import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const cache = path.join(import.meta.dirname, '../../node_modules/.cache');
const tools = { mmdebstrap: 'mmdebstrap', 'systemd-nspawn': 'systemd-container' } as const;

const succeeds = (file: string, args: readonly string[]): boolean =>
  spawnSync(file, args, { stdio: 'ignore' }).status === 0;

const host = (file: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
};

/** Installs what is missing. Returns null, or the reason why no Debian machine can be made here. */
export const obstacle = (): string | null => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can do it';
  for (const [tool, name] of Object.entries(tools))
    if (!succeeds('which', [tool]) && !succeeds('apt-get', ['-o', 'DPkg::Lock::Timeout=600', 'install', '-y', name]))
      return `${tool} is missing, and apt-get cannot install ${name}`;
  return null;
};

const debians = {
  'with systemd': ['--include=systemd,systemd-sysv,dbus'],
  'without systemd': [],
} as const;

/** A folder of a minimal Debian 12, which is fetched once. The caller removes it. */
export const debianFolder = (kind: keyof typeof debians): string => {
  const tar = path.join(cache, `debian-bookworm-${kind.replace(' ', '-')}.tar`);
  if (!existsSync(tar)) {
    mkdirSync(cache, { recursive: true });
    const draft = `${tar}.draft.tar`;
    host('mmdebstrap', '--variant=minbase', ...debians[kind], 'bookworm', draft);
    renameSync(draft, tar);
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-debian-'));
  host('tar', '-xf', tar, '-C', folder);
  return folder;
};

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** A Debian 12 that systemd has booted in a container, with the network of this machine. */
export const bootDebian = async () => {
  const folder = debianFolder('with systemd');
  const nspawn = ['systemd-nspawn', '-D', folder, '--register=no', '--keep-unit', '--boot', '--console=pipe'];
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...nspawn], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });

  const leader = (): string | undefined =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').at(-1);
  const inside = (options: readonly string[], command: readonly string[]): Ran => {
    const namespaces = [
      '--target',
      leader() ?? '',
      '--mount',
      '--uts',
      '--ipc',
      '--pid',
      '--root',
      '--wdns=/',
      ...options,
    ];
    // A minimal Debian knows no other locale.
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', HOME: '/root' };
    const ran = spawnSync('/usr/bin/nsenter', [...namespaces, ...command], { encoding: 'utf8', env });
    return { code: ran.status, output: `${ran.stdout}${ran.stderr}` };
  };
  const run = (...command: readonly string[]): Ran => inside([], command);

  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    while (!/running|degraded/.test(run('systemctl', 'is-system-running').output)) {
      if (child.exitCode !== null) throw new Error(`systemd-nspawn ended: ${errors}`);
      await pause(200);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** Path on this machine of a path inside. */
    at: (...parts: readonly string[]) => path.join(folder, ...parts),
    run,
    /** Without any network. */
    runOffline: (...command: readonly string[]) => run('unshare', '--net', ...command),
    close,
  };
};

export type DebianMachine = Awaited<ReturnType<typeof bootDebian>>;
