import { useSelector } from '@xstate/react';
import { type SessionActor, selectMay, selectUser } from '../../machines/session/session.machine.ts';
import { Denied } from '../language/denied.tsx';
import { RetentionPage } from '../retention/retention-page.tsx';

/** The retention of a clinic, for its administrators. */
export const RetentionRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayDecide = useSelector(session, selectMay('customer.update'));
  const accountId = useSelector(session, selectUser)?.id ?? null;
  if (!mayDecide) return <Denied claims={['customer.update']} />;
  return <RetentionPage clinicId={clinicId} accountId={accountId} />;
};
