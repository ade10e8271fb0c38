import fastify from 'fastify';
import { logRefusedCalls } from '../../server/access-log/refused-calls.ts';
import { openArchive } from '../../server/archive.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { connect } from '../../server/db/client.ts';
import { startCommitmentReports } from '../../server/dicom-gateway/commitment/commitment-reports.ts';
import { startFetching } from '../../server/dicom-gateway/fetching/fetch-runner.ts';
import { startSending } from '../../server/dicom-gateway/sending/sending-runner.ts';
import { openFilesRoot } from '../../server/files-root.ts';
import { problemReplies } from '../../server/problem-replies.ts';
import { vaultUnderTest } from './vault-under-test.ts';

/** The archive in a child process that can be killed. Argument: JSON with the database address, the data folder and the caller. */
const {
  address,
  dataFolder,
  accountId,
  customerId,
  leaseSeconds = 1,
  objectStore = null,
  bucket = null,
  sends = false,
  reports = false,
  fetches = false,
  retrySeconds = [0.1, 0.1, 0.1],
} = JSON.parse(process.argv[2] ?? '{}');
const { db } = connect(address);
const archive = await openArchive({
  db,
  vault: vaultUnderTest(),
  filesFolder: await openArchiveFolder(db, await openFilesRoot({ dataFolder, filesBucket: bucket })),
  dataFolder,
  hub: { publish: async () => undefined },
  onFailure: (error, about) => console.error(about, error),
  leaseSeconds,
  objectStore,
});
if (sends)
  startSending({
    db,
    files: archive.files,
    imaging: archive.imaging,
    accessLog: archive.accessLog,
    isAvailable: () => true,
    aeTitle: 'DENTARIUM',
    tls: {},
    leaseSeconds,
    retrySeconds: [0.1, 0.1, 0.1],
    onFailure: (error) => console.error('sending', error),
    onAttemptFailed: () => undefined,
  });
if (reports)
  startCommitmentReports({
    db,
    aeTitle: 'DENTARIUM',
    tls: {},
    leaseSeconds,
    retrySeconds: [0.1],
    onOutcome: () => undefined,
    onFailure: (error) => console.error('reporting', error),
  });
if (fetches)
  startFetching({
    db,
    files: archive.files,
    accessLog: archive.accessLog,
    isAvailable: () => true,
    aeTitle: 'DENTARIUM',
    tls: {},
    maxObjectBytes: 1 << 30,
    filesPerImport: 1_000,
    wakeImports: archive.wakeImports,
    leaseSeconds,
    retrySeconds,
    onFailure: (error) => console.error('fetching', error),
    onAttemptFailed: () => undefined,
  });
const server = fastify();
problemReplies(server, logRefusedCalls(server, db));
archive.routes(server, {
  checkReplies: true,
  serviceOf: async () => undefined,
  authenticate: async () => ({
    accountId,
    customerId,
    role: 'Doctor',
    permissions: [],
    closedClinics: [],
    grantId: '',
  }),
});
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
