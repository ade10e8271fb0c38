import '@mantine/core/styles/Tabs.css';
import { Button, Tabs } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useSelector } from '@xstate/react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Patient } from '../../../contract/patients.ts';
import type { FoundStudy } from '../../../contract/studies.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { BinQuestion } from '../forms/bin-question.tsx';
import { DeletePatient } from '../forms/delete-patient.tsx';
import { useBinMoves } from '../forms/use-bin-moves.ts';
import { Denied } from '../language/denied.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { cameBeside, mayBePersonal } from '../places.ts';
import { useRecordRights } from '../record-rights.ts';
import { DeletedPatientList, DeletedStudyList } from './deleted-lists.tsx';
import { DeletedToo } from './deleted-too.tsx';
import type { ListFrame } from './found-list.tsx';
import { PatientList } from './patient-list.tsx';
import { nameOfPatient, nameOfPerson, nameOfStudy } from './row-names.ts';
import classes from './search.module.css';
import { searchTabs, useSearchPlace } from './search-place.ts';
import { StudyList } from './study-list.tsx';
import { useMoved } from './use-moved.ts';

interface SearchPageProps {
  readonly session: SessionActor;
  readonly clinicId: string;
  readonly mayAdd: boolean;
  /** Something is written of a new patient already, and is to be gone on with. */
  readonly resumesNew: boolean;
  /** The dialog of a new patient. */
  readonly renderNew: (onClose: () => void) => ReactNode;
  /** The dialog that moves all studies of a patient to another. */
  readonly renderMerge: (patient: Patient, onClose: () => void) => ReactNode;
}

type Wish =
  | { readonly kind: 'new' }
  | { readonly kind: 'delete-patient'; readonly patient: Patient }
  | { readonly kind: 'delete-study'; readonly study: FoundStudy }
  | { readonly kind: 'merge'; readonly patient: Patient };

/** Patients and studies of the clinic, those that were found, and those in its recycle bin. */
export const SearchPage = (props: SearchPageProps) => {
  const { session, clinicId, mayAdd, resumesNew, renderNew, renderMerge } = props;
  const { t } = useTranslation(['search', 'edit']);
  const place = useSearchPlace();
  const rights = useRecordRights(session);
  const mayPreview = !useSelector(session, selectMay('disable.open'));
  const [params] = useSearchParams();
  const state: unknown = useHistoryState();
  const query = (cameBeside(state) || (params.get('q') ?? '')).trim();
  const [wish, setWish] = useState<Wish | null>(null);
  const close = () => setWish(null);
  // What is gone on with stays open when nobody asks for it any more.
  if (resumesNew && mayAdd && wish?.kind !== 'new') setWish({ kind: 'new' });
  const moved = useMoved();
  const [intoBin, intoList] = [moved.put('bin'), moved.put('list')];
  const removing = useBinMoves({ onGone: intoBin, onBack: intoList, onDone: moved.done });
  const restoring = useBinMoves({ onGone: intoList, onBack: intoBin, onDone: moved.done });

  const isBin = place.tab === 'bin';
  const isPatients = place.type === 'patients';
  const titleOfList = () => {
    if (isBin) return t(isPatients ? 'titleBin' : 'titleBinStudies');
    return t(isPatients ? 'title' : 'titleStudies');
  };
  const title = () => {
    if (isBin || query === '') return titleOfList();
    if (mayBePersonal(query)) return t(isPatients ? 'titlePersonal' : 'titleStudiesPersonal');
    return t(isPatients ? 'titleFor' : 'titleStudiesFor', { text: query });
  };
  const restorePatient = (patient: Patient) =>
    restoring.restore({ what: 'patient', id: patient.id, patientId: patient.id, name: nameOfPatient(patient) });
  const studyName = (study: Pick<FoundStudy, 'studyDate' | 'description' | 'patient'>) =>
    `${nameOfStudy(study, t('untitledStudy'))}, ${nameOfPerson(study.patient)}`;
  const restoreStudy = (study: Pick<FoundStudy, 'id' | 'patientId' | 'studyDate' | 'description' | 'patient'>) =>
    restoring.restore({ what: 'study', id: study.id, patientId: study.patientId, name: studyName(study) });

  const frame: ListFrame = {
    ...{ clinicId, place, mayOpenBin: rights.bin === null, mayPreview },
    isGone: moved.goneFrom(isBin ? 'bin' : 'list'),
    tools: !isBin && isPatients && mayAdd && (
      <Button leftSection={<IconPlus aria-hidden="true" />} onClick={() => setWish({ kind: 'new' })}>
        {t('newPatient')}
      </Button>
    ),
    below: !isBin && place.deletedToo && rights.bin === null && (
      <Suspense fallback={null}>
        <DeletedToo
          {...{ clinicId, place, query, rights }}
          isGone={moved.goneFrom('bin')}
          onRestorePatient={restorePatient}
          onRestoreStudy={restoreStudy}
        />
      </Suspense>
    ),
  };
  const list = () => {
    const common = { frame, title: title(), rights };
    if (isBin && rights.bin !== null) return <Denied isPart claims={['feature.recycle_bin']} />;
    if (isBin && isPatients) return <DeletedPatientList {...common} onRestore={restorePatient} />;
    if (isBin) return <DeletedStudyList {...common} onRestore={restoreStudy} />;
    if (!isPatients) return <StudyList {...common} onDelete={(study) => setWish({ kind: 'delete-study', study })} />;
    return (
      <PatientList
        {...common}
        onDelete={(patient) => setWish({ kind: 'delete-patient', patient })}
        onMerge={(patient) => setWish({ kind: 'merge', patient })}
      />
    );
  };
  const dialog = () => {
    switch (wish?.kind) {
      case 'new':
        return renderNew(close);
      case 'merge':
        return renderMerge(wish.patient, close);
      case 'delete-patient': {
        const { patient } = wish;
        const { id } = patient;
        return (
          <DeletePatient
            patient={patient}
            onClose={close}
            onGone={() => intoBin(id)}
            onBack={() => intoList(id)}
            onDone={() => moved.done(id)}
          />
        );
      }
      case 'delete-study': {
        const { id, patientId, totalImages } = wish.study;
        const name = studyName(wish.study);
        return (
          <BinQuestion
            title={t('edit:delete-study')}
            name={name}
            lines={totalImages > 0 ? [t('edit:images', { count: totalImages })] : []}
            kept={t('edit:keptInBin')}
            onYes={async () => {
              await removing.remove({ what: 'study', id, patientId, name });
              close();
            }}
            onClose={close}
          />
        );
      }
      default:
        return null;
    }
  };
  return (
    <Tabs
      className={classes.page}
      value={place.tab}
      onChange={(wanted) => {
        const tab = searchTabs.find((one) => one === wanted);
        if (tab) place.change({ tab, from: null, to: null });
      }}
    >
      <div className={classes.head}>
        <PageTitle>{titleOfList()}</PageTitle>
        <h1 className={classes.title}>{title()}</h1>
        {(rights.bin === null || isBin) && (
          <Tabs.List aria-label={t('lists')}>
            {searchTabs.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(tab)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
      </div>
      <Tabs.Panel value={place.tab} className={classes.panel} tabIndex={-1}>
        <Suspense fallback={null}>
          <div key={`${place.tab} ${place.type}`} className={classes.list}>
            {list()}
          </div>
        </Suspense>
      </Tabs.Panel>
      {dialog()}
    </Tabs>
  );
};
