import { fromPromise } from 'xstate';
import { fillPort } from '../machines/port.ts';
import { twoFactorMachine } from '../machines/two-factor/two-factor.machine.ts';
import { createTwoFactor } from '../services/two-factor.ts';
import type { Services } from './services.ts';

export const wiredTwoFactor = ({ call, queryClient }: Pick<Services, 'call' | 'queryClient'>) => {
  const twoFactor = createTwoFactor(call, queryClient);
  return twoFactorMachine.provide({
    actors: {
      setUp: fromPromise(({ signal }) => twoFactor.setUp(signal)),
      verify: fillPort(({ code }: { code: string }) => twoFactor.verify(code)),
      disable: fillPort(({ code }: { code: string }) => twoFactor.disable(code)),
      fetchStatus: fromPromise(({ signal }) => twoFactor.isOn(signal)),
    },
  });
};
