import { Suspense } from 'react';
import { fromCallback } from 'xstate';
import { bankIdMachine } from '../../src/machines/bank-id/bank-id.machine.ts';
import { fillPort } from '../../src/machines/port.ts';
import type { Interactions } from '../../src/services/interactions.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { InteractionPages } from '../../src/views/sign-in/interaction-pages.tsx';
import { wiredInteraction } from '../../src/wiring/session.ts';
import { show } from './render.tsx';

export const uid = 'u1234567890';

/** An order that never starts. */
const idleBankId = bankIdMachine.provide({
  actors: { startOrder: fillPort(() => new Promise(() => {})), holdOrder: fromCallback(() => {}) },
});

/** Renders the page of an interaction at the current address. */
export const showInteraction = (calls: Partial<Interactions>, methods: readonly unknown[], bankId = idleBankId) => {
  const context = { interaction: wiredInteraction(calls as Interactions), bankId };
  const welcome = { demoAccounts: [], awaitsFirstAdministrator: false, methods, hasMailServer: true, outbox: null };
  const queries = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) };
  return show(
    <AppContextProvider value={context as unknown as AppContext}>
      <AppQueriesProvider value={queries as unknown as AppQueries}>
        <Suspense>
          <InteractionPages uid={uid} problem={null} onLanguage={() => {}} />
        </Suspense>
      </AppQueriesProvider>
    </AppContextProvider>,
  );
};
