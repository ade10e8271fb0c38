import path from 'node:path';
import { openArchiveFolder } from './archive-folder/open-folder.ts';
import { lostArchive } from './backup/lost-archive.ts';
import { buildServer } from './build.ts';
import { createCloseStack } from './close-stack.ts';
import { type Config, readConfig } from './config.ts';
import { openDataFolderOfServer } from './data-folder.ts';
import { withPreparationLock } from './db/node-locks.ts';
import { openDatabase } from './db/open-database.ts';
import { claimPublicUrl } from './db/public-url-claim.ts';
import { ensureBuiltInRoles } from './db/stores/role-store.ts';
import { ensureStandardTemplates } from './db/stores/templates.ts';
import { untilAvailable } from './db/until-available.ts';
import { demoAccountsOf } from './demo-seed/demo-accounts.ts';
import { isDemoRequested, seedDemo } from './demo-seed/seed-demo.ts';
import { startGatewayProcess } from './dicom-gateway/gateway-process.ts';
import { callTlsOf } from './dicom-gateway/tls-files.ts';
import { openFilesRoot } from './files-root.ts';
import { firstAdministratorOf } from './identity/first-administrator.ts';
import { asAddressError, ensurePortFree, listen } from './listen.ts';
import { loadSettings } from './load-settings.ts';
import { type Logger, openLog, openOutputLog } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type MetricsAddress, metricsVariables } from './metrics/metrics-address.ts';
import { openMetricsListener } from './metrics/metrics-listener.ts';
import { progressOn } from './progress.ts';
import { readFlags } from './read-flags.ts';
import { openVault } from './secrets/open-vault.ts';
import type { ServerDependencies } from './server-dependencies.ts';
import { StartupError } from './startup-error.ts';
import { startupMessage } from './startup-message.ts';
import { onTermination } from './termination.ts';
import { version } from './version.ts';

const root = path.dirname(import.meta.dirname);
const opened = createCloseStack();
const stopping = new AbortController();

const versions = {
  adminVersion: version,
  gitCommitNumber: process.env.DENTARIUM_COMMIT ?? 'development',
  dataLibraryVersion: version,
};

const { variable } = metricsVariables.address;
const metricsSetting = { port: variable, host: variable };

/** Serves the metrics on their own address. @throws StartupError */
const serveMetrics = async (metrics: Metrics, address: MetricsAddress, log: Logger): Promise<void> => {
  metrics.observeProcess();
  try {
    const listener = await openMetricsListener(metrics, address, (error) =>
      log.error({ err: error }, 'metrics failed'),
    );
    opened.add(listener.close);
  } catch (error) {
    throw asAddressError(error, address, metricsSetting);
  }
};

const start = async (): Promise<void> => {
  const flags = readFlags(process.argv.slice(2));
  const config: Config = readConfig(loadSettings(flags), flags);
  const { dataFolder } = config;
  /** Messages for people; standard output may belong to the log. */
  const terminal = config.log === 'stdout' ? process.stderr : process.stdout;
  const progress = progressOn(terminal);
  if (!config.seedOnly) await ensurePortFree(config);
  if (!config.seedOnly && config.metrics) await ensurePortFree(config.metrics, metricsSetting);
  const lost = await lostArchive(config);
  if (lost) throw new StartupError(lost);
  const { release } = await openDataFolderOfServer(dataFolder, {
    exclusive: !config.databaseUrl,
    signal: stopping.signal,
    onWait: (pid) => progress.step(`Waiting for the command of process ${pid}, which uses the data folder`),
  });
  opened.add(release);
  // Files created from here on are readable by this user only.
  process.umask(0o077);
  const log =
    config.log === 'stdout'
      ? openOutputLog(config.logLevel)
      : openLog(path.join(dataFolder, 'server.log'), config.logLevel);
  const { database, close } = await openDatabase(config, {
    progress: progress.step,
    onLost: () => log.error('the embedded database ended by itself and is started again; see database.log'),
    onBack: (milliseconds) => log.warn({ milliseconds }, 'the embedded database is back'),
    onGivenUp: (error) => {
      log.fatal({ err: error }, 'the embedded database cannot be started again');
      void failed(new StartupError('The database ended and cannot be started again; see database.log'));
    },
  });
  opened.add(close);
  const { db } = database;
  /** Retries an idempotent startup step while the database is unavailable. */
  const retryUntilAvailable = <Result>(work: () => Promise<Result>): Promise<Result> =>
    untilAvailable(work, {
      milliseconds: config.databaseWaitSeconds * 1_000,
      signal: stopping.signal,
      onWait: () => progress.step('Waiting for the database'),
    });
  const filesRoot = await openFilesRoot(config);
  const prepare = async () => {
    // Before anything is written to the database.
    const folder = await openArchiveFolder(db, filesRoot);
    await ensureBuiltInRoles(db);
    await ensureStandardTemplates(db);
    if (!config.empty && (await isDemoRequested(db)))
      await seedDemo({ db, dataFolder, filesRoot, signal: stopping.signal }, (done, total) =>
        progress.count('Drawing the demo clinic, images', done, total),
      );
    return folder;
  };
  const filesFolder = await retryUntilAvailable(() =>
    withPreparationLock(database.address, prepare, () =>
      progress.step('Waiting for another server to prepare the database'),
    ),
  );
  if (config.seedOnly) return opened.closeAll();
  const vault = await retryUntilAvailable(() => openVault(db, config.masterKey));

  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  const claim = await claimPublicUrl(database.address, address, { onLost: (reason) => void failed(reason) });
  opened.add(claim.close);
  const demoAccounts = () => demoAccountsOf(db);
  const dependencies: ServerDependencies = {
    database,
    vault,
    isDatabaseEmbedded: !config.databaseUrl,
    log,
    publicUrl: address,
    roles: config.roles,
    trustProxy: config.trustProxy,
    filesFolder,
    dataFolder,
    renditionBytes: config.renditionGb * 1e9,
    objectStore: config.objectStore,
    imports: config.imports,
    fileCheck: config.fileCheck,
    dicomWebOrigins: config.dicomWebOrigins,
    dicomAeTitle: config.dicom.aeTitle,
    dicomTls: callTlsOf(config.dicom.tls),
    backup: config.backup,
    mail: config.mail,
    identity: config.identity,
    accessLogYears: config.accessLogYears,
    clinicRestoreDays: config.clinicRestoreDays,
    browserFolder: config.dev ? null : path.join(root, 'dist'),
    checkReplies: config.dev,
    versions,
    demoAccounts,
  };
  const { server, metrics } = await retryUntilAvailable(() => buildServer(dependencies));
  opened.add(() => server.close());
  await listen(server, config);
  if (config.metrics) await serveMetrics(metrics, config.metrics, log);
  if (flags.dicom === true && config.dicom.listen) {
    const gateway = startGatewayProcess(process.argv.slice(2), (code) =>
      log.error({ code }, 'the process for DICOM devices ended'),
    );
    opened.add(gateway.close);
  }
  const firstAdministratorKey = await retryUntilAvailable(() => firstAdministratorOf(db).newKey());
  const shownAccounts = await retryUntilAvailable(demoAccounts);
  log.info({ version, address }, 'server started');
  const message = startupMessage({
    address,
    hasMailServer: config.mail !== null,
    hasPublicUrl: config.publicUrl !== undefined,
    dataFolder,
    demoAccounts: shownAccounts,
    firstAdministratorKey,
    isInTerminal: terminal.isTTY === true,
  });
  terminal.write(`${message}\n`);
};

const failed = async (error: unknown): Promise<void> => {
  if (!stopping.signal.aborted) console.error(error instanceof StartupError ? error.message : error);
  await opened.closeAll().catch(() => undefined);
  process.exit(1);
};

const started = start();
/** Shuts down in order. */
const stop = async (): Promise<void> => {
  stopping.abort();
  await started;
  await opened.closeAll();
  process.exit(0);
};
onTermination(() => void stop().catch(failed));
await started.catch(failed);
