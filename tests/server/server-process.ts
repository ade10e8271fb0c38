import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildServer } from '../../server/build.ts';
import { connect } from '../../server/db/client.ts';
import { openLog } from '../../server/log.ts';

/** The whole server as a process of its own on the database of a test, to be killed. Prints its address. */
const { address, publicUrl } = JSON.parse(process.argv[2] ?? '{}');
const { server } = await buildServer({
  database: connect(address),
  log: openLog(null, 'info'),
  publicUrl,
  trustProxy: false,
  browserFolder: null,
  dataFolder: mkdtempSync(path.join(os.tmpdir(), 'dentarium-server-')),
  checkReplies: true,
  versions: { adminVersion: '0.0.0', gitCommitNumber: 'test', dataLibraryVersion: '0.0.0' },
  demoAccounts: async () => [],
});
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
