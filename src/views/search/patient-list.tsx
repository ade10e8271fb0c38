import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { useAgeText } from '../language/age-text.tsx';
import { useListPlace } from '../list-place.ts';
import { today } from '../parts/age.ts';
import { MatchedText } from '../parts/matched-text.tsx';
import { Notice } from '../parts/notice.tsx';
import type { Column } from '../parts/record-table/columns.ts';
import { useReading } from '../reading.tsx';
import type { RecordRights } from '../record-rights.ts';
import { patientLists } from './first-patients.ts';
import { FoundList, type ListFrame } from './found-list.tsx';
import { mostPreviewed } from './preview-subject.ts';
import { RowMenu } from './row-menu.tsx';
import { nameOfPatient } from './row-names.ts';
import { foundBy } from './search-place.ts';

interface PatientListProps {
  readonly frame: ListFrame;
  readonly title: string;
  readonly rights: RecordRights;
  readonly onDelete: (patient: Patient) => void;
  readonly onMerge: (patient: Patient) => void;
}

const listName = ({ mainInfo }: Patient) => `${mainInfo.lastName}, ${mainInfo.firstName}`;

/** What a table of patients can show. `query`: what was searched for. */
export const usePatientColumns = (query: string): readonly Column<Patient, 'found'>[] => {
  const { t } = useTranslation('search');
  const ageText = useAgeText();
  const lastStudy = ({ mainInfo }: Patient) => mainInfo.lastStudyDate?.slice(0, 10) ?? t('noStudy');
  return [
    {
      key: 'name',
      name: t('name'),
      share: 1.7,
      text: listName,
      render: (row) => <MatchedText text={listName(row)} query={query} />,
    },
    {
      key: 'personalNumber',
      name: t('personalNumber'),
      narrow: true,
      // All of it beside a name, on a telephone too: it is by this that one patient is told from another.
      ...{ share: 1.3, narrowWidth: 132 },
      text: ({ mainInfo }) => mainInfo.personalNumber,
      render: ({ mainInfo }) => <MatchedText text={mainInfo.personalNumber} query={query} />,
    },
    {
      key: 'age',
      name: t('age'),
      share: 0.7,
      text: ({ mainInfo }) => mainInfo.birthDate ?? '',
      render: ({ mainInfo }) => ageText(mainInfo.birthDate, today()),
    },
    { key: 'studies', name: t('studies'), share: 0.85, isNumber: true, text: (row) => String(row.totalStudies) },
    { key: 'lastStudy', name: t('lastStudy'), share: 1.3, text: lastStudy },
    { key: 'birthDate', name: t('birthDate'), byDefault: false, text: ({ mainInfo }) => mainInfo.birthDate ?? '' },
    { key: 'comments', name: t('comments'), byDefault: false, share: 1.6, text: (row) => row.mainInfo.comments ?? '' },
  ];
};

/** The patients of the clinic, or those that were found, the best match first. */
export const PatientList = ({ frame, title, rights, onDelete, onMerge }: PatientListProps) => {
  const { t } = useTranslation(['search', 'edit', 'lists']);
  const { patients } = useReading();
  const list = useListPlace(patientLists);
  const { clinicId, place, tools } = frame;
  return (
    <FoundList
      frame={frame}
      title={title}
      list={list}
      read={(asked) => patients(foundBy(clinicId, place, asked))}
      columns={usePatientColumns(list.q)}
      columnsKey="patient-columns"
      nameOf={nameOfPatient}
      hrefOf={({ id }) => `/patient/${id}`}
      previewOf={(row) => ({
        of: { patientId: row.id },
        name: nameOfPatient(row),
        detail: row.mainInfo.personalNumber,
        awaited: row.totalStudies === 0 ? 0 : mostPreviewed,
      })}
      actions={(patient) => (
        <RowMenu
          label={t('lists:moreFor', { name: nameOfPatient(patient) })}
          deeds={[
            {
              text: t('edit:merge-patient'),
              icon: <IconArrowMerge aria-hidden="true" />,
              barred: rights.merge,
              onDo: () => onMerge(patient),
            },
            {
              text: t('edit:delete-patient'),
              icon: <IconTrash aria-hidden="true" />,
              harms: true,
              barred: rights.patient,
              onDo: () => onDelete(patient),
            },
          ]}
        />
      )}
      empty={<Notice title={t('emptyTitle')} text={t('emptyText')} icon={<IconUsers />} action={tools} />}
    />
  );
};
