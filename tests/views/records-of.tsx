import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Call } from '../../src/services/call.ts';
import { createRecords } from '../../src/services/records.ts';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';

/** What lies inside finds, deletes, brings back and merges by this call; images never come. */
export const WithRecords = ({ call, children }: { readonly call: Call; readonly children: ReactNode }) => {
  const client = useQueryClient();
  const [ground] = useState(() => {
    const value = createRecords(call, client);
    // Marked as React marks a promise that it has seen fulfilled, so that nothing suspends while it is first drawn.
    const records = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
    return { records: () => records, gallery: () => new Promise(() => {}) } as unknown as Ground;
  });
  return (
    <GroundProvider value={ground}>
      <Suspense fallback={null}>{children}</Suspense>
    </GroundProvider>
  );
};
