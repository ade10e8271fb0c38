import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import IconFlame from '@tabler/icons-react/dist/esm/icons/IconFlame.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { type DeletedPatient, type DeletedStudy, deletedSorts } from '../../../contract/recycle-bin.ts';
import { useListUrlState } from '../app/list-url-state.ts';
import { useRecords } from '../app/loaded-services.ts';
import type { RecordRights } from '../app/rights.ts';
import type { ProposedSubject } from '../forms/propose-destruction.tsx';
import { listName, PatientName } from '../language/patient-name.tsx';
import { today } from '../ui/dates.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import { FoundList, type ListFrame } from './found-list.tsx';
import { fullName, nameOfPatient, nameOfStudy } from './row-names.ts';
import { periodOf, rowsOfAPage } from './search-url.ts';

type DeletedSort = (typeof deletedSorts)[number];

export interface DeletedListProps<Row> {
  readonly frame: ListFrame;
  readonly title: string;
  readonly rights: RecordRights;
  readonly onRestore: (row: Row) => void;
  /** Proposes to destroy a record; null without the right to. */
  readonly onDestroy: ((subject: ProposedSubject) => void) | null;
}

/** Formats a timestamp in the browser's time zone. */
export const momentText = (moment: string): string => dayjs(moment).format('YYYY-MM-DD HH:mm:ss');

const dayText = (moment: string): string => dayjs(moment).format('YYYY-MM-DD');

/** Columns for time and user of the deletion, and the end of the retention. */
export const useDeletionColumns = <
  Row extends Pick<DeletedStudy, 'deletedAt' | 'deletedBy' | 'retainedUntil'>,
>(): readonly Column<Row, DeletedSort>[] => {
  const { t } = useTranslation('search');
  return [
    {
      key: 'deletedAt',
      name: t('deletedAt'),
      sort: 'deletedAt',
      widthShare: 1.3,
      narrow: true,
      text: (row) => momentText(row.deletedAt),
    },
    { key: 'deletedBy', name: t('deletedBy'), text: ({ deletedBy }) => deletedBy?.name ?? t('notKnown') },
    {
      key: 'retainedUntil',
      name: t('retainedUntil'),
      text: ({ retainedUntil }) => (retainedUntil === null ? t('retainedAlways') : dayText(retainedUntil)),
    },
  ];
};

export const useDeletedListUrl = () =>
  useListUrlState<DeletedSort>({ sorts: deletedSorts, perPage: rowsOfAPage, order: 'desc' });

interface RowButtons<Row> {
  readonly nameOf: (row: Row) => string;
  /** Why a row cannot be restored; null when it can. */
  readonly reasonOf: (row: Row) => string | null;
  readonly onRestore: (row: Row) => void;
  /** Null without the right to. */
  readonly onDestroy: ((row: Row) => void) | null;
  /** Whether this kind of row can be destroyed by itself; all by default. */
  readonly canDestroy?: (row: Row) => boolean;
}

/** Returns the buttons of a row of the recycle bin. */
export const useRowButtons = <Row,>(buttons: RowButtons<Row>) => {
  const { nameOf, reasonOf, onRestore, onDestroy, canDestroy = () => true } = buttons;
  const { t } = useTranslation(['search', 'destruction']);
  return (row: Row) => (
    <>
      <ToolButton label={t('restore', { name: nameOf(row) })} reason={reasonOf(row)} onClick={() => onRestore(row)}>
        <IconArrowBackUp />
      </ToolButton>
      {onDestroy && canDestroy(row) && (
        <ToolButton label={t('destruction:proposeFor', { name: nameOf(row) })} onClick={() => onDestroy(row)}>
          <IconFlame />
        </ToolButton>
      )}
    </>
  );
};

/** Whether the retention of a record has ended, so that no decision of the authority is needed to destroy it. */
export const isDue = ({ retainedUntil }: Pick<DeletedStudy, 'retainedUntil'>): boolean =>
  retainedUntil !== null && dayjs(retainedUntil).isBefore(dayjs());

export const useEmptyRecycleBin = () => {
  const { t } = useTranslation('search');
  return <Notice title={t('emptyBin')} text={t('emptyBinText')} icon={<IconTrash />} />;
};

/** Patients in the recycle bin, last deleted first. */
export const DeletedPatientList = (props: DeletedListProps<DeletedPatient>) => {
  const { frame, title, rights, onRestore, onDestroy } = props;
  const { t } = useTranslation('search');
  const { deletedPatients } = useRecords();
  const list = useDeletedListUrl();
  return (
    <FoundList
      frame={frame}
      title={title}
      list={list}
      read={(query) => deletedPatients({ ...query, customerId: frame.clinicId, ...periodOf(frame.url, today()) })}
      columns={[
        {
          key: 'name',
          name: t('name'),
          sort: 'name',
          widthShare: 1.6,
          text: ({ mainInfo }) => listName(mainInfo),
          render: (row) => <PatientName patient={row.mainInfo} query={list.q} />,
        },
        {
          key: 'personalNumber',
          name: t('personalNumber'),
          text: ({ mainInfo }) => mainInfo.personalNumber,
          render: ({ mainInfo }) => <MatchedText text={mainInfo.personalNumber} query={list.q} />,
        },
        {
          key: 'studies',
          name: t('studies'),
          widthShare: 0.7,
          isNumber: true,
          text: (row) => String(row.totalStudies),
        },
        ...useDeletionColumns<DeletedPatient>(),
      ]}
      columnsKey="deleted-patient-columns"
      nameOf={nameOfPatient}
      actions={useRowButtons<DeletedPatient>({
        nameOf: nameOfPatient,
        reasonOf: () => rights.patient,
        onRestore,
        onDestroy:
          onDestroy &&
          ((row) => onDestroy({ kind: 'patient', id: row.id, name: nameOfPatient(row), isDue: isDue(row) })),
      })}
      empty={useEmptyRecycleBin()}
    />
  );
};

/** Deleted studies of patients who are not deleted. */
export const DeletedStudyList = (props: DeletedListProps<DeletedStudy>) => {
  const { frame, title, rights, onRestore, onDestroy } = props;
  const { t } = useTranslation('search');
  const { deletedStudies } = useRecords();
  const list = useDeletedListUrl();
  const description = (row: DeletedStudy) => row.description.trim() || t('untitledStudy');
  const nameOf = (row: DeletedStudy) => `${nameOfStudy(row, t('untitledStudy'))}, ${fullName(row.patient)}`;
  return (
    <FoundList
      frame={frame}
      title={title}
      list={list}
      read={(query) => deletedStudies({ ...query, customerId: frame.clinicId, ...periodOf(frame.url, today()) })}
      columns={[
        {
          key: 'description',
          name: t('description'),
          widthShare: 1.4,
          text: description,
          render: (row) => <MatchedText text={description(row)} query={list.q} />,
        },
        { key: 'studyDate', name: t('studyDate'), widthShare: 0.8, text: ({ studyDate }) => studyDate ?? '' },
        {
          key: 'patient',
          name: t('patient'),
          sort: 'name',
          widthShare: 1.4,
          text: (row) => listName(row.patient),
          render: (row) => <PatientName patient={row.patient} query={list.q} />,
        },
        { key: 'images', name: t('images'), widthShare: 0.6, isNumber: true, text: ({ images }) => String(images) },
        {
          key: 'mounts',
          name: t('mounts'),
          widthShare: 0.8,
          isNumber: true,
          byDefault: false,
          text: ({ viewsets }) => String(viewsets),
        },
        {
          key: 'accessionNumber',
          name: t('accessionNumber'),
          byDefault: false,
          text: (row) => row.accessionNumber ?? '',
        },
        ...useDeletionColumns<DeletedStudy>(),
      ]}
      columnsKey="deleted-study-columns"
      nameOf={nameOf}
      actions={useRowButtons<DeletedStudy>({
        nameOf,
        reasonOf: () => rights.study,
        onRestore,
        onDestroy:
          onDestroy && ((row) => onDestroy({ kind: 'study', id: row.id, name: nameOf(row), isDue: isDue(row) })),
      })}
      empty={useEmptyRecycleBin()}
    />
  );
};
