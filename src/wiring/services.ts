import { importLimitsGet } from '../../contract/uploads.ts';
import { createAwsUploads } from '../services/aws-uploads.ts';
import { createCall, createWithBearer } from '../services/call.ts';
import { createDisplays } from '../services/displays.ts';
import { createHub, goodBearer } from '../services/hub.ts';
import { createLoadBytes } from '../services/images.ts';
import { createImportFiles } from '../services/import-files.ts';
import { createKeptImports } from '../services/kept-imports.ts';
import { createNewsInvalidation } from '../services/news-invalidation.ts';
import { createPreferences } from '../services/preferences.ts';
import { createQueries, createQueryClient } from '../services/queries.ts';
import { createSession } from '../services/session.ts';
import { createTabHolds } from '../services/tab-holds.ts';
import { claimsOf, createTokens, type Tokens } from '../services/tokens.ts';
import { createTurns } from '../services/turns.ts';
import { askedOnce, createUploadWay } from '../services/upload-way.ts';
import { createUploads } from '../services/uploads.ts';
import { createViewsets } from '../services/viewsets.ts';
import { xhrPut } from '../services/xhr-put.ts';
import { xhrSend, xhrSendBytes } from '../services/xhr-send.ts';

export const clinicKey = 'dentarium.clinic';

/** Requests with files of imports on their way at a time. Browsers open six connections to an address; the other calls need some. */
const uploadsAtATime = 4;

const accountOf = (tokens: Tokens) => (): string | null => {
  const held = tokens.current();
  return held && claimsOf(held.access_token).sub;
};

export const createServices = (origin: string) => {
  const refusals = new Set<() => void>();
  const tokens = createTokens({ origin, store: localStorage });
  const onTokenRefused = () => {
    for (const tell of [...refusals]) tell();
  };
  const call = createCall({ origin, tokens, onTokenRefused });
  const withBearer = createWithBearer({ tokens, onTokenRefused });
  const queryClient = createQueryClient();
  const queries = createQueries(call, queryClient);
  const news = createNewsInvalidation(queryClient);
  return {
    tokens,
    refusals,
    call,
    queryClient,
    queries,
    news,
    viewsets: createViewsets({ call, client: queryClient, queries, news }),
    displays: createDisplays(call, news),
    session: createSession({ tokens, call, chosenClinicId: () => sessionStorage.getItem(clinicKey) }),
    hub: createHub({ origin, bearer: () => goodBearer(tokens) }),
    uploadWay: createUploadWay({
      limits: askedOnce(() => call(importLimitsGet)),
      toArchive: createUploads({
        ...{ origin, call, withBearer, turns: createTurns(uploadsAtATime) },
        ...{ sendMultipart: xhrSend, sendBytes: xhrSendBytes },
      }),
      toObjectStore: createAwsUploads({ call, sendPart: xhrPut, turns: createTurns(uploadsAtATime) }),
    }),
    importFiles: createImportFiles({
      kept: createKeptImports(),
      holds: createTabHolds('dentarium.import.'),
      account: accountOf(tokens),
    }),
    loadBytes: createLoadBytes(origin, withBearer),
    preferences: createPreferences(localStorage),
  };
};
export type Services = ReturnType<typeof createServices>;
