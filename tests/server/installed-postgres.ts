import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { postgresUser } from '../../server/db/postgres-user.ts';
import { isResponding, superuser, waitFor } from '../../server/db/postmaster.ts';

/** A cluster of the PostgreSQL installed in `bin`, on a socket in its folder, for one test run. */
export const openInstalledPostgres = async (binFolder: string, folder: string) => {
  const binaries = { initdb: path.join(binFolder, 'initdb'), postgres: path.join(binFolder, 'postgres'), major: '' };
  const user = postgresUser(binaries, folder);
  mkdirSync(folder, { mode: 0o700 });
  if (user.owner) chownSync(folder, user.owner.uid, user.owner.gid);
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const initdb = user.command(binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]);
  const made = spawnSync(initdb.file, initdb.args, { ...initdb, env: environment, encoding: 'utf8', cwd: '/' });
  if (made.status !== 0) throw new Error(`initdb of ${binFolder}: ${made.stderr}`);
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=200'];
  const server = user.command(binaries.postgres, ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])]);
  const child = spawn(server.file, server.args, { ...server, env: environment, stdio: 'ignore', cwd: '/' });
  const exit = once(child, 'exit');
  let ended = false;
  void exit.then(() => {
    ended = true;
  });
  const ready = await waitFor(() => isResponding(folder, folder), { milliseconds: 60_000, whileTrue: () => !ended });
  if (!ready) throw new Error(`the PostgreSQL of ${binFolder} did not start`);
  return {
    host: folder,
    close: async () => {
      child.kill('SIGINT');
      await exit;
    },
  };
};
