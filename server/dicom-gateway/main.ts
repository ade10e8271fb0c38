import path from 'node:path';
import { inspect } from 'node:util';
import { createAccessLog } from '../access-log/access-log.ts';
import { openArchiveFolder } from '../archive-folder/open-folder.ts';
import { watchFolder } from '../archive-folder/watch-folder.ts';
import { createCloseStack } from '../close-stack.ts';
import { type Config, readConfig } from '../config.ts';
import { requeueStored } from '../db/stores/derive-retries.ts';
import { createImaging } from '../dicom/imaging.ts';
import type { AssociationReport } from '../dimse/provider/listen.ts';
import { openFilesRoot } from '../files-root.ts';
import { createObjectReceiver } from '../imports/receive-object.ts';
import { asAddressError } from '../listen.ts';
import { loadSettings } from '../load-settings.ts';
import { type Logger, openLog, openOutputLog } from '../log.ts';
import { readFlags } from '../read-flags.ts';
import { StartupError } from '../startup-error.ts';
import { createDiskSpace } from '../storage/disk-space.ts';
import { homeOf } from '../storage/home-of.ts';
import { onTermination } from '../termination.ts';
import { version } from '../version.ts';
import { startCommitmentReports } from './commitment/commitment-reports.ts';
import { type GatewayAddress, gatewayVariables } from './gateway-settings.ts';
import { openGateway } from './open-gateway.ts';
import { openServedDatabase } from './served-database.ts';
import { callTlsOf, tlsOptionsOf } from './tls-files.ts';

const opened = createCloseStack();
const stopping = new AbortController();
const { port: portSetting, host: hostSetting } = gatewayVariables;

const openLogOf = ({ log, logLevel, dataFolder }: Config): Logger =>
  log === 'stdout' ? openOutputLog(logLevel) : openLog(path.join(dataFolder, 'dicom.log'), logLevel);

const requireAddress = ({ dicom: { listen } }: Config): GatewayAddress => {
  if (listen) return listen;
  throw new StartupError(`Set ${portSetting.variable} to the port on which DICOM devices connect`);
};

/** The titles of a refused caller are in the access log. */
const noteEnd =
  (log: Logger) =>
  ({ address, rejection, end }: AssociationReport) =>
    log.info({ address, rejection, end }, 'association ended');

const start = async (): Promise<void> => {
  const flags = readFlags(process.argv.slice(2));
  const config = readConfig(loadSettings(flags), flags);
  const { host, port, tls } = requireAddress(config);
  const tlsOptions = tls && tlsOptionsOf(tls);
  // Files created from here on are readable by this user only.
  process.umask(0o077);
  const log = openLogOf(config);
  const database = await openServedDatabase(config, stopping.signal, (text) => process.stderr.write(`${text}\n`));
  opened.add(database.close);
  const { db } = database;
  const onFailure = (error: unknown) => log.error({ err: error }, 'DICOM service failed');
  const { root } = await openArchiveFolder(db, await openFilesRoot(config));
  const home = homeOf(root);
  const folder = watchFolder({
    db,
    root,
    onFailure,
    onAvailable: () => undefined,
    onStored: async (hashes) => void (await requeueStored(db, hashes)),
  });
  opened.add(folder.close);
  const diskSpace = createDiskSpace({ folder: home.localFolder, reservedBytes: config.imports.reservedBytes });
  const files = await home.openStore({
    ensureSpace: () => diskSpace.ensure(0),
    isAway: () => !folder.isAvailable(),
    onStored: async (hashes) => folder.stored(hashes),
  });
  const { fileBytes, filesPerImport } = config.imports.limits;
  const callTls = callTlsOf(config.dicom.tls);
  const imaging = createImaging({ maxFileBytes: fileBytes });
  opened.add(imaging.close);
  const reports = startCommitmentReports({
    db,
    aeTitle: config.dicom.aeTitle,
    tls: callTls,
    onOutcome: (outcome) =>
      log[outcome.result === 'reported' ? 'info' : 'warn'](outcome, 'storage commitment of a DICOM device'),
    onFailure,
  });
  opened.add(reports.close);
  try {
    const gateway = await openGateway({
      db,
      files,
      imaging,
      accessLog: createAccessLog(db),
      receiver: createObjectReceiver({ db, filesPerImport }),
      maxObjectBytes: fileBytes,
      filesPerImport,
      aeTitle: config.dicom.aeTitle,
      host,
      port,
      tls: tlsOptions,
      callTls,
      onEnd: noteEnd(log),
      onFailure,
    });
    opened.add(gateway.close);
  } catch (error) {
    throw asAddressError(error, { host, port }, { port: portSetting.variable, host: hostSetting.variable });
  }
  log.info({ version, port, tls: tls !== null }, 'DICOM devices can connect');
  process.stderr.write(`DICOM devices can connect to ${config.dicom.aeTitle} on port ${port}\n`);
};

const failed = async (error: unknown): Promise<void> => {
  const text = error instanceof StartupError ? error.message : inspect(error);
  if (!stopping.signal.aborted) process.stderr.write(`${text}\n`);
  await opened.closeAll().catch(() => undefined);
  process.exit(1);
};

const started = start();
/** Aborts the associations, and ends. */
const stop = async (): Promise<void> => {
  stopping.abort();
  await started;
  await opened.closeAll();
  process.exit(0);
};
onTermination(() => void stop().catch(failed));
// The server that started this process has ended.
process.once('disconnect', () => void stop().catch(failed));
await started.catch(failed);
