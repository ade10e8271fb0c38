import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { firstAdministrator } from '../contract/account.ts';
import { openid } from '../contract/sign-in.ts';
import { requestJson } from './import/http.ts';

const main = path.join(import.meta.dirname, '../server/main.ts');
export const benchAccount = { email: 'bench@dentarium.example', password: 'Bench-2026!' };
const names = { firstName: 'Bench', lastName: 'Bench', organisationName: 'Bench' };

/** Hundredths of a second that a process has worked (proc(5), utime and stime); 20 of them in a second count as rest. */
const processorTime = (pid: number | undefined): number => {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return Math.round((user + system) / 20);
};

export interface OwnServer {
  readonly url: string;
  /** Process id. */
  readonly pid: number | undefined;
  /** The clinic that the first administrator made. */
  readonly customerId: string | undefined;
  /** Returns the header of a call, valid for the lifetime of an access token. */
  readonly signIn: () => Promise<{ readonly authorization: string }>;
  /** Waits until it is idle. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface OwnServerOptions {
  readonly dataFolder: string;
  readonly port: number;
  /** Of Node. */
  readonly flags?: readonly string[];
  /** Further arguments of the server. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The program as it runs in a clinic, in a process of its own with its own PostgreSQL; in it one administrator and one clinic. */
export const startOwnServer = async (options: OwnServerOptions): Promise<OwnServer> => {
  const { dataFolder, port, flags = [], args = [], environment = {} } = options;
  const { DATABASE_URL: _, ...inherited } = process.env;
  const command = [...flags, main, '--port', String(port), '--data', dataFolder, '--empty', ...args];
  const env = { ...environment, ...inherited };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
  });
  while (!screen.includes('  Data  ')) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`our server ended with ${child.exitCode}: ${screen}`);
  }
  const url = `http://localhost:${port}`;
  const signIn = async () => {
    const credentials = { username: benchAccount.email, password: benchAccount.password, scope: openid.scope };
    const body = new URLSearchParams({ client_id: openid.clientId, grant_type: 'password', ...credentials });
    const reply = await fetch(`${url}${openid.tokenPath}`, { method: 'POST', headers: { origin: url }, body });
    return { authorization: `Bearer ${(await reply.json()).access_token}` };
  };
  const key = /\/setup#(\S+)/.exec(screen)?.[1] ?? '';
  await requestJson('POST', `${url}${firstAdministrator.path}`, {}, { key, ...benchAccount, ...names });
  const clinics = await requestJson<{ data: { id: string }[] }>('GET', `${url}/api/Customer/get_all`, await signIn());
  return {
    url,
    signIn,
    pid: child.pid,
    customerId: clinics.data[0]?.id,
    rest: async () => {
      for (let before = -1, now = processorTime(child.pid); before !== now; now = processorTime(child.pid)) {
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    },
    close: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};
