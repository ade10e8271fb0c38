import { useSelector } from '@xstate/react';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { OrdersPage } from '../edit/orders/orders-page.tsx';
import { Denied } from '../language/denied.tsx';

/** The orders of images of a clinic, for users who can order. */
export const OrdersRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayNotOrder = useSelector(session, selectMay('disable.new_study'));
  if (mayNotOrder) return <Denied claims={['disable.new_study']} />;
  return <OrdersPage clinicId={clinicId} />;
};
