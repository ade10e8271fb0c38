import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import type { Study } from '../../../contract/studies.ts';
import { Notice } from '../parts/notice.tsx';
import classes from './patient.module.css';
import { PatientCard } from './patient-card.tsx';
import type { Place } from './place.ts';
import { SidePanel } from './side-panel.tsx';
import { StudyList } from './study-list.tsx';

interface StudiesPanelProps {
  readonly patientId: string;
  /** null while it is on its way. */
  readonly patient: Patient | null;
  /** Where the access log of the patient is; null for those who may not read it. */
  readonly logPath: string | null;
  readonly studies: readonly Study[] | null;
  readonly place: Place;
  /** Why the studies cannot be had; null when nothing failed. */
  readonly failure: string | null;
  readonly onRetry: () => void;
  /** Fetches the rest; null when all are there. */
  readonly onMore: (() => void) | null;
}

/** The left side: who the patient is, and what there is of them. */
export const StudiesPanel = (props: StudiesPanelProps) => {
  const { patientId, patient, logPath, studies, place, failure, onRetry, onMore } = props;
  const { t } = useTranslation(['patient', 'shell']);
  return (
    <SidePanel side="left" name={t('panel')}>
      <PatientCard patient={patient} logPath={logPath} />
      <div className={classes.scroll}>
        {failure !== null && (
          <Notice
            urgent
            title={failure}
            action={
              <Button variant="default" onClick={onRetry}>
                {t('shell:retry')}
              </Button>
            }
          />
        )}
        {!studies && failure === null && (
          <div className={classes.skeletons}>
            {[0, 1, 2].map((row) => (
              <Skeleton key={row} height={84} />
            ))}
          </div>
        )}
        {studies && <StudyList patientId={patientId} studies={studies} place={place} />}
        {onMore && (
          <div className={classes.more}>
            <Button variant="default" fullWidth onClick={onMore}>
              {t('more')}
            </Button>
          </div>
        )}
      </div>
    </SidePanel>
  );
};
