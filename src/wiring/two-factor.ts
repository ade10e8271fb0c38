import { fromPromise } from 'xstate';
import { twoFactorMachine } from '../machines/two-factor/two-factor.machine.ts';
import { createTwoFactor } from '../services/two-factor.ts';
import { filled } from './filled.ts';
import type { Services } from './services.ts';

export const wiredTwoFactor = ({ call, queryClient }: Pick<Services, 'call' | 'queryClient'>) => {
  const twoFactor = createTwoFactor(call, queryClient);
  return twoFactorMachine.provide({
    actors: {
      setUp: fromPromise(({ signal }) => twoFactor.setUp(signal)),
      verify: filled(({ code }: { code: string }) => twoFactor.verify(code)),
      disable: filled(({ code }: { code: string }) => twoFactor.disable(code)),
      askIfOn: fromPromise(({ signal }) => twoFactor.isOn(signal)),
    },
  });
};
