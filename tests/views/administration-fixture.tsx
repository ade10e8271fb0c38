import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Route } from '../../contract/route.ts';
import { createAdministration } from '../../src/services/administration.ts';
import type { Call } from '../../src/services/call.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';

export interface Called {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Fakes the administration API with replies set by the test, and records its calls. */
export const anArchive = (answer: (called: Called) => unknown) => {
  const calls: Called[] = [];
  const call = async (route: Route, options: Partial<Called> = {}) => {
    const called = { route, params: {}, query: {}, body: undefined, ...options };
    calls.push(called);
    return answer(called);
  };
  return { calls, call: call as unknown as Call };
};

interface WithAdministrationProps {
  readonly call: Call;
  /** Other values of the app context. */
  readonly more?: Partial<AppContext>;
  readonly children: ReactNode;
}

/** Sets the handler of administration calls. */
export const WithAdministration = ({ call, more, children }: WithAdministrationProps) => {
  const client = useQueryClient();
  const [appContext] = useState(() => {
    const value = createAdministration(call, client);
    // Marked as fulfilled the way React does, so that the first render does not suspend.
    const administration = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
    return { administration: () => administration, ...more } as unknown as AppContext;
  });
  return (
    <AppContextProvider value={appContext}>
      <Suspense fallback={null}>{children}</Suspense>
    </AppContextProvider>
  );
};
