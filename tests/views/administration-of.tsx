import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Route } from '../../contract/route.ts';
import { createAdministration } from '../../src/services/administration.ts';
import type { Call } from '../../src/services/call.ts';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';

export interface Called {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** An archive that answers each call of administration by hand; what it was asked is noted. */
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
  /** Of the ground, beside administration. */
  readonly more?: Partial<Ground>;
  readonly children: ReactNode;
}

/** What lies inside reads and writes administration by this call. */
export const WithAdministration = ({ call, more, children }: WithAdministrationProps) => {
  const client = useQueryClient();
  const [ground] = useState(() => {
    const value = createAdministration(call, client);
    // Marked as React marks a promise that it has seen fulfilled, so that nothing suspends while it is first drawn.
    const administration = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
    return { administration: () => administration, ...more } as unknown as Ground;
  });
  return (
    <GroundProvider value={ground}>
      <Suspense fallback={null}>{children}</Suspense>
    </GroundProvider>
  );
};
