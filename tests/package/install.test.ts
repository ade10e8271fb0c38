import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../server/version.ts';
import { freePort } from '../free-port.ts';
import { smallObject } from '../server/small-object.ts';
import { administratorOf, createAdministrator } from './administrator.ts';
import { bootDebian, type DebianMachine, obstacle } from './debian-machine.ts';
import { buildPackage, withVersion } from './packages.ts';

const reason = obstacle();
if (reason) process.stdout.write(`The Debian package was not tested: ${reason}.\n`);

/** Debian sorts it before every version. */
const older = '0.0.1';
const bytes = Buffer.from(smallObject());
const lock = '/var/lib/dentarium/server.lock';

describe.skipIf(reason !== null)('the Debian package', { timeout: 600_000 }, () => {
  let machine: DebianMachine;
  let folder: string;
  let url: string;
  let imageUid: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-packages-'));
    const current = buildPackage(folder);
    const previous = withVersion(current, older, folder);
    machine = await bootDebian();
    cpSync(current, machine.at('root/current.deb'));
    cpSync(previous, machine.at('root/previous.deb'));
  }, 1_200_000);
  afterAll(async () => {
    await machine?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  const journal = (): string => machine.run('journalctl', '-u', 'dentarium', '-o', 'cat', '--no-pager').output;
  const expectRun = (...command: readonly string[]): string => {
    const { code, output } = machine.run(...command);
    expect(code, `${command.join(' ')}: ${output}`).toBe(0);
    return output;
  };
  /** Waits until the server answers and its log names this version: it answers just before it writes the line. */
  const expectServed = async (expected: string): Promise<void> => {
    while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await pause(200);
    const servedVersion = () => {
      const log = readFileSync(machine.at('var/lib/dentarium/server.log'), 'utf8');
      const started = log.split('\n').findLast((line) => line.includes('"server started"')) ?? '{}';
      return JSON.parse(started).version;
    };
    await expect.poll(servedVersion, { timeout: 60_000 }).toBe(expected);
  };
  const expectImage = async (): Promise<void> => {
    expect(await administratorOf(url).download(imageUid)).toEqual(bytes);
  };

  it('is smaller than 250 MB', () => {
    const [one = ''] = readdirSync(folder).filter((name) => name.includes(version) && name.endsWith('.deb'));
    expect(statSync(path.join(folder, one)).size).toBeLessThan(250e6);
  });

  it('installs without a network, starts, and says where the link for the first administrator is', async () => {
    const { code, output } = machine.runOffline('dpkg', '-i', '/root/previous.deb');
    expect(code, output).toBe(0);
    expect(output).toContain('journalctl -u dentarium');
    expect(expectRun('stat', '-c', '%U:%G %a', '/etc/dentarium/dentarium.conf')).toBe('root:dentarium 640\n');
    expect(expectRun('stat', '-c', '%U:%G %a', '/var/lib/dentarium')).toBe('dentarium:dentarium 750\n');
    // Another program of this machine may have the default port.
    const port = await freePort();
    url = `http://localhost:${port}`;
    const file = machine.at('etc/dentarium/dentarium.conf');
    writeFileSync(file, readFileSync(file, 'utf8').replace('#PORT=8080', `PORT=${port}`));
    expectRun('systemctl', 'restart', 'dentarium');
    await expectServed(older);
    while (!journal().includes(`${url}/setup#`)) await pause(200);
  });

  it('has units without errors and with an exposure below 3', () => {
    for (const unit of ['dentarium.service', 'dentarium-dicom.service']) {
      expect(expectRun('systemd-analyze', 'verify', unit)).toBe('');
      expectRun('systemd-analyze', 'security', '--threshold=30', '--no-pager', unit);
    }
  });

  it('keeps an imported image over a restart', async () => {
    const key = /setup#(\S+)/.exec(journal())?.[1] ?? '';
    const user = await createAdministrator(url, key);
    imageUid = await user.importImage(bytes);
    await expectImage();
    expectRun('systemctl', 'restart', 'dentarium');
    await expectImage();
  });

  it('stops the database before it ends', () => {
    expectRun('systemctl', 'stop', 'dentarium');
    expect(expectRun('systemctl', 'show', '-p', 'Result', 'dentarium')).toBe('Result=success\n');
    expect(readFileSync(machine.at('var/lib/dentarium/database.log'), 'utf8')).toContain(
      'database system is shut down',
    );
    expectRun('systemctl', 'start', 'dentarium');
  });

  it('runs commands of root as the user dentarium', () => {
    expect(expectRun('dentarium', '--help')).toContain('dentarium');
    const output = expectRun('dentarium', 'verify', '--full');
    expect(output).toContain('Every record has its intact file');
    // PostgreSQL complains when its user cannot enter the working directory.
    expect(output).not.toContain('could not change directory');
    expect(expectRun('find', '/var/lib/dentarium', '-not', '-user', 'dentarium')).toBe('');
  });

  it('starts after a power cut, when a process of another user has the id in the lock', async () => {
    expectRun('systemctl', 'stop', 'dentarium');
    expectRun('sh', '-c', `printf '1 12345\\nserver\\n' > ${lock} && chown dentarium: ${lock}`);
    expectRun('systemctl', 'start', 'dentarium');
    await expectImage();
  });

  it('waits for a command that has locked the data folder', async () => {
    expectRun('systemctl', 'stop', 'dentarium');
    const hold = `echo "$$ $(cut -d ' ' -f 22 /proc/$$/stat)\ncommand" > ${lock}\nexec sleep 600\n`;
    writeFileSync(machine.at('usr/local/lib/hold'), hold);
    expectRun('systemd-run', '--uid=dentarium', '--unit=holder', 'sh', '/usr/local/lib/hold');
    while (!existsSync(machine.at(lock))) await pause(100);
    expectRun('systemctl', 'start', 'dentarium');
    while (!journal().includes('Waiting for the command of process')) await pause(200);
    expect(await fetch(url).catch(() => null)).toBeNull();
    expectRun('systemctl', 'stop', 'holder');
    await expectImage();
  });

  it('does not upgrade when the backup fails: the older version runs on', async () => {
    expectRun('sh', '-c', 'rmdir /var/backups/dentarium && touch /var/backups/dentarium');
    const { code, output } = machine.runOffline('dpkg', '-i', '/root/current.deb');
    expect(code).not.toBe(0);
    expect(output).toContain('the upgrade is stopped, because the backup to /var/backups/dentarium failed');
    await expectServed(older);
    await expectImage();
    expectRun('rm', '/var/backups/dentarium');
    expectRun('install', '-d', '-o', 'dentarium', '-g', 'dentarium', '-m', '0750', '/var/backups/dentarium');
  });

  it('writes a backup, then upgrades and keeps the settings', async () => {
    const { code, output } = machine.runOffline('dpkg', '-i', '/root/current.deb');
    expect(code, output).toBe(0);
    expect(output).toContain('writing a backup to /var/backups/dentarium');
    await expectServed(version);
    await expectImage();
    expectRun('dentarium', 'restore', '--check', '--from', '/var/backups/dentarium');
  });

  it('goes back to the older version with the backup that the upgrade wrote, as docs/operate.md describes', async () => {
    const makeFolder = ['install', '-d', '-o', 'dentarium', '-g', 'dentarium', '-m', '0750', '/var/lib/dentarium'];
    expectRun('systemctl', 'stop', 'dentarium');
    expectRun('mv', '/var/lib/dentarium', '/var/lib/dentarium.newer');
    expectRun(...makeFolder);
    expectRun('dpkg', '-i', '/root/previous.deb');
    expectRun('systemctl', 'stop', 'dentarium');
    expectRun('rm', '-r', '/var/lib/dentarium');
    expectRun(...makeFolder);
    expectRun('dentarium', 'restore', '--from', '/var/backups/dentarium');
    expectRun('cp', '-a', '/var/lib/dentarium.newer/master.key', '/var/lib/dentarium/master.key');
    expectRun('systemctl', 'start', 'dentarium');
    await expectServed(older);
    await expectImage();
  });

  it('keeps images and settings when it is removed, and serves them when it is installed again', async () => {
    expectRun('dpkg', '--remove', 'dentarium');
    expect(await fetch(url).catch(() => null)).toBeNull();
    expectRun('dpkg', '-i', '/root/current.deb');
    await expectServed(version);
    await expectImage();
  });

  it('keeps images when it is purged, and says how to delete them', () => {
    const output = expectRun('dpkg', '--purge', 'dentarium');
    expect(output).toContain('rm -r /var/lib/dentarium /var/backups/dentarium');
    expect(expectRun('ls', '/var/lib/dentarium')).toContain('files');
    expect(machine.run('ls', '/etc/dentarium').code).not.toBe(0);
    expect(expectRun('find', '/etc/systemd', '-name', 'dentarium*')).toBe('');
  });
});
