import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import { type BuiltServer, buildServer, type ServerDependencies } from '../../server/build.ts';
import type { Database } from '../../server/db/client.ts';
import { openLog } from '../../server/log.ts';
import { password } from './clinic.ts';

export interface RunningServer extends BuiltServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The real server on a free port of this machine, or on the one that is wanted. */
export const runServer = async (
  database: Database,
  extra: Partial<ServerDependencies> = {},
  port = 0,
): Promise<RunningServer> => {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-server-'));
  const built = await buildServer({
    database,
    log: openLog(null, 'info'),
    publicUrl: 'http://localhost',
    trustProxy: false,
    browserFolder: null,
    dataFolder,
    checkReplies: true,
    versions: { adminVersion: '0.0.0', gitCommitNumber: 'test', dataLibraryVersion: '0.0.0' },
    demoAccounts: async () => [],
    ...extra,
  });
  const url = await built.server.listen({ port, host: '127.0.0.1' });
  const close = async () => {
    await built.server.close();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return { ...built, url, close };
};

export const askForTokens = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${url}${openid.tokenPath}`, {
    method: 'POST',
    // As a browser does it.
    headers: { origin: url },
    body: new URLSearchParams({ client_id: openid.clientId, ...fields }),
  });

export const signIn = async (url: string, email: string): Promise<TokenReply> => {
  const reply = await askForTokens(url, { grant_type: 'password', username: email, password, scope: openid.scope });
  if (!reply.ok) throw new Error(`sign-in of ${email}: ${reply.status} ${await reply.text()}`);
  return reply.json();
};

export const bearer = (tokens: TokenReply) => ({ authorization: `Bearer ${tokens.access_token}` });
