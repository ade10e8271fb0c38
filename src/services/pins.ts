import type { QueryClient } from '@tanstack/query-core';
import { pinRemove, pinSet } from '../../contract/pins.ts';
import type { Call } from './call.ts';
import { queryRoots } from './query-roots.ts';

/** Creates the calls about the PIN of the signed-in user. Changes throw ServiceError `proof-needed` without a recent proof. */
export const createPins = (call: Call, client: QueryClient) => {
  const changed = () => client.invalidateQueries({ queryKey: [queryRoots.account] });
  return {
    set: async (pin: string): Promise<void> => {
      await call(pinSet, { body: { pin } });
      void changed();
    },
    remove: async (): Promise<void> => {
      await call(pinRemove, { body: {} });
      void changed();
    },
  };
};
export type Pins = ReturnType<typeof createPins>;
