import path from 'node:path';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { connect } from '../../server/db/client.ts';
import { startFetching } from '../../server/dicom-gateway/fetching/fetch-runner.ts';
import { openGateway } from '../../server/dicom-gateway/open-gateway.ts';
import { createObjectReceiver } from '../../server/imports/receive-object.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';

/**
 * The gateway, or the job that fetches, in a child process that can be killed. Argument: JSON with the database address, the data folder, and `gatewayPort`
 * (0: any port) or `fetches`. Prints the port, or 0.
 */
const { address, dataFolder, gatewayPort = null, fetches = false } = JSON.parse(process.argv[2] ?? '{}');
const { db } = connect(address);
const root = path.join(dataFolder, 'files');
await openArchiveFolder(db, root);
const options = {
  db,
  files: await openDiskStore(root),
  accessLog: createAccessLog(db),
  aeTitle: 'DENTARIUM',
  maxObjectBytes: 2 ** 30,
  filesPerImport: 1_000,
  onFailure: (error: unknown) => console.error(error),
};
if (fetches)
  startFetching({
    ...options,
    isAvailable: () => true,
    tls: {},
    wakeImports: () => undefined,
    onAttemptFailed: () => undefined,
    retrySeconds: [0.1, 0.1],
  });
const gateway =
  gatewayPort === null
    ? null
    : await openGateway({
        ...options,
        imaging: { frame: () => Promise.reject(new Error('nothing is decoded here')) },
        receiver: createObjectReceiver({ db, filesPerImport: 1_000 }),
        host: '127.0.0.1',
        port: gatewayPort,
        tls: null,
        callTls: {},
        onEnd: () => undefined,
      });
console.log(gateway?.port ?? 0);
