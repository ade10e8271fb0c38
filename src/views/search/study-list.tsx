import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs';
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import type { FoundStudy } from '../../../contract/studies.ts';
import { useListUrlState } from '../app/list-url-state.ts';
import { useRecords } from '../app/loaded-services.ts';
import { useMoveStudy } from '../app/move-study.tsx';
import type { RecordRights } from '../app/rights.ts';
import { listName, PatientName } from '../language/patient-name.tsx';
import { MatchedText } from '../ui/matched-text.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import { FoundList, type ListFrame } from './found-list.tsx';
import { RowMenu } from './row-menu.tsx';
import { fullName, nameOfStudy } from './row-names.ts';
import { foundBy, rowsOfAPage } from './search-url.ts';

interface StudyListProps {
  readonly frame: ListFrame;
  readonly title: string;
  readonly rights: RecordRights;
  readonly onDelete: (study: FoundStudy) => void;
}

/** Returns the columns of the study table. */
const useStudyColumns = (query: string): readonly Column<FoundStudy, 'found'>[] => {
  const { t } = useTranslation('search');
  const description = (row: FoundStudy) => row.description.trim() || t('untitledStudy');
  return [
    {
      key: 'description',
      name: t('description'),
      widthShare: 1.45,
      text: description,
      render: (row) => <MatchedText text={description(row)} query={query} />,
    },
    {
      key: 'studyDate',
      name: t('studyDate'),
      narrow: true,
      widthShare: 0.98,
      text: ({ studyDate }) => studyDate ?? '',
    },
    {
      key: 'patient',
      name: t('patient'),
      widthShare: 1.3,
      text: (row) => listName(row.patient),
      render: (row) => <PatientName patient={row.patient} query={query} />,
    },
    {
      key: 'personalNumber',
      name: t('personalNumber'),
      widthShare: 1.15,
      text: (row) => row.patient.personalNumber,
      render: (row) => <MatchedText text={row.patient.personalNumber} query={query} />,
    },
    { key: 'modalities', name: t('modalities'), widthShare: 0.75, text: ({ modalities }) => modalities.join(', ') },
    { key: 'images', name: t('images'), widthShare: 0.62, isNumber: true, text: (row) => String(row.totalImages) },
    {
      key: 'accessionNumber',
      name: t('accessionNumber'),
      widthShare: 1.15,
      text: (row) => row.accessionNumber ?? '',
      render: (row) => <MatchedText text={row.accessionNumber ?? ''} query={query} />,
    },
  ];
};

/** Studies of the clinic, or search results, newest first. */
export const StudyList = ({ frame, title, rights, onDelete }: StudyListProps) => {
  const { t } = useTranslation(['search', 'edit', 'lists']);
  const { studies } = useRecords();
  const moveStudy = useMoveStudy();
  const list = useListUrlState({ sorts: ['found'], perPage: rowsOfAPage });
  const { clinicId, url } = frame;
  const nameOf = (row: FoundStudy) => `${nameOfStudy(row, t('untitledStudy'))}, ${fullName(row.patient)}`;
  return (
    <FoundList
      frame={frame}
      title={title}
      list={list}
      read={(query) => studies(foundBy(clinicId, url, query))}
      columns={useStudyColumns(list.q)}
      columnsKey="study-columns"
      nameOf={nameOf}
      previewOf={(row) => ({
        of: { studyId: row.id },
        name: nameOfStudy(row, t('untitledStudy')),
        detail: fullName(row.patient),
        awaited: row.totalImages,
      })}
      hrefOf={({ patientId, uid }) => `/patient/${patientId}/${uid}`}
      actions={(study) => (
        <RowMenu
          label={t('lists:moreFor', { name: nameOf(study) })}
          actions={[
            ...(moveStudy
              ? [
                  {
                    text: t('edit:move-study'),
                    icon: <IconArrowRight aria-hidden="true" />,
                    disabledReason: rights.merge,
                    onDo: () =>
                      moveStudy.request({
                        studyId: study.id,
                        name: nameOfStudy(study, t('untitledStudy')),
                        patientFromId: study.patientId,
                        patientToId: null,
                        customerId: study.customerId,
                      }),
                  },
                ]
              : []),
            {
              text: t('edit:delete-study'),
              icon: <IconTrash aria-hidden="true" />,
              harms: true,
              disabledReason: rights.study,
              onDo: () => onDelete(study),
            },
          ]}
        />
      )}
      empty={<Notice title={t('emptyStudies')} text={t('emptyStudiesText')} icon={<IconFolders />} />}
    />
  );
};
