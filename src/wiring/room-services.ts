import { importLimitsGet } from '../../contract/uploads.ts';
import { askedOnce } from '../services/asked-once.ts';
import { createDisplays } from '../services/displays.ts';
import { createHub, goodBearer } from '../services/hub.ts';
import { createImportFiles } from '../services/import-files.ts';
import { createKeptImports } from '../services/kept-imports.ts';
import { createTabHolds } from '../services/tab-holds.ts';
import { claimsOf, type Tokens } from '../services/tokens.ts';
import { createUploadWay, whenLoaded } from '../services/upload-way.ts';
import { createViewsets } from '../services/viewsets.ts';
import { neverCame, type Services } from './services.ts';

const accountOf = (tokens: Tokens) => (): string | null => {
  const held = tokens.current();
  return held && claimsOf(held.access_token).sub;
};

/** What only somebody needs who is signed in; it is fetched while the archive is asked who they are. */
export const createRoomServices = (services: Services) => {
  const { origin, tokens, call, withBearer, queryClient: client, queries, news } = services;
  const sending = askedOnce(() =>
    import('./sending.ts').then(({ createSending }) => createSending({ origin, call, withBearer }), neverCame),
  );
  return {
    ...services,
    viewsets: createViewsets({ call, client, queries, news }),
    displays: createDisplays(call, news),
    hub: createHub({ origin, bearer: () => goodBearer(tokens) }),
    uploadWay: createUploadWay({
      limits: askedOnce(() => call(importLimitsGet)),
      toArchive: (kind, limits) => whenLoaded(() => sending().then(({ toArchive }) => toArchive(kind, limits))),
      toObjectStore: whenLoaded(() => sending().then(({ toObjectStore }) => toObjectStore)),
    }),
    importFiles: createImportFiles({
      kept: createKeptImports(),
      holds: createTabHolds('dentarium.import.'),
      account: accountOf(tokens),
    }),
  };
};
export type RoomServices = ReturnType<typeof createRoomServices>;
