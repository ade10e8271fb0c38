import { useSelector } from '@xstate/react';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { Denied } from '../language/denied.tsx';
import { MonitorPage } from '../monitor/monitor-page.tsx';

/** The monitor check of a clinic, for users who may view images. */
export const MonitorRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayNotOpen = useSelector(session, selectMay('disable.open'));
  return mayNotOpen ? <Denied claims={['disable.open']} /> : <MonitorPage clinicId={clinicId} />;
};
