import type { Restriction } from '../../contract/route.ts';
import { createAccount } from '../services/account.ts';
import { createCall, createWithBearer } from '../services/call.ts';
import { createChosenClinic } from '../services/chosen-clinic.ts';
import { archiveIsReady, createDatabaseOutage } from '../services/database-outage.ts';
import { createDrafts } from '../services/drafts.ts';
import type { Failure } from '../services/failure.ts';
import { createLoadBytes, lazyImages } from '../services/images.ts';
import { createInteractions } from '../services/interactions.ts';
import { lazyService } from '../services/lazy-service.ts';
import { createLoadFile } from '../services/load-file.ts';
import { browserAddress } from '../services/page-address.ts';
import { createPasswords } from '../services/passwords.ts';
import { createPins } from '../services/pins.ts';
import { createPreferences } from '../services/preferences.ts';
import { createPrefetchPatients } from '../services/prefetch-patients.ts';
import { createQueries, createQueryClient } from '../services/queries.ts';
import { createQueryInvalidation, refetchInOtherLanguage } from '../services/query-invalidation.ts';
import { createSession } from '../services/session.ts';
import { createSessionLock } from '../services/session-lock.ts';
import { createTokens } from '../services/tokens.ts';
import { defaultLanguage } from '../views/language/languages.ts';
import { firstPatients } from '../views/search/search-url.ts';

export const createServices = (origin: string) => {
  const tokenRejectionListeners = new Set<(failure: Failure) => void>();
  const lockedListeners = new Set<() => void>();
  const codeFlow = lazyService(
    () => import('../services/oidc.ts'),
    ({ createCodeFlow }) => createCodeFlow(origin, localStorage),
  );
  const tokens = createTokens({
    origin,
    store: localStorage,
    refresh: async (stored, attempt) => (await codeFlow()).renew(stored, attempt),
  });
  const onTokenRefused = (failure: Failure) => {
    for (const listener of [...tokenRejectionListeners]) listener(failure);
  };
  const passkeyCalls = lazyService(
    () => import('../services/passkey-calls.ts'),
    (calls) => calls,
  );
  const databaseOutage = createDatabaseOutage(archiveIsReady(origin));
  const preferences = createPreferences(localStorage);
  const language = () => preferences.current().language ?? defaultLanguage;
  const onDatabaseUnavailable = databaseOutage.reportUnavailable;
  const onRestricted = (restriction: Restriction) => {
    // The account names the restriction, which replaces the page.
    if (restriction === 'two-factor-needed') void queryClient.fetchQuery({ ...queries.account(), staleTime: 0 });
    else for (const listener of [...lockedListeners]) listener();
  };
  const call = createCall({ origin, tokens, language, onTokenRefused, onDatabaseUnavailable, onRestricted });
  const withBearer = createWithBearer({ tokens, onTokenRefused });
  const queryClient = createQueryClient();
  refetchInOtherLanguage(preferences, language, queryClient);
  // Failed and changed queries are fetched again.
  databaseOutage.listen({ onUnavailable: () => {}, onAvailable: () => void queryClient.invalidateQueries() });
  const writes = lazyService(
    () => import('../services/writes.ts'),
    ({ createWrites }) => createWrites(call, queryClient, createLoadFile(origin, withBearer)),
  );
  const chosenClinic = createChosenClinic(sessionStorage);
  const queries = createQueries(call, queryClient, writes);
  const account = createAccount({
    call,
    client: queryClient,
    chosenClinicId: chosenClinic.currentId,
    onClinicRequested: createPrefetchPatients({
      queryClient,
      queries,
      firstPatients: (clinicId) => firstPatients(clinicId, window.location, window.history.state),
    }),
  });
  const queryInvalidation = createQueryInvalidation(queryClient);
  return {
    origin,
    tokens,
    tokenRejectionListeners,
    call,
    withBearer,
    queryClient,
    databaseOutage,
    queries,
    queryInvalidation,
    chosenClinic,
    drafts: createDrafts({ tabStore: sessionStorage, sharedStore: localStorage }),
    account,
    address: browserAddress,
    session: createSession({
      tokens,
      call,
      codeFlow,
      passkeyCalls,
      address: browserAddress,
      loadAccount: account.load,
      language: () => document.documentElement.lang,
    }),
    sessionLock: createSessionLock({ call, queryClient, passkeyCalls, store: localStorage, lockedListeners }),
    interactions: createInteractions(call, passkeyCalls),
    passwords: createPasswords(origin, call),
    pins: createPins(call, queryClient),
    images: lazyImages(async () => {
      const { createImages } = await import('../viewer/index.ts');
      return createImages({ loadBytes: createLoadBytes(origin, withBearer) });
    }),
    administration: lazyService(
      () => import('../services/administration.ts'),
      ({ createAdministration }) => createAdministration(call, queryClient),
    ),
    passkeys: lazyService(
      async () => await Promise.all([import('../services/passkeys.ts'), passkeyCalls()]),
      ([{ createPasskeys }, browser]) => createPasskeys(call, queryClient, browser),
    ),
    records: lazyService(
      () => import('../services/records.ts'),
      ({ createRecords }) => createRecords(call, queryClient),
    ),
    gallery: lazyService(
      () => import('../services/gallery.ts'),
      ({ createGallery }) => createGallery(origin, call, queryClient, withBearer),
    ),
    pictures: lazyService(
      () => import('../services/pictures.ts'),
      ({ createPictures }) => createPictures(origin, call, withBearer),
    ),
    accessLog: lazyService(
      () => import('../services/access-log.ts'),
      ({ createAccessLog }) => createAccessLog(origin, call, withBearer),
    ),
    preferences,
  };
};
export type Services = ReturnType<typeof createServices>;
