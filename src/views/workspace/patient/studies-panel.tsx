import { Button, Menu, Skeleton } from '@mantine/core';
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs';
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs';
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Patient } from '../../../../contract/patients.ts';
import type { Study } from '../../../../contract/studies.ts';
import { selectMay } from '../../../machines/session/session.machine.ts';
import { AgeText } from '../../language/age-text.tsx';
import { ProtectedMark } from '../../language/protected-mark.tsx';
import { logPath } from '../../log/log-filter.ts';
import { today } from '../../ui/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { useStoredFlag } from '../../ui/stored-state.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import { PatientDoseFold } from '../dose/dose-folds.tsx';
import { ChooseTooth } from '../tooth-history/choose-tooth.tsx';
import type { ToothHistoryControl } from '../tooth-history/use-tooth-history.ts';
import { useWorkspace } from '../workspace-context.ts';
import classes from './patient.module.css';
import type { PatientLocation } from './patient-location.ts';
import { RecordMenu } from './record-menu.tsx';
import { StudyList } from './study-list.tsx';

/** Identity of the patient; the same size while loading. */
const PatientCard = ({ patient }: { patient: Patient | null }) => {
  const { t } = useTranslation('patient');
  const mayReadLog = useSelector(useWorkspace().session, selectMay('user.get'));
  if (!patient)
    return (
      <div className={classes.card} aria-busy="true">
        <Skeleton height={20} width="70%" my={3} />
        <Skeleton height={13} width="50%" my={3} />
        <Skeleton height={13} width="40%" my={3} />
      </div>
    );
  const info = patient.mainInfo;
  const name = `${info.firstName} ${info.lastName}`;
  return (
    <header className={classes.card}>
      <div className={classes.identity}>
        <h1 className={classes.name} title={name}>
          {name}
        </h1>
        <RecordMenu
          name={name}
          requests={[
            { kind: 'edit-patient', patient },
            { kind: 'new-viewset', study: null },
            { kind: 'order-images', patient },
            { kind: 'download-patient', patient },
            { kind: 'send-patient', patient },
            { kind: 'fetch-patient', patient },
            { kind: 'shared-links', patient },
            { kind: 'merge-patient', patient },
            { kind: 'delete-patient', patient },
          ]}
        >
          {mayReadLog && (
            <Menu.Item
              component={Link}
              href={logPath({ patient: patient.id })}
              leftSection={<IconListSearch aria-hidden="true" />}
            >
              {t('whoRead')}
            </Menu.Item>
          )}
        </RecordMenu>
      </div>
      {info.protectedIdentity && (
        <p className={classes.line}>
          <ProtectedMark of={info} withText />
        </p>
      )}
      <p className={classes.line}>
        <span title={t('personalNumber')}>{info.personalNumber}</span>
      </p>
      <p className={classes.line}>
        <AgeText birthDate={info.birthDate} day={today()} />
        {info.birthDate && <span>{t('bornDate', { date: info.birthDate })}</span>}
      </p>
      {info.comments && <p className={classes.comments}>{info.comments}</p>}
      <PatientDoseFold key={patient.id} id={patient.id} />
    </header>
  );
};

interface StudiesPanelProps {
  /** Null while loading. */
  readonly patient: Patient | null;
  readonly studies: readonly Study[] | null;
  readonly location: PatientLocation;
  /** Error text; null when nothing failed. */
  readonly failure: string | null;
  readonly onRetry: () => void;
  /** Loads the rest; null when all are loaded. */
  readonly onMore: (() => void) | null;
  readonly history: ToothHistoryControl;
  /** Number of studies when the patient has more than are loaded; null when all are. */
  readonly loadedStudies: number | null;
}

/** The left panel: patient and studies. It can be collapsed; its state is stored. */
export const StudiesPanel = (props: StudiesPanelProps) => {
  const { patient, studies, location, failure, onRetry, onMore, history, loadedStudies } = props;
  const { t } = useTranslation(['patient', 'shell']);
  const [open, setOpen] = useStoredFlag('dentarium.panel.left', true);
  return (
    <aside className={classes.panel} data-open={open} data-chrome aria-label={t('panel')}>
      <div className={classes.fold}>
        <ToolButton label={t(open ? 'hidePanel' : 'showPanel', { panel: t('panel') })} onClick={() => setOpen(!open)}>
          {open ? <IconLayoutSidebarLeftCollapse /> : <IconLayoutSidebarLeftExpand />}
        </ToolButton>
      </div>
      {open && (
        <div className={classes.content}>
          <PatientCard patient={patient} />
          <div className={classes.scroll} data-drag-scroll>
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
            {studies && studies.length > 0 && <ChooseTooth control={history} loadedStudies={loadedStudies} />}
            {studies && <StudyList studies={studies} location={location} />}
            {onMore && (
              <div className={classes.more}>
                <Button variant="default" fullWidth onClick={onMore}>
                  {t('more')}
                </Button>
              </div>
            )}
          </div>
        </div>
      )}
    </aside>
  );
};
