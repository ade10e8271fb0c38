import { maxHeaderSize } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { aboutRoutes } from './about-routes.ts';
import { logRefusedCalls } from './access-log/refused-calls.ts';
import { refusedWarnings } from './access-log/refused-warnings.ts';
import { startLogRetention } from './access-log/retention.ts';
import { accessLogRoutes } from './access-log/routes.ts';
import { type Archive, openArchive } from './archive.ts';
import { folderWarnings } from './archive-folder/folder-warnings.ts';
import { startAutomaticBackup } from './backup/automatic-backup.ts';
import { backupState } from './backup/backup-state.ts';
import { backupWarnings } from './backup/backup-warnings.ts';
import { sealKey } from './db/stores/seal-key.ts';
import { dicomUserOf } from './dicom-gateway/dicom-user.ts';
import type { FailedAttempt } from './dicom-gateway/failed-attempt.ts';
import { startFetching } from './dicom-gateway/fetching/fetch-runner.ts';
import { findStudiesAs } from './dicom-gateway/fetching/find-studies.ts';
import { gatewayVariables } from './dicom-gateway/gateway-settings.ts';
import { startSending } from './dicom-gateway/sending/sending-runner.ts';
import { healthRoutes } from './health-routes.ts';
import type { Hub } from './hub/hub.ts';
import { openHub } from './hub/open-hub.ts';
import { authenticator as authenticatorOf } from './identity/authenticate.ts';
import { firstAdministratorOf } from './identity/first-administrator.ts';
import { hashingQueueState } from './identity/hashing-queue.ts';
import { identityRoutes } from './identity/identity.ts';
import { readIdentitySettings } from './identity/identity-settings.ts';
import { openKeys } from './identity/keys.ts';
import { prepareEmail } from './identity/prepare-email.ts';
import { defaultRetention } from './imports/import-settings.ts';
import { defaultLimits } from './imports/limits.ts';
import { fileErrorWarnings } from './integrity/file-error-warnings.ts';
import { noJobOwner, openJobOwner } from './jobs/job-owner.ts';
import { mailWarnings } from './mail/mail-warnings.ts';
import { openMail } from './mail/open-mail.ts';
import { mailTest } from './mail/test-message.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { closeRoutes } from './node-roles.ts';
import { problemReplies } from './problem-replies.ts';
import type { Binding } from './route-binding.ts';
import { keepSecretsEncrypted } from './secrets/keep-encrypted.ts';
import type { ServerDependencies } from './server-dependencies.ts';
import { publicOriginOf } from './storage/object-store-config.ts';
import { announce } from './system-status/announce-node.ts';
import { certificateCheck } from './system-status/certificate-check.ts';
import { diskWarnings } from './system-status/disk-warnings.ts';
import { originWarnings } from './system-status/origin-warnings.ts';
import { systemDetailsOf } from './system-status/system-details.ts';
import { systemStatusRoutes } from './system-status/system-status-routes.ts';
import { testMessageRoutes } from './system-status/test-messages.ts';
import { version } from './version.ts';
import { browserFiles } from './web/browser-files.ts';
import { callLog } from './web/call-log.ts';
import { replyToClientError } from './web/client-errors.ts';
import { noStore } from './web/no-store.ts';
import { watchOrigins } from './web/origin-watch.ts';
import { rateLimits } from './web/rate-limits.ts';
import { replyRequestIds, requestIdOf } from './web/request-ids.ts';
import { securityHeaders } from './web/security-headers.ts';
import { endSlowBodies } from './web/slow-bodies.ts';
import { wellFormed } from './web/well-formed.ts';

export interface BuiltServer {
  readonly server: FastifyInstance;
  readonly hub: Hub;
  readonly archive: Archive;
  readonly metrics: Metrics;
}

/** Makes automatic backups while the server runs. */
const makeBackups = (server: FastifyInstance, deps: ServerDependencies): void => {
  const { database, log, backup, dataFolder } = deps;
  if (!backup) return;
  const job = startAutomaticBackup({
    database,
    settings: backup,
    root: deps.filesFolder.root,
    dataFolder,
    version,
    keepMs: (deps.imports?.retention ?? defaultRetention).keepMs,
    onDone: ({ backup: { folder, files, sizeBytes, copied, absent }, removed }) =>
      log.info({ folder, files, sizeBytes, copied, absent: absent.length, removed }, 'backup written'),
    onFailure: (error) => log.error({ err: error }, 'automatic backup failed'),
  });
  server.addHook('onClose', job.close);
};

const assemble = async (server: FastifyInstance, deps: ServerDependencies): Promise<BuiltServer> => {
  const { database, vault, log, publicUrl, trustProxy, objectStore = null } = deps;
  const { dicomAeTitle = gatewayVariables.aeTitle.default, dicomTls = {} } = deps;
  const { roles = 'both' } = deps;
  const works = roles !== 'web';
  const { db } = database;
  const encryption = await keepSecretsEncrypted(db, vault, (error) => log.error({ err: error }, 'encryption failed'));
  server.addHook('onClose', encryption.close);
  const keys = await openKeys(db, vault);
  const authenticator = authenticatorOf(db, keys, publicUrl);
  const { authenticate, serviceOf } = authenticator;
  const binding: Binding = { authenticate, serviceOf, checkReplies: deps.checkReplies };
  const firstAdministrator = firstAdministratorOf(db);

  replyRequestIds(server);
  callLog(server);
  const metrics = createMetrics({ version: deps.versions.adminVersion, commit: deps.versions.gitCommitNumber });
  metrics.measureCalls(server);
  closeRoutes(server, roles);
  const origins = watchOrigins(server, { publicUrl, trustProxy });
  noStore(server);
  endSlowBodies(server);
  const node = announce(db, { version, roles }, (error) => log.error({ err: error }, 'node not announced'));
  server.addHook('onClose', node.close);
  const owner = works ? openJobOwner(database.address) : noJobOwner;
  server.addHook('onClose', owner.close);
  await rateLimits(server, node.count);
  problemReplies(server, logRefusedCalls(server, db));
  await securityHeaders(server, publicUrl, objectStore && publicOriginOf(objectStore));
  let wakeWork = () => {};
  const hub = await openHub(server, {
    database,
    authenticate,
    publicUrl,
    isAlone: node.isAlone,
    onWork: () => wakeWork(),
    ...(deps.hubPingMilliseconds === undefined ? {} : { pingMilliseconds: deps.hubPingMilliseconds }),
  });
  const archive = await openArchive({
    db,
    vault,
    hub,
    filesFolder: deps.filesFolder,
    dataFolder: deps.dataFolder,
    objectStore,
    dicomWeb: { publicUrl, origins: deps.dicomWebOrigins ?? [] },
    findStudies: findStudiesAs(dicomAeTitle, dicomTls),
    works,
    wakeOthers: hub.wakeWorkers,
    runOwned: owner.run,
    backupKeepDays: deps.backup?.keepDays ?? null,
    ...(deps.imports ?? {}),
    ...(deps.fileCheck === undefined ? {} : { fileCheck: deps.fileCheck }),
    ...(deps.renditionBytes === undefined ? {} : { renditionBytes: deps.renditionBytes }),
    onFailure: (error, about) => log.error({ err: error }, `${about} failed`),
    onFilesReceived: (files) => metrics.countFiles('received', files),
    onFilesSettled: (files) => {
      for (const { status } of files) metrics.countFiles(status, 1);
    },
    onSwept: (swept) => log[swept.files + swept.unnamed > 0 ? 'warn' : 'info']({ swept }, 'files swept'),
  });
  server.addHook('onClose', archive.close);
  if (works) wakeWork = archive.wakeImports;
  const logFailedAttempt = (attempt: FailedAttempt) => log.warn(attempt, 'an attempt to reach a DICOM device failed');
  const sending = startSending({
    db,
    files: archive.files,
    imaging: archive.imaging,
    accessLog: archive.accessLog,
    isAvailable: archive.mayWork,
    aeTitle: dicomAeTitle,
    tls: dicomTls,
    onFailure: (error) => log.error({ err: error }, 'sending to a DICOM device failed'),
    onAttemptFailed: logFailedAttempt,
  });
  server.addHook('onClose', sending.close);
  const { fileBytes, filesPerImport } = deps.imports?.limits ?? defaultLimits;
  const fetching = startFetching({
    db,
    files: archive.files,
    accessLog: archive.accessLog,
    isAvailable: archive.mayWork,
    aeTitle: dicomAeTitle,
    tls: dicomTls,
    maxObjectBytes: fileBytes,
    filesPerImport,
    wakeImports: archive.wakeImports,
    onFailure: (error) => log.error({ err: error }, 'fetching from a DICOM device failed'),
    onAttemptFailed: logFailedAttempt,
  });
  server.addHook('onClose', fetching.close);
  healthRoutes(server, { db, isFolderAvailable: archive.folder.isAvailable });
  const settings = deps.identity ?? readIdentitySettings({});
  const { mailer, destination, hasMailServer, outbox } = await openMail(server, {
    db,
    settings: deps.mail ?? null,
    dataFolder: deps.dataFolder,
    demoAccounts: deps.demoAccounts,
    prepare: prepareEmail(db, settings.passwords.resetMinutes),
  });
  const identity = await identityRoutes(server, {
    db,
    vault,
    settings,
    mailer,
    mailDestination: destination,
    binding,
    authenticator,
    firstAdministrator,
    keys,
    issuer: publicUrl,
    signIns: metrics.signIns,
    clinicRestoreDays: deps.clinicRestoreDays ?? 30,
    dicomUser: dicomUserOf(dicomAeTitle, dicomTls),
  });
  metrics.observe({
    db,
    pool: database.pool,
    diskSpace: archive.diskSpace,
    hubConnections: hub.connectionCount,
    hashingQueue: hashingQueueState,
    onFailure: (error) => log.warn({ err: error }, 'metrics are incomplete'),
  });
  aboutRoutes(server, {
    binding,
    firstAdministrator,
    versions: deps.versions,
    demoAccounts: deps.demoAccounts,
    hasMailServer,
    outbox,
    ...identity,
  });
  archive.routes(server, binding);
  const disk = diskWarnings(archive.diskSpace);
  const fileWarnings = fileErrorWarnings(db);
  systemStatusRoutes(server, {
    binding,
    sources: [
      folderWarnings(db, archive.folder),
      fileWarnings,
      disk,
      ...(deps.backup ? [backupWarnings(db, deps.backup)] : []),
      originWarnings(origins, publicUrl),
      mailWarnings(db),
      refusedWarnings(db),
    ],
    details: systemDetailsOf({
      db,
      read: archive.diskSpace.read,
      isEmbedded: deps.isDatabaseEmbedded ?? false,
      version,
      hasMail: Boolean(deps.mail),
      hasSms: settings.sms !== null,
      diskWarnings: disk,
      fileWarnings,
      backup: () => backupState(db, deps.backup ?? null),
      certificate: certificateCheck(publicUrl),
      signInMethods: identity.offeredMethods,
      nodes: node.nodes,
    }),
  });
  testMessageRoutes(server, {
    db,
    binding,
    mail: mailTest(db, deps.mail ? mailer : null),
    sms: identity.testSms,
  });
  accessLogRoutes(server, { db, binding, accessLog: archive.accessLog });
  const key = await sealKey(db, vault);
  const logRetention = owner.run(() =>
    startLogRetention({
      db,
      key,
      years: deps.accessLogYears ?? 10,
      onSealed: ({ id, hash, mac }) => log.info({ seal: id, hash, mac }, 'access log sealed'),
      onFailure: (error) => log.error({ err: error }, 'access log failed'),
    }),
  );
  server.addHook('onClose', logRetention.close);
  if (works) makeBackups(server, deps);
  await browserFiles(server, deps.browserFolder);
  return { server, hub, archive, metrics };
};

/**
 * Builds the server and passes dependencies explicitly. The database schema must be up to date. If building fails, everything opened so far is
 * closed.
 */
export const buildServer = async (deps: ServerDependencies): Promise<BuiltServer> => {
  const server: FastifyInstance = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf(deps.trustProxy),
    requestIdHeader: false,
    trustProxy: deps.trustProxy ?? false,
    bodyLimit: 1_048_576,
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => wellFormed(url),
    // The headers bound a URL; Fastify's own limit would reply with the path, and not with a problem.
    routerOptions: { maxParamLength: maxHeaderSize },
    clientErrorHandler: replyToClientError,
  });
  try {
    return await assemble(server, deps);
  } catch (error) {
    await server.close();
    throw error;
  }
};
