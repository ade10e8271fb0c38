import '@mantine/core/styles/Tabs.css';
import { Button, Tabs } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useSelector } from '@xstate/react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import type { FoundStudy } from '../../../contract/studies.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { mayContainPersonalNumber } from '../app/paths.ts';
import { useRecordRights } from '../app/rights.ts';
import type { ProposedSubject } from '../forms/propose-destruction.tsx';
import { useRecycleBin } from '../forms/use-recycle-bin.ts';
import { Denied } from '../language/denied.tsx';
import { lazyComponent } from '../ui/lazy-component.ts';
import { PageHeading } from '../ui/page-heading.tsx';
import { DayList } from './day-list.tsx';
import { DeletedContentList } from './deleted-contents.tsx';
import { DeletedPatientList, DeletedStudyList } from './deleted-lists.tsx';
import { DeletedToo } from './deleted-too.tsx';
import { type ListFrame, useMoved } from './found-list.tsx';
import { PatientList } from './patient-list.tsx';
import { fullName, nameOfPatient, nameOfStudy } from './row-names.ts';
import classes from './search.module.css';
import { dayListOf, searchTabs, useSearchUrl } from './search-url.ts';
import { StudyList } from './study-list.tsx';

const ProposeDestruction = lazyComponent(
  async () => (await import('../forms/propose-destruction.tsx')).ProposeDestruction,
);
const DeleteDialog = lazyComponent(async () => (await import('../forms/recycle-bin.tsx')).DeleteDialog);
const DeletePatient = lazyComponent(async () => (await import('../forms/recycle-bin.tsx')).DeletePatient);

interface SearchPageProps {
  readonly session: SessionActor;
  readonly clinicId: string;
  readonly canAdd: boolean;
  /** A draft of a new patient is to be resumed. */
  readonly resumesNew: boolean;
  /** Renders the new-patient dialog. */
  readonly renderNew: (onClose: () => void) => ReactNode;
  /** Renders the dialog that moves all studies of a patient to another. */
  readonly renderMerge: (patient: Patient, onClose: () => void) => ReactNode;
}

type DialogRequest =
  | { readonly kind: 'new' }
  | { readonly kind: 'delete-patient'; readonly patient: Patient }
  | { readonly kind: 'delete-study'; readonly study: FoundStudy }
  | { readonly kind: 'merge'; readonly patient: Patient }
  | { readonly kind: 'destroy'; readonly subject: ProposedSubject };

const titlesOfBin = { patients: 'titleBin', studies: 'titleBinStudies', contents: 'titleBinContents' } as const;

/** Lists patients and studies of the clinic, search results, and the recycle bin. */
export const SearchPage = (props: SearchPageProps) => {
  const { session, clinicId, canAdd, resumesNew, renderNew, renderMerge } = props;
  const { t } = useTranslation(['search', 'edit']);
  const url = useSearchUrl();
  const rights = useRecordRights(session);
  const canPreview = !useSelector(session, selectMay('disable.open'));
  const mayDestroy = useSelector(session, selectMay('customer.update'));
  const query = url.q;
  const [request, setRequest] = useState<DialogRequest | null>(null);
  const close = () => setRequest(null);
  // A resumed draft keeps the dialog open when the request is gone.
  if (resumesNew && canAdd && request?.kind !== 'new') setRequest({ kind: 'new' });
  const moved = useMoved();
  const [toRecycleBin, toList] = [moved.put('bin'), moved.put('list')];
  const removing = useRecycleBin({ onGone: toRecycleBin, onBack: toList, onDone: moved.done });
  const restoring = useRecycleBin({ onGone: toList, onBack: toRecycleBin, onDone: moved.done });

  const isRecycleBin = url.tab === 'bin';
  const day = dayListOf(url.tab);
  const isPatients = url.type === 'patients' || day !== null;
  const titleOfList = () => {
    if (isRecycleBin) return t(titlesOfBin[url.type]);
    if (day) return t(`title-${day}`);
    return t(isPatients ? 'title' : 'titleStudies');
  };
  const title = () => {
    if (isRecycleBin || day || query === '') return titleOfList();
    if (mayContainPersonalNumber(query)) return t(isPatients ? 'titlePersonal' : 'titleStudiesPersonal');
    return t(isPatients ? 'titleFor' : 'titleStudiesFor', { text: query });
  };
  const restorePatient = (patient: Patient) =>
    restoring.restore({ what: 'patient', id: patient.id, patientId: patient.id, name: nameOfPatient(patient) });
  const onDestroy = mayDestroy ? (subject: ProposedSubject) => setRequest({ kind: 'destroy', subject }) : null;
  const studyName = (study: Pick<FoundStudy, 'studyDate' | 'description' | 'patient'>) =>
    `${nameOfStudy(study, t('untitledStudy'))}, ${fullName(study.patient)}`;
  const restoreStudy = (study: Pick<FoundStudy, 'id' | 'patientId' | 'studyDate' | 'description' | 'patient'>) =>
    restoring.restore({ what: 'study', id: study.id, patientId: study.patientId, name: studyName(study) });

  const frame: ListFrame = {
    clinicId,
    url,
    canOpenRecycleBin: rights.recycleBin === null,
    canPreview,
    isGone: moved.goneFrom(isRecycleBin ? 'bin' : 'list'),
    tools: !isRecycleBin && isPatients && canAdd && (
      <Button leftSection={<IconPlus aria-hidden="true" />} onClick={() => setRequest({ kind: 'new' })}>
        {t('newPatient')}
      </Button>
    ),
    below: url.tab === 'all' && url.deleted && rights.recycleBin === null && (
      <Suspense fallback={null}>
        <DeletedToo
          clinicId={clinicId}
          url={url}
          query={query}
          rights={rights}
          isGone={moved.goneFrom('bin')}
          onRestorePatient={restorePatient}
          onRestoreStudy={restoreStudy}
        />
      </Suspense>
    ),
  };
  const list = () => {
    const common = { frame, title: title(), rights };
    const ofBin = { ...common, onDestroy };
    if (isRecycleBin && rights.recycleBin !== null) return <Denied isPart claims={['feature.recycle_bin']} />;
    if (isRecycleBin && isPatients) return <DeletedPatientList {...ofBin} onRestore={restorePatient} />;
    if (isRecycleBin && url.type === 'contents')
      return (
        <DeletedContentList
          {...ofBin}
          onRestore={({ kind, id, patientId }, name) => restoring.restore({ what: kind, id, patientId, name })}
        />
      );
    if (day) return <DayList frame={frame} title={title()} list={day} />;
    if (isRecycleBin) return <DeletedStudyList {...ofBin} onRestore={restoreStudy} />;
    if (!isPatients) return <StudyList {...common} onDelete={(study) => setRequest({ kind: 'delete-study', study })} />;
    return (
      <PatientList
        {...common}
        onDelete={(patient) => setRequest({ kind: 'delete-patient', patient })}
        onMerge={(patient) => setRequest({ kind: 'merge', patient })}
      />
    );
  };
  const dialog = () => {
    switch (request?.kind) {
      case 'new':
        return renderNew(close);
      case 'merge':
        return renderMerge(request.patient, close);
      case 'destroy':
        return <ProposeDestruction clinicId={clinicId} subject={request.subject} onClose={close} />;
      case 'delete-patient': {
        const { patient } = request;
        const { id } = patient;
        return (
          <DeletePatient
            patient={patient}
            onClose={close}
            onGone={() => toRecycleBin(id)}
            onBack={() => toList(id)}
            onDone={() => moved.done(id)}
          />
        );
      }
      case 'delete-study': {
        const { id, patientId, totalImages } = request.study;
        const name = studyName(request.study);
        return (
          <DeleteDialog
            title={t('edit:delete-study')}
            name={name}
            lines={totalImages > 0 ? [t('edit:images', { count: totalImages })] : []}
            note={t('edit:movedToBin')}
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
      value={url.tab}
      onChange={(value) => {
        const tab = searchTabs.find((one) => one === value);
        const type = tab !== 'bin' && url.type === 'contents' ? 'patients' : url.type;
        if (tab) url.change({ tab, type, from: null, to: null, reason: null });
      }}
    >
      <div className={classes.head}>
        <PageHeading title={titleOfList()}>{title()}</PageHeading>
        <Tabs.List aria-label={t('lists')}>
          {searchTabs
            .filter((tab) => tab !== 'bin' || rights.recycleBin === null || isRecycleBin)
            .map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(tab)}
              </Tabs.Tab>
            ))}
        </Tabs.List>
      </div>
      <Tabs.Panel value={url.tab} className={classes.panel} tabIndex={-1}>
        <Suspense fallback={null}>
          <div key={`${url.tab} ${url.type}`} className={classes.list}>
            {list()}
          </div>
        </Suspense>
      </Tabs.Panel>
      <Suspense fallback={null}>{dialog()}</Suspense>
    </Tabs>
  );
};
