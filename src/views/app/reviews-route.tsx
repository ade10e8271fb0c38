import { useSelector } from '@xstate/react';
import { type SessionActor, selectMay, selectUser } from '../../machines/session/session.machine.ts';
import { Denied } from '../language/denied.tsx';
import { ReviewsPage } from '../reviews/reviews-page.tsx';

/** The reviews of a clinic's access log, for those who may read it. */
export const ReviewsRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayRead = useSelector(session, selectMay('user.get'));
  const accountId = useSelector(session, selectUser)?.id ?? null;
  if (!mayRead) return <Denied claims={['user.get']} />;
  return <ReviewsPage clinicId={clinicId} accountId={accountId} />;
};
