import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, configure, render } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { defaultClaims, type RoleName } from '../../contract/claims.ts';
import type { HubEvent } from '../../contract/hub.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { type ConnectionEvent, connectionMachine } from '../../src/machines/connection/connection.machine.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account, Clinic } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant, Grant } from '../../src/machines/session/session.setup.ts';
import { viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { createPreferences } from '../../src/services/preferences.ts';
import { App } from '../../src/views/app.tsx';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';
import { createTranslation, speakAtDoors, speakInHelp } from '../../src/views/language/translation.ts';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { wholeApp } from '../machines/models/app.ts';
import './render.tsx';
import { aUser } from './signed-in-session.ts';

/** A tab in English, as wide as a monitor, that remembers nothing; the patience that the pages behind the sign-in need here. */
export const withFreshTab = (): void => {
  // Where there is no browser, the pages behind the sign-in are read in slowly.
  configure({ asyncUtilTimeout: 20_000 });
  vi.setConfig({ testTimeout: 90_000 });
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem('dentarium.preferences', JSON.stringify({ language: 'en' }));
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
    // jsdom has no fonts to wait for.
    Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  });
  afterEach(() => vi.restoreAllMocks());
};

export const aClinic: Clinic = { id: '00000000-0000-4000-8000-000000000900', name: 'Solrosen' };

interface AppOptions {
  /** Null: nobody is signed in. */
  readonly as?: RoleName | null;
  readonly clinic?: Clinic | null;
  /** What the archive says to a stored sign-in; asked when the product starts. */
  readonly restore?: () => Promise<FoundGrant | null>;
  readonly renew?: () => Promise<Grant>;
  /** What the archive says that the person may do, each time it is asked. */
  readonly recheck?: () => Promise<readonly string[]>;
  /** What the archive says when a mount is opened. */
  readonly openViewset?: () => Promise<Viewset>;
  readonly reading?: Partial<Reading>;
  readonly ground?: Partial<Ground>;
}

const never = () => new Promise<never>(() => {});
const pending = new Proxy({} as Reading, {
  get: (_, name) => (asked: unknown) => ({ queryKey: [name, asked], queryFn: never }),
});

/** The whole product over a session, a hub and a clock of the test; what it reads never comes, unless the test brings it. */
export const openApp = async (address: string, options: AppOptions = {}) => {
  const { as = 'Doctor', clinic = as === 'SuperAdmin' ? null : aClinic, reading, ground } = options;
  window.history.replaceState(null, '', address);
  const permission = as ? defaultClaims[as] : [];
  const account = async (): Promise<Account> => ({
    user: aUser(as ?? 'Doctor', clinic),
    ...{ permission, clinic, knownClaims: permission },
  });
  const clock = new SimulatedClock();
  let hub: (event: ConnectionEvent) => void = () => {};
  const app = createActor(
    wholeApp.provide({
      actors: {
        session: sessionMachine.provide({
          actors: {
            restoreSession: fromPromise<FoundGrant | null, void>(
              options.restore ?? (async () => (as ? { renewInMs: 600_000 } : null)),
            ),
            resolveAccount: fromPromise<Account, void>(account),
            recheckPermissions: fromPromise<readonly string[], void>(options.recheck ?? (async () => permission)),
            renewToken: fromPromise<Grant, void>(options.renew ?? (async () => ({ renewInMs: 600_000 }))),
            signOut: fromPromise(async () => {}),
            watchSession: fromCallback(() => {}),
          },
        }),
        viewset: viewsetMachine.provide({ actors: { openViewset: fromPromise(options.openViewset ?? never) } }),
        connection: connectionMachine.provide({
          actors: {
            listenToHub: fromCallback(({ sendBack }) => {
              hub = sendBack;
            }),
          },
        }),
      },
    }),
    { clock },
  ).start();
  const preferences = createPreferences(localStorage);
  const translation = await createTranslation(preferences.current().language);
  // The parts of the program are read in once, the words with the first of them: here each test has its own.
  await Promise.all([speakAtDoors(translation), speakInHelp(translation)]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const value = {
    app,
    expectsSomebody: as !== null,
    ...{ records: never, administration: never, gallery: never, accessLog: never, twoFactor: never, openImages: never },
    themeChoice: () => preferences.current().theme,
    rememberTheme: (theme) => preferences.change({ theme }),
    rememberLanguage: (language) => preferences.change({ language }),
    ...ground,
  } as Partial<Ground> as Ground;
  const piece = (
    <I18nextProvider i18n={translation}>
      <QueryClientProvider client={client}>
        <ReadingProvider value={reading ? Object.assign(Object.create(pending), reading) : pending}>
          <GroundProvider value={value}>
            <App />
          </GroundProvider>
        </ReadingProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
  await act(async () => render(piece));
  return {
    app,
    /** Time goes by, and what it brings is drawn. */
    pass: (ms: number) => act(async () => clock.increment(ms)),
    /** The hub tells the page something. */
    hear: (event: ConnectionEvent | { type: 'news.heard'; news: HubEvent }) => act(async () => hub(event)),
  };
};

/** As `openApp`, and past the start. */
export const startedApp = async (address: string, options: AppOptions = {}) => {
  const opened = await openApp(address, options);
  await opened.pass(1_300);
  return opened;
};
