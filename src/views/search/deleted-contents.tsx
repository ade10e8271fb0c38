import { useTranslation } from 'react-i18next';
import type { DeletedContent, deletedSorts } from '../../../contract/recycle-bin.ts';
import { useRecords } from '../app/loaded-services.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { listName, PatientName } from '../language/patient-name.tsx';
import { useToothText } from '../language/tooth-notation.ts';
import { today } from '../ui/dates.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import {
  type DeletedListProps,
  isDue,
  useDeletedListUrl,
  useDeletionColumns,
  useEmptyRecycleBin,
  useRowButtons,
} from './deleted-lists.tsx';
import { FoundList } from './found-list.tsx';
import { fullName, nameOfStudy } from './row-names.ts';
import { periodOf } from './search-url.ts';

interface DeletedContentListProps extends Omit<DeletedListProps<DeletedContent>, 'onRestore'> {
  readonly onRestore: (row: DeletedContent, name: string) => void;
}

/** Deleted series, images and mounts of studies that are not deleted, with where they belong. */
export const DeletedContentList = (props: DeletedContentListProps) => {
  const { frame, title, rights, onRestore, onDestroy } = props;
  const { t } = useTranslation('search');
  const { deletedContents } = useRecords();
  const modalityName = useModalityName();
  const toothText = useToothText();
  const list = useDeletedListUrl();
  const what = ({ kind, modality, name, number, teeth }: DeletedContent) =>
    [t(`kind-${kind}`), name.trim() || (modality && modalityName(modality)), number, toothText(teeth)]
      .filter(Boolean)
      .join(' ');
  const study = (row: DeletedContent) =>
    nameOfStudy({ studyDate: row.studyDate, description: row.studyDescription }, t('untitledStudy'));
  const nameOf = (row: DeletedContent) => `${what(row)}, ${study(row)}, ${fullName(row.patient)}`;
  const columns: readonly Column<DeletedContent, (typeof deletedSorts)[number]>[] = [
    { key: 'what', name: t('description'), widthShare: 1.4, text: what },
    { key: 'images', name: t('images'), widthShare: 0.6, isNumber: true, text: ({ images }) => String(images) },
    {
      key: 'study',
      name: t('study'),
      widthShare: 1.2,
      text: study,
      render: (row) => <MatchedText text={study(row)} query={list.q} />,
    },
    {
      key: 'patient',
      name: t('patient'),
      sort: 'name',
      widthShare: 1.2,
      text: (row) => listName(row.patient),
      render: (row) => <PatientName patient={row.patient} query={list.q} />,
    },
  ];
  const buttons = useRowButtons<DeletedContent>({
    nameOf,
    reasonOf: (row) => (row.kind === 'viewset' ? rights.viewset : rights.study),
    onRestore: (row) => onRestore(row, nameOf(row)),
    onDestroy: onDestroy && ((row) => onDestroy({ kind: 'image', id: row.id, name: nameOf(row), isDue: isDue(row) })),
    canDestroy: ({ kind }) => kind === 'image',
  });
  return (
    <FoundList
      frame={frame}
      title={title}
      list={list}
      read={(query) => deletedContents({ ...query, customerId: frame.clinicId, ...periodOf(frame.url, today()) })}
      columns={[...columns, ...useDeletionColumns<DeletedContent>()]}
      columnsKey="deleted-content-columns"
      nameOf={nameOf}
      actions={buttons}
      empty={useEmptyRecycleBin()}
    />
  );
};
