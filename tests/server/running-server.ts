import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { type BuiltServer, buildServer } from '../../server/build.ts';
import type { Database } from '../../server/db/client.ts';
import { openLog } from '../../server/log.ts';
import { writeKeyFile } from '../../server/secrets/master-key.ts';
import type { ServerDependencies } from '../../server/server-dependencies.ts';
import { password } from './clinic.ts';
import { masterKeyUnderTest, vaultUnderTest } from './vault-under-test.ts';

export interface RunningServer extends BuiltServer {
  readonly url: string;
  close(): Promise<void>;
}

const folders = new WeakMap<Database, string>();

/** All servers of one database share a data folder, because an archive rejects another one. Removed at the end of the run. */
const folderOf = (database: Database, chosen?: string): string => {
  const known = chosen ?? folders.get(database);
  if (known) {
    folders.set(database, known);
    return known;
  }
  const made = mkdtempSync(path.join(process.env.DENTARIUM_TEST_FOLDER ?? os.tmpdir(), 'dentarium-server-'));
  folders.set(database, made);
  return made;
};

/** The data folder of all servers of this database. */
export const dataFolderOf = (database: Database): string => folderOf(database);

/** Starts the real server on a free or the given local port. */
export const runServer = async (
  database: Database,
  extra: Partial<ServerDependencies> = {},
  port = 0,
): Promise<RunningServer> => {
  const dataFolder = folderOf(database, extra.dataFolder);
  // Where commands find it.
  await writeKeyFile(path.join(dataFolder, 'master.key'), masterKeyUnderTest);
  const built = await buildServer({
    database,
    vault: vaultUnderTest(),
    filesFolder: await openArchiveFolder(database.db, path.join(dataFolder, 'files')),
    log: openLog(null, 'info'),
    publicUrl: 'http://localhost',
    trustProxy: null,
    browserFolder: null,
    checkReplies: true,
    versions: { adminVersion: '0.0.0', gitCommitNumber: 'test', dataLibraryVersion: '0.0.0' },
    demoAccounts: async () => [],
    ...extra,
    dataFolder,
  });
  const url = await built.server.listen({ port, host: '127.0.0.1' });
  return { ...built, url, close: () => built.server.close() };
};

export const requestTokens = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${url}${openid.tokenPath}`, {
    method: 'POST',
    // Like a browser.
    headers: { origin: url },
    body: new URLSearchParams({ client_id: openid.clientId, ...fields }),
  });

export const signIn = async (url: string, email: string): Promise<TokenReply> => {
  const reply = await requestTokens(url, { grant_type: 'password', username: email, password, scope: openid.scope });
  if (!reply.ok) throw new Error(`sign-in of ${email}: ${reply.status} ${await reply.text()}`);
  return reply.json();
};

export const bearer = (tokens: TokenReply) => ({ authorization: `Bearer ${tokens.access_token}` });
