import { askedOnce } from '../services/asked-once.ts';
import { createCall, createWithBearer } from '../services/call.ts';
import { createDrafts } from '../services/drafts.ts';
import { type Failure, ServiceError } from '../services/failure.ts';
import { createLoadBytes } from '../services/images.ts';
import { createInteractions } from '../services/interactions.ts';
import { createNewsInvalidation } from '../services/news-invalidation.ts';
import { browserAddress } from '../services/page-address.ts';
import { createPasswords } from '../services/passwords.ts';
import { createPreferences } from '../services/preferences.ts';
import { createQueries, createQueryClient } from '../services/queries.ts';
import { createSession } from '../services/session.ts';
import { createTokens } from '../services/tokens.ts';
import { createAccount } from './account.ts';
import { askAhead } from './ask-ahead.ts';

export const clinicKey = 'dentarium.clinic';

/** Code that cannot be fetched is a line that is lost. */
export const neverCame = (cause: unknown): never => {
  throw new ServiceError({ kind: 'offline' }, { cause });
};

export const createServices = (origin: string) => {
  const refusals = new Set<(failure: Failure) => void>();
  const codeFlow = askedOnce(() =>
    import('../services/oidc.ts').then(({ createCodeFlow }) => createCodeFlow(origin, localStorage), neverCame),
  );
  const tokens = createTokens({
    ...{ origin, store: localStorage },
    refresh: async (held, attempt) => (await codeFlow()).renew(held, attempt),
  });
  const onTokenRefused = (failure: Failure) => {
    for (const tell of [...refusals]) tell(failure);
  };
  const call = createCall({ origin, tokens, onTokenRefused });
  const withBearer = createWithBearer({ tokens, onTokenRefused });
  const queryClient = createQueryClient();
  const writes = askedOnce(() =>
    import('../services/writes.ts').then(({ createWrites }) => createWrites(call, queryClient), neverCame),
  );
  const chosenClinicId = () => sessionStorage.getItem(clinicKey);
  const queries = createQueries(call, queryClient, writes);
  const onClinicAsked = askAhead(queryClient, queries);
  const account = createAccount({ call, client: queryClient, chosenClinicId, onClinicAsked });
  const news = createNewsInvalidation(queryClient);
  return {
    origin,
    tokens,
    refusals,
    call,
    withBearer,
    queryClient,
    queries,
    news,
    drafts: createDrafts({ tabStore: sessionStorage, sharedStore: localStorage }),
    account,
    address: browserAddress,
    session: createSession({
      ...{ tokens, call, codeFlow, address: browserAddress },
      loadAccount: account.load,
      language: () => document.documentElement.lang,
    }),
    signIn: createInteractions(call),
    passwords: createPasswords(origin, call),
    loadBytes: createLoadBytes(origin, withBearer),
    administration: askedOnce(() =>
      import('../services/administration.ts').then(
        ({ createAdministration }) => createAdministration(call, queryClient),
        neverCame,
      ),
    ),
    records: askedOnce(() =>
      import('../services/records.ts').then(({ createRecords }) => createRecords(call, queryClient), neverCame),
    ),
    gallery: askedOnce(() =>
      import('../services/gallery.ts').then(
        ({ createGallery }) => createGallery(origin, call, queryClient, withBearer),
        neverCame,
      ),
    ),
    accessLog: askedOnce(() =>
      import('../services/access-log.ts').then(
        ({ createAccessLog }) => createAccessLog(origin, call, withBearer),
        neverCame,
      ),
    ),
    preferences: createPreferences(localStorage),
  };
};
export type Services = ReturnType<typeof createServices>;
