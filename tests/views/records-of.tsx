import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Call } from '../../src/services/call.ts';
import { createRecords } from '../../src/services/records.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';

/** Provides the record calls; images stay pending. */
export const WithRecords = ({ call, children }: { readonly call: Call; readonly children: ReactNode }) => {
  const client = useQueryClient();
  const [appContext] = useState(() => {
    const value = createRecords(call, client);
    // Marked as fulfilled like React does, so that the first render does not suspend.
    const records = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
    return { records: () => records, gallery: () => new Promise(() => {}) } as unknown as AppContext;
  });
  return (
    <AppContextProvider value={appContext}>
      <Suspense fallback={null}>{children}</Suspense>
    </AppContextProvider>
  );
};
