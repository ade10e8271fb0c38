import { useSelector } from '@xstate/react';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { Denied } from '../language/denied.tsx';
import { QualityPage } from '../quality/quality-page.tsx';
import { patientPath } from '../workspace/patient/patient-location.ts';

/** The image quality of a clinic, with links into the viewer workspace. */
export const QualityRoute = ({ session, clinicId }: { session: SessionActor; clinicId: string }) => {
  const mayListClinics = useSelector(session, selectMay('customer.get'));
  const mayListUsers = useSelector(session, selectMay('user.get'));
  const mayNotOpen = useSelector(session, selectMay('disable.open'));
  if (mayNotOpen) return <Denied claims={['disable.open']} />;
  return (
    <QualityPage
      clinicId={clinicId}
      mayReport={mayListClinics || mayListUsers}
      hrefOf={({ patientId, seriesUid, viewsetId, uid }) =>
        patientPath(patientId, { series: seriesUid, viewsetId, imageUid: uid })
      }
    />
  );
};
