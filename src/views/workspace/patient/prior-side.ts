import { useSelector } from '@xstate/react';
import { selectUser } from '../../../machines/session/session.machine.ts';
import { useStoredFlag } from '../../ui/stored-state.ts';
import { useWorkspace } from '../workspace-context.ts';

/** Whether this user has what is earlier at the right; stored in this browser for each account. */
export const usePriorRight = (): readonly [boolean, (isRight: boolean) => void] => {
  const user = useSelector(useWorkspace().session, selectUser);
  return useStoredFlag(`dentarium.prior.right.${user?.id ?? ''}`, false);
};
