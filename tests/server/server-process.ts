import path from 'node:path';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { buildServer } from '../../server/build.ts';
import { connect } from '../../server/db/client.ts';
import { openLog } from '../../server/log.ts';
import { vaultUnderTest } from './vault-under-test.ts';

/** The whole server in a child process on a test database, to be killed. Prints its address. */
const { address, publicUrl, dataFolder } = JSON.parse(process.argv[2] ?? '{}');
const database = connect(address);
const { server } = await buildServer({
  database,
  vault: vaultUnderTest(),
  filesFolder: await openArchiveFolder(database.db, path.join(dataFolder, 'files')),
  log: openLog(null, 'info'),
  publicUrl,
  trustProxy: null,
  browserFolder: null,
  dataFolder,
  checkReplies: true,
  versions: { adminVersion: '0.0.0', gitCommitNumber: 'test', dataLibraryVersion: '0.0.0' },
  demoAccounts: async () => [],
});
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
