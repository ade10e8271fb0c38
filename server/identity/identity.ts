import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { OfferedMethod } from '../../contract/sign-in.ts';
import type { AboutDependencies } from '../about-routes.ts';
import { createListCursors } from '../db/list-cursors.ts';
import type { Schema } from '../db/schema.ts';
import { purgeExpiredSignIns } from '../db/stores/expired-sign-ins.ts';
import { linkKey } from '../db/stores/link-key.ts';
import { ensureSecret, randomKey } from '../db/stores/secret-store.ts';
import type { Vault } from '../db/vault.ts';
import type { SignInListener } from '../domain/sign-in-failure.ts';
import { startIntervalJob } from '../jobs/interval-job.ts';
import type { MailDestination, Mailer } from '../mail/mailer.ts';
import type { Binding } from '../route-binding.ts';
import type { SendTest } from '../system-status/system-status-routes.ts';
import { clientAddress } from '../web/client-address.ts';
import { accountRoutes } from './account-routes.ts';
import type { Authenticator } from './authenticate.ts';
import { bankId } from './bank-id/bank-id.ts';
import { bankIdOrders } from './bank-id/bank-id-orders.ts';
import { bankIdUnlock } from './bank-id/bank-id-unlock.ts';
import { passwordCheckOf } from './check-password.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { connectRoutes, userInfoRoutes } from './connect-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import { deletedClinicRoutes } from './deleted-clinic-routes.ts';
import { type DicomUser, dicomDeviceRoutes } from './dicom-devices/dicom-device-routes.ts';
import { employeeRoutes } from './employee-routes.ts';
import type { FirstAdministrator } from './first-administrator.ts';
import { identityLog } from './identity-log.ts';
import type { IdentitySettings } from './identity-settings.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { interactionsOf } from './interactions-of.ts';
import type { Keys } from './keys.ts';
import type { Methods } from './methods.ts';
import { tellUser } from './notices.ts';
import { ownPasswordRoute } from './own-password.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { passkeySignIn } from './passkeys/passkey-sign-in.ts';
import { passkeyUnlock } from './passkeys/passkey-unlock.ts';
import { passwordRoutes } from './password-routes.ts';
import { createPictureLinks } from './picture-links.ts';
import { pictureRoutes } from './picture-routes.ts';
import { pinCheckOf } from './pins/pin-check.ts';
import { pinRoutes } from './pins/pin-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import { providersOf } from './providers.ts';
import { resetLinkRoute } from './reset-link-route.ts';
import { resetTwoFactorRoute } from './reset-two-factor.ts';
import { roleRoutes } from './role-routes.ts';
import { directoryInvitations } from './scim/directory-invitations.ts';
import { directoryTokenRoutes } from './scim/directory-token-routes.ts';
import { scimRoutes } from './scim/scim-routes.ts';
import { secondFactorOf } from './second-factor.ts';
import { serviceAccountRoutes } from './service-accounts/service-account-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { smsCode } from './sms/sms.ts';
import { smsTest } from './sms/sms-test.ts';
import { statisticsRoutes } from './statistics-routes.ts';
import { twoFactorRoutes } from './two-factor-routes.ts';
import { upstreamMethods } from './upstream/upstream-methods.ts';
import { userFileRoutes } from './user-file-routes.ts';

export interface IdentityDependencies {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
  readonly settings: IdentitySettings;
  readonly binding: Binding;
  readonly authenticator: Authenticator;
  readonly firstAdministrator: FirstAdministrator;
  readonly keys: Keys;
  readonly issuer: string;
  readonly mailer: Mailer;
  readonly mailDestination: () => Promise<MailDestination>;
  readonly signIns: SignInListener;
  /** Days in which a deleted clinic can be restored. */
  readonly clinicRestoreDays: number;
  readonly dicomUser: DicomUser;
}

const hour = 3_600_000;

/** Removes expired grants and tokens at startup and every hour. */
const purgeRegularly = (server: FastifyInstance, db: Kysely<Schema>): void => {
  const purgeJob = startIntervalJob(
    hour,
    () => purgeExpiredSignIns(db),
    (error) => server.log.error({ err: error }, 'purge failed'),
  );
  server.addHook('onClose', purgeJob.close);
};

/** Rotates keys while the server runs. */
const maintainKeys = async (server: FastifyInstance, { keys, settings }: IdentityDependencies): Promise<void> => {
  const stop = await keys.maintain(settings.keys, (error) => server.log.error({ err: error }, 'key rotation failed'));
  server.addHook('onClose', async () => stop());
};

const byPassword: OfferedMethod = { method: 'password', label: null, test: false };

/** Registers the identity service: `/connect`, `/interaction`, `/.well-known` and `/api`. Returns what the sign-in and the status page need. */
export const identityRoutes = async (
  server: FastifyInstance,
  deps: IdentityDependencies,
): Promise<Pick<AboutDependencies, 'offeredMethods'> & { readonly testSms: SendTest }> => {
  const { db, vault, settings, binding } = deps;
  const passed = new WeakMap<FastifyRequest['raw'], Pick<FastifyRequest, 'log'> & { readonly address: string }>();
  const log = identityLog(db, deps.signIns);
  const cursors = createListCursors(await ensureSecret(db, vault, 'list-places', randomKey));
  const passwords = passwordCheckOf(db, deps.signIns);
  const secondFactor = secondFactorOf(db, vault, deps.signIns);
  await maintainKeys(server, deps);
  const providers = providersOf(
    {
      ...deps,
      log,
      passwords,
      secondFactor,
      relyingParties: settings.relyingParties,
      successionKey: await ensureSecret(db, vault, 'token-succession-key', randomKey),
      addressOf: (request) => passed.get(request)?.address ?? '',
      onError: (error, request) =>
        (passed.get(request)?.log ?? server.log).error({ err: error }, 'identity provider failed'),
    },
    deps.keys,
  );
  const interactions = interactionsOf({ db, providers, secondFactor, log, publicUrl: deps.issuer });
  const orders = bankIdOrders({ db, settings: settings.bankId, issuer: deps.issuer });
  server.addHook('onClose', async () => orders.close());
  const ofMethods = { db, interactions, log, issuer: deps.issuer, checkReplies: binding.checkReplies };
  /** Sign-in methods other than the password, in display order. */
  const methods: readonly Methods[] = [
    bankId({ ...ofMethods, orders }),
    upstreamMethods({ db, settings: settings.upstream, interactions, log, publicUrl: deps.issuer }),
    smsCode({ ...ofMethods, settings: settings.sms }),
    passkeySignIn({ ...ofMethods, secondFactor, signIns: deps.signIns }),
  ];
  const offeredMethods = async () => [...(await Promise.all(methods.map((one) => one.offered()))).flat(), byPassword];

  await userInfoRoutes(server, deps.authenticator);
  await connectRoutes(server, providers, deps.issuer, (request) =>
    passed.set(request.raw, { log: request.log, address: clientAddress(request) }),
  );
  interactionRoutes(server, { binding, interactions, passwords, offeredMethods });
  for (const one of methods) one.routes(server);
  const unlockByBankId = bankIdUnlock({ db, binding, orders, signIns: deps.signIns });
  accountRoutes(server, { ...deps, isBankIdOffered: unlockByBankId.isOffered });
  roleRoutes(server, deps);
  const tell = tellUser(deps);
  twoFactorRoutes(server, { ...deps, passwords, secondFactor, tell });
  passkeyRoutes(server, { ...deps, passwords, secondFactor, tell });
  pinRoutes(server, { ...deps, passwords, secondFactor, tell });
  const userDependencies = { db, binding, cursors, links: createPictureLinks(db, await linkKey(db, vault)) };
  employeeRoutes(server, userDependencies);
  pictureRoutes(server, userDependencies);
  customerRoutes(server, { ...deps, cursors });
  deletedClinicRoutes(server, deps);
  statisticsRoutes(server, deps);
  configurationRoutes(server, {
    ...deps,
    log,
    azureAuthority: deps.settings.upstream.azureAuthority,
  });
  purgeRegularly(server, deps.db);
  passwordRoutes(server, { ...deps, tell });
  ownPasswordRoute(server, { db, binding, passwords, tell });
  const checkPin = pinCheckOf(db, deps.signIns);
  const unlocks = { checkPin, passkey: passkeyUnlock(db, deps.signIns), bankId: unlockByBankId };
  sessionRoutes(server, { ...deps, ...unlocks, passwords, tell });
  policyRoutes(server, deps);
  resetTwoFactorRoute(server, { ...deps, passwords, secondFactor, tell });
  const linkDependencies = { ...deps, passwords: settings.passwords };
  resetLinkRoute(server, linkDependencies);
  userFileRoutes(server, linkDependencies);
  directoryTokenRoutes(server, deps);
  serviceAccountRoutes(server, deps);
  dicomDeviceRoutes(server, deps);
  scimRoutes(server, { ...deps, invite: directoryInvitations(deps) });
  return { offeredMethods, testSms: smsTest(db, settings.sms) };
};
